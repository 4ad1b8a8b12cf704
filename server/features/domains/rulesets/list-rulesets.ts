import { findProfilesOfRules } from '#server/features/profiles/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { ZoneRulesets } from '#shared/features/domains/rulesets/schema.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { readRulesets } from './reading/index.ts'
import { findRulesets } from './rulesets.repo.ts'
import { toAnswer } from './stored-rulesets.ts'

const read = (ctx: Ctx, zone: OpenZone) => serializeZoneChanges(zone.id, () => readRulesets(ctx, zone, { priority: 'person' }))

/**
 * The rules of a zone as of the last reading; the first time they are read from the provider.
 * @throws AppError not_found, provider_*
 */
export async function listRulesets(ctx: Ctx, id: string): Promise<ZoneRulesets> {
  const zone = await openZone(ctx, id, 'view')
  const mirror = (await findRulesets(ctx.db.orm, id)) ?? (await read(ctx, zone))
  return toAnswer(mirror, zone.plan, await findProfilesOfRules(ctx, zone.ownerId))
}

/**
 * The current rules at the provider.
 * @throws AppError not_found, provider_*
 */
export async function refreshRulesets(ctx: Ctx, id: string): Promise<ZoneRulesets> {
  const zone = await openZone(ctx, id)
  return toAnswer(await read(ctx, zone), zone.plan, await findProfilesOfRules(ctx, zone.ownerId))
}
