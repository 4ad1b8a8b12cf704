import type { z } from 'zod'
import { refreshPart } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions, Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { refreshZoneOutput } from '#shared/features/domains/settings/schema.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { getDomain } from '../get-domain.ts'
import { updateGone } from '../mirror/listing.repo.ts'
import { refreshSsl } from './get-ssl.ts'
import { updatePageRulesUsed } from './zone-settings.repo.ts'

type Refreshed = z.infer<typeof refreshZoneOutput>
type Problem = Refreshed['problems'][number]

/** Null where the provider refused or did not answer; that goes to the problems. */
async function attempt(part: Problem['part'], problems: Problem[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.push({ part, code: error.code, message: error.provider?.message ?? null })
  }
}

/** Counted for show: a key that may not see them is no problem. */
async function countPageRules(ctx: Ctx, { id, zoneId, connection }: OpenZone, call: CallOptions): Promise<void> {
  try {
    await updatePageRulesUsed(ctx.db.orm, id, await connection.countPageRules(zoneId, call))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * Reads all that is known about a domain from the provider now. What cannot be read stays as it was and is reported by its part.
 * @throws AppError not_found
 */
export async function refreshZone(ctx: Ctx, id: string, priority: Priority = 'person'): Promise<Refreshed> {
  const zone = await openZone(ctx, id)
  const call: CallOptions = { priority }
  const problems: Problem[] = []
  await serializeZoneChanges(id, async () => {
    // First: the others become due when the zone turns out to have changed, and are read right after.
    await attempt('zone', problems, () => refreshPart(ctx, zone, 'zone', call))
    if (problems.some(({ code }) => code === 'provider_not_found')) {
      await updateGone(ctx.db.orm, zone.accountId, [zone.zoneId])
    } else {
      await Promise.all([
        attempt('records', problems, () => refreshPart(ctx, zone, 'records', call)),
        attempt('settings', problems, () => refreshPart(ctx, zone, 'settings', call)).then(() => countPageRules(ctx, zone, call)),
        attempt('ssl', problems, () => refreshSsl(ctx, zone, call)),
      ])
    }
    await ctx.events.publish(ctx.db.orm, zone.ownerId, 'domains', [zone.accountId])
  })
  return { ...(await getDomain(ctx, id)), problems }
}
