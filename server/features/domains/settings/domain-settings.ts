import type { DomainSettings } from '#shared/features/domains/schema.ts'
import type { MirroredSettings } from './zone-settings.repo.ts'

/** A running development mode differs at every reading, so `listedMs` is when its seconds were read. */
export function developmentModeAt(nowMs: number, secondsThen: number, listedMs: number) {
  const endsMs = listedMs + secondsThen * 1000
  const left = secondsThen === 0 ? 0 : Math.max(0, Math.ceil((endsMs - nowMs) / 1000))
  return { developmentMode: left, developmentModeEndsAt: left === 0 ? null : new Date(endsMs).toISOString() }
}

/** What the mirror knows of a domain's settings, in the words of the API. */
export function toDomainSettings(
  { id: _id, accessTarget: _target, readAt, developmentMode, listedAt, ...settings }: MirroredSettings,
  nowMs: number,
): DomainSettings {
  return {
    ...settings,
    ...developmentModeAt(nowMs, developmentMode, listedAt.getTime()),
    readAt: readAt?.toISOString() ?? null,
    ageSeconds: readAt === null ? null : Math.max(0, Math.round((nowMs - readAt.getTime()) / 1000)),
  }
}
