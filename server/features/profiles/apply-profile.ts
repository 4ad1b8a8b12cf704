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
import type { ProfilePlan } from './plan-profile.policy.ts'
import { planProfiles } from './plan-profile.ts'
import { applyRules, rulesWork } from './apply-rules.ts'
import { setProfile } from './set-profile.ts'

/** The planned changes of one domain, with its state at planning time. */
export const profileWork = z.object({
  /** Null when the domain is to match another domain instead of a profile, or is detached from its profile. */
  profile: z.object({ id: z.string(), name: z.string(), version: z.int().nullable().default(null) }).nullable(),
  settings: profileSettings,
  before: z.record(z.string(), z.unknown()),
  changes: recordChanges,
  /** Absent in operations of earlier versions of the panel. */
  rules: rulesWork.optional(),
  detach: z.boolean().default(false),
})
export type ProfileWork = z.output<typeof profileWork>
export type ApplyOptions = CallOptions & HistoryOptions

const count = ({ deletes = [], updates = [], creates = [] }: RecordChanges) => deletes.length + updates.length + creates.length

/**
 * The settings that are not as planned yet; null if one has neither its value at planning time nor the planned one.
 * @throws AppError not_found
 */
async function listLeft(ctx: Ctx, zone: OpenZone, { settings, before }: ProfileWork): Promise<(keyof ProfileSettings)[] | null> {
  const keys = Object.keys(settings) as (keyof ProfileSettings)[]
  if (keys.length === 0) return []
  const now = (await listDomainSettings(ctx, [zone.id])).get(zone.id)
  if (now === undefined) throw new AppError('not_found')
  const left = keys.filter((key) => !hasSetting(now, key, settings[key]))
  return left.some((key) => before[key] !== null && !hasSetting(now, key, before[key])) ? null : left
}

/**
 * Applies the planned profile to a domain. Safe to call again: unchanged values are skipped. Returns false and sends nothing more if the
 * domain matches neither the state at planning time nor the result.
 * @throws AppError not_found, and refusals by the provider
 */
export async function carryOut(
  ctx: Ctx,
  zone: OpenZone,
  work: ProfileWork,
  options: ApplyOptions & { readonly again: boolean },
): Promise<boolean> {
  const { again, ...given } = options
  const left = await listLeft(ctx, zone, work)
  if (left === null) return false

  // First, because they are checked before anything is sent.
  if (work.rules !== undefined && !(await applyRules(ctx, zone, work.rules, options))) return false
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
  if (work.detach) await setProfile(ctx, zone, null, given)
  else if (work.profile !== null) await setProfile(ctx, zone, work.profile.id, given, work.profile.version)
  return true
}

/** What has to be stored of a plan to carry it out. `profile` null: the domain is detached from its profile. */
export function workOf(
  { settings, changes, difference, rules: { seen, trackerHost, own } }: ProfilePlan,
  profile: Pick<Profile, 'id' | 'name' | 'version'> | null,
  verify = false,
): ProfileWork {
  return {
    profile: profile && { id: profile.id, name: profile.name, version: profile.version },
    detach: profile === null,
    settings,
    before: Object.fromEntries(difference.settings.map((each) => [each.key, each.before])),
    changes,
    rules: {
      of: profile && { profileId: profile.id, version: profile.version },
      trackerHost,
      variables: Object.fromEntries(Object.entries(own).map(([name, { kind, values }]) => [name, { kind, values: [...values] }])),
      seen: seen === null ? null : [...seen],
      verify,
    },
  }
}

/**
 * Applies a profile to a domain, planned from the current mirror.
 * @throws AppError not_found, not_read_yet, validation_failed, conflict, and refusals by the provider
 */
export async function applyProfile(ctx: Ctx, domainId: string, profile: Profile, options: ApplyOptions): Promise<void> {
  const zone = await openZone(ctx, domainId)
  if (zone.ownerId !== profile.ownerId) throw new AppError('not_found')
  if (zone.recordsReadAt === null) await refreshPart(ctx, zone, 'records', options)
  if (zone.settingsReadAt === null) await refreshPart(ctx, zone, 'settings', options)
  const [plan] = await planProfiles(ctx, [{ id: zone.id, name: zone.name, recordsRead: true }], profile)
  if (plan === undefined) throw new AppError('not_found')
  if ('refused' in plan) throw new AppError('validation_failed', { issues: [{ path: 'records', message: plan.refused }] })
  if (!(await carryOut(ctx, zone, workOf(plan, profile), { ...options, again: false }))) throw new AppError('conflict')
}
