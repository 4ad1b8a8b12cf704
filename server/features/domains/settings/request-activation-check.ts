import type { OpenZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** The limit of free plans. */
const everyMs = 3_600_000

/**
 * Asks Cloudflare to check the delegation now if the zone is pending, at most once an hour regardless of the caller. A refusal is not an
 * error, because Cloudflare also checks automatically, but later.
 */
export async function requestActivationCheck(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<void> {
  if (zone.status === 'active') return
  const { allowed } = await ctx.limiter.take(`activation ${zone.id}`, 1, everyMs)
  if (!allowed) return
  try {
    await zone.connection.checkActivation(zone.providerZoneId, call)
  } catch (error) {
    if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
  }
}
