import type { z } from 'zod'
import { findHold, refreshPart } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions, Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { refreshZoneOutput } from '#shared/features/domains/settings/schema.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { getDomain } from '../get-domain.ts'
import { refreshOriginCertificates } from '../origin-certificates/index.ts'
import { findRulesets, readRulesets } from '../rulesets/index.ts'
import { updateGone } from '../mirror/listing.repo.ts'
import { refreshSsl } from './get-ssl.ts'
import { updatePageRulesUsed } from './zone-settings.repo.ts'

type Refreshed = z.infer<typeof refreshZoneOutput>
type Part = Refreshed['read'][number]
type Outcome = Pick<Refreshed, 'read' | 'problems'>

/** Errors of the provider are added to the problems. */
async function attempt(part: Part, { read, problems }: Outcome, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    read.push(part)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.push({ part, code: error.code, message: error.provider?.message ?? null })
  }
}

/**
 * Reads the rules if they have been read before, in the Rules tab or for a profile; otherwise only counts the page rules, for display: a key
 * without this permission is not a problem.
 */
async function refreshRules(ctx: Ctx, zone: OpenZone, call: CallOptions, outcome: Outcome): Promise<void> {
  if ((await findRulesets(ctx.db.orm, zone.id)) === null) return countPageRules(ctx, zone, call)
  await attempt('rules', outcome, async () => {
    const { pageRules } = await readRulesets(ctx, zone, call)
    if (pageRules.problem === null) await updatePageRulesUsed(ctx.db.orm, zone.id, pageRules.rules.length)
  })
}

async function countPageRules(ctx: Ctx, { id, providerZoneId, connection }: OpenZone, call: CallOptions): Promise<void> {
  try {
    await updatePageRulesUsed(ctx.db.orm, id, (await connection.listPageRules(providerZoneId, call)).length)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * Reads everything about a domain from the provider now. A part that cannot be read keeps its values and is reported. A domain that no longer
 * exists there is marked as gone, unless so many are missing that a person has to decide, or has decided to keep them.
 * @throws AppError not_found
 */
export async function refreshZone(ctx: Ctx, id: string, priority: Priority = 'person'): Promise<Refreshed> {
  const zone = await openZone(ctx, id)
  const call: CallOptions = { priority }
  const outcome: Outcome = { read: [], problems: [] }
  const { problems } = outcome
  await serializeZoneChanges(id, async () => {
    // Read first: if the zone has changed, the other parts become due and are read right after.
    await attempt('zone', outcome, () => refreshPart(ctx, zone, 'zone', call))
    if (problems.some(({ code }) => code === 'provider_not_found')) {
      const hold = await findHold(ctx.db.orm, { kind: 'account', id: zone.accountId }, zone.providerZoneId)
      if (hold !== null) problems.splice(0, problems.length, { part: 'zone', code: `disappearance_${hold}`, message: null })
      else await updateGone(ctx.db.orm, zone.accountId, [zone.providerZoneId])
    } else {
      await Promise.all([
        attempt('records', outcome, () => refreshPart(ctx, zone, 'records', call)),
        attempt('settings', outcome, () => refreshPart(ctx, zone, 'settings', call)).then(() => refreshRules(ctx, zone, call, outcome)),
        attempt('ssl', outcome, async () => {
          await refreshSsl(ctx, zone, call)
          await refreshOriginCertificates(ctx, zone, call)
        }),
      ])
    }
    await ctx.events.publish(ctx.db.orm, zone.ownerId, 'domains', [zone.accountId])
  })
  return { ...(await getDomain(ctx, id)), ...outcome }
}
