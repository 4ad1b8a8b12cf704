import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingKey } from '#shared/features/domains/settings/schema.ts'
import { dnssecState } from '#shared/features/domains/schema.ts'
import type { DomainSettings } from '#shared/features/domains/schema.ts'
import type { MirroredSettings } from './zone-settings.repo.ts'

/** The seconds of a running development mode differ at every reading; `listedMs` is when they were read. */
export function developmentModeAt(nowMs: number, secondsThen: number, listedMs: number) {
  const endsMs = listedMs + secondsThen * 1000
  const left = secondsThen === 0 ? 0 : Math.max(0, Math.ceil((endsMs - nowMs) / 1000))
  return { developmentMode: left, developmentModeEndsAt: left === 0 ? null : new Date(endsMs).toISOString() }
}

/** The mirror's settings of a domain in the form of the API. */
export function toDomainSettings(
  { id: _id, accessTarget: _target, readAt, developmentMode, listedAt, ...settings }: MirroredSettings,
  nowMs: number,
): DomainSettings {
  const valueOf = (key: SettingKey) => settings.values[settingCatalog[key].id]?.value
  const flag = (key: SettingKey) => {
    const value = valueOf(key)
    return typeof value === 'boolean' ? value : null
  }
  const aiBots = valueOf('aiBots')
  return {
    ...settings,
    botFightMode: flag('botFightMode'),
    aiBots: typeof aiBots === 'string' ? aiBots : null,
    aiLabyrinth: flag('aiLabyrinth'),
    managedRobotsTxt: flag('managedRobotsTxt'),
    dnssec: flag('dnssec'),
    dnssecState: dnssecState.safeParse(settings.values[settingCatalog.dnssec.id]?.details).data ?? null,
    ...developmentModeAt(nowMs, developmentMode, listedAt.getTime()),
    readAt: readAt?.toISOString() ?? null,
    ageSeconds: readAt === null ? null : Math.max(0, Math.round((nowMs - readAt.getTime()) / 1000)),
  }
}
