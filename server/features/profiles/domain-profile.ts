import type { z } from 'zod'
import { openZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type {
  countDifferingOutput,
  domainProfileAnswer,
  listProfileDomainsInput,
  listProfileDomainsOutput,
  ProfileDifference,
} from '#shared/features/profiles/schema.ts'
import { planProfiles } from './plan-profile.ts'
import type { PlannedProfile } from './plan-profile.ts'
import { getOf, getShown, listProfilesOf, listDomainIdsOf, listZonesOf } from './profiles.repo.ts'
import { setProfile } from './set-profile.ts'

const zonesPerBatch = 2_000

/**
 * The profile of a domain, and where the domain differs from it.
 * @throws AppError not_found
 */
export async function getDomainProfile(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof domainProfileAnswer>> {
  const zone = await openZone(ctx, id, 'view')
  const given = (await listProfilesOf(ctx.db.orm, [id])).get(id)
  if (given === undefined) return { profile: null, difference: null, problem: null, fullPhases: [] }
  const profile = await getOf(ctx.db.orm, given.id)
  const [plan] = await planProfiles(ctx, [{ id, name: zone.name, recordsRead: zone.recordsReadAt !== null }], profile)
  return {
    profile: {
      id: given.id,
      name: given.name,
      appliedAt: given.appliedAt.toISOString(),
      version: given.version,
      currentVersion: given.currentVersion,
    },
    ...(plan === undefined || 'refused' in plan
      ? { difference: null, problem: plan?.refused ?? 'not_found', fullPhases: [...(plan?.after?.fullPhases ?? [])] }
      : { difference: plan.difference, problem: null, fullPhases: [] }),
  }
}

/**
 * Detaches the domain from its profile; settings and records stay.
 * @throws AppError not_found
 */
export async function forgetProfile(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await setProfile(ctx, await openZone(ctx, id), null, { source: 'panel' })
}

/** How many settings, records and rules differ. */
export const countDifferences = ({ settings, records, rules }: ProfileDifference): number => settings.length + records.length + rules.length

const differs = (plan: PlannedProfile | undefined): number | null =>
  plan === undefined || 'refused' in plan || !plan.difference.areRulesRead ? null : countDifferences(plan.difference)

/**
 * The domains of a profile by name, with the number of differences for each.
 * @throws AppError not_found
 */
export async function listProfileDomains(
  ctx: Ctx,
  { id, cursor, limit }: z.output<typeof listProfileDomainsInput>,
): Promise<z.infer<typeof listProfileDomainsOutput>> {
  const profile = await getShown(ctx.db.orm, ctx.actor, id)
  const zones = await listZonesOf(ctx.db.orm, id, limit, cursor)
  const plans = await planProfiles(ctx, zones, profile)
  return {
    domains: zones.map((zone, index) => ({ id: zone.id, domain: zone.name, differs: differs(plans[index]) })),
    nextCursor: zones.length < limit ? null : (zones.at(-1)?.id ?? null),
  }
}

/**
 * How many domains of a profile differ from it, and how many are not compared.
 * @throws AppError not_found
 */
export async function countDiffering(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof countDifferingOutput>> {
  const profile = await getShown(ctx.db.orm, ctx.actor, id)
  let [differing, unread] = [0, 0]
  let domains = 0
  for (let after: string | undefined; ;) {
    const zones = await listZonesOf(ctx.db.orm, id, zonesPerBatch, after)
    const plans = await planProfiles(ctx, zones, profile)
    domains += zones.length
    const differences = plans.map(differs)
    unread += differences.filter((count) => count === null).length
    differing += differences.filter((count) => (count ?? 0) > 0).length
    after = zones.at(-1)?.id
    if (zones.length < zonesPerBatch) return { domains, differing, unread }
  }
}

/** @throws AppError not_found */
export async function listProfileDomainIds(ctx: Ctx, { id }: { readonly id: string }): Promise<{ ids: string[] }> {
  await getShown(ctx.db.orm, ctx.actor, id)
  return { ids: await listDomainIdsOf(ctx.db.orm, id) }
}
