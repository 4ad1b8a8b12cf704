import { listDomainSettings } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { namesOf } from '#shared/features/profiles/rules.ts'
import type { Profile } from '#shared/features/profiles/schema.ts'
import { planProfile, recordsOf } from './plan-profile.policy.ts'
import type { ProfilePlan } from './plan-profile.policy.ts'
import { listRecordsAt } from './profiles.repo.ts'
import type { ProfiledZone } from './profiles.repo.ts'

/** `refused`: a code; the domain was never read, or a record of the profile is not possible there. */
export type PlannedProfile = ProfilePlan | { readonly refused: string }

/** Plans from the mirror how each domain gets the profile, in the given order. */
export async function planProfiles(
  ctx: Ctx,
  zones: readonly ProfiledZone[],
  profile: Pick<Profile, 'settings' | 'records'>,
): Promise<PlannedProfile[]> {
  const ids = zones.map(({ id }) => id)
  const [settings, records] = await Promise.all([listDomainSettings(ctx, ids), listRecordsAt(ctx.db, ids, namesOf(profile.records))])
  const hasSettings = Object.values(profile.settings).some((value) => value !== undefined)
  return zones.map(({ id, name, recordsRead }) => {
    const now = settings.get(id)
    if (now === undefined) return { refused: 'not_found' }
    if ((profile.records.length > 0 && !recordsRead) || (hasSettings && now.readAt === null)) return { refused: 'not_read_yet' }
    const checked = recordsOf(profile, name)
    if ('refused' in checked) return checked
    return planProfile(profile, checked.wanted, { domain: name, settings: now, records: records.get(id) ?? [] })
  })
}
