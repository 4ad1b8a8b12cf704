import { z } from 'zod'
import {
  applyRecordChanges,
  applySettings,
  listDomainSettings,
  listMirror,
  openZone,
  recordChanges,
} from '#server/features/domains/index.ts'
import type { OpenZone, RecordChanges } from '#server/features/domains/index.ts'
import { refreshPart } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { profileSettings } from '#shared/features/profiles/schema.ts'
import type { Profile, ProfileSettings } from '#shared/features/profiles/schema.ts'
import { hasSetting, isDone } from './plan-profile.policy.ts'
import { planProfiles } from './plan-profile.ts'
import { setProfile } from './set-profile.ts'

/** What is to be done to one domain, and what it was when that was worked out. */
export const profileWork = z.object({
  /** Null: it is another domain that it is to be like. */
  profile: z.object({ id: z.string(), name: z.string() }).nullable(),
  settings: profileSettings,
  before: z.record(z.string(), z.unknown()),
  changes: recordChanges,
})
export type ProfileWork = z.infer<typeof profileWork>
export type ApplyOptions = CallOptions & HistoryOptions

const count = ({ deletes = [], updates = [], creates = [] }: RecordChanges) => deletes.length + updates.length + creates.length

/**
 * Makes the domain as its profile has it. Safe to call again: what is so already is left unchanged. False where it is neither as it
 * was when the work was planned nor as the work would leave it: then nothing more is sent.
 * @throws AppError not_found, and what the provider refuses
 */
export async function carryOut(
  ctx: Ctx,
  zone: OpenZone,
  work: ProfileWork,
  options: ApplyOptions & { readonly again: boolean },
): Promise<boolean> {
  const { again, ...given } = options
  const now = (await listDomainSettings(ctx, [zone.id])).get(zone.id)
  if (now === undefined) throw new AppError('not_found')
  const keys = Object.keys(work.settings) as (keyof ProfileSettings)[]
  const left = keys.filter((key) => !hasSetting(now, key, work.settings[key]))
  if (left.some((key) => work.before[key] !== null && !hasSetting(now, key, work.before[key]))) return false

  if (count(work.changes) > 0) {
    if (again) await refreshPart(ctx, zone, 'records', given)
    if (!isDone((await listMirror(ctx.db.orm, zone.id)).records, work.changes, zone.name)) {
      try {
        const { error } = await applyRecordChanges(ctx, zone, work.changes, given)
        if (error !== null) throw error
      } catch (error) {
        const changed =
          error instanceof AppError && (error.code === 'conflict' || (error.code === 'not_found' && 'recordId' in error.params))
        if (changed) return false
        throw error
      }
    }
  }
  if (left.length > 0) {
    const { refused } = await applySettings(ctx, zone, Object.fromEntries(left.map((key) => [key, work.settings[key]])), given)
    if (refused[0] !== undefined) throw refused[0].error
  }
  if (work.profile !== null) await setProfile(ctx, zone, work.profile.id, given)
  return true
}

/**
 * Gives a domain the profile, from what the mirror knows of it now.
 * @throws AppError not_found, not_read_yet, validation_failed, conflict, and what the provider refuses
 */
export async function applyProfile(ctx: Ctx, zoneId: string, profile: Profile, options: ApplyOptions): Promise<void> {
  const zone = await openZone(ctx, zoneId)
  if (zone.ownerId !== profile.ownerId) throw new AppError('not_found')
  if (zone.recordsReadAt === null) await refreshPart(ctx, zone, 'records', options)
  if (zone.settingsReadAt === null) await refreshPart(ctx, zone, 'settings', options)
  const [plan] = await planProfiles(ctx, [{ id: zone.id, name: zone.name, recordsRead: true }], profile)
  if (plan === undefined) throw new AppError('not_found')
  if ('refused' in plan) throw new AppError('validation_failed', { issues: [{ path: 'records', message: plan.refused }] })
  const before = Object.fromEntries(plan.difference.settings.map((each) => [each.key, each.before]))
  const work = { profile: { id: profile.id, name: profile.name }, settings: plan.settings, before, changes: plan.changes }
  if (!(await carryOut(ctx, zone, work, { ...options, again: false }))) throw new AppError('conflict')
}
