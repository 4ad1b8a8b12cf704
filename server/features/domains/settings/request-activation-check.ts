import type { OpenZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Plans without a fee allow no more. */
const everyMs = 3_600_000

/**
 * Cloudflare is asked to look in the registry now, where the zone still waits for its name servers: once an hour at most, no matter who is the reason. What it
 * refuses is no failure: it looks on its own too, only later.
 */
export async function requestActivationCheck(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<void> {
  if (zone.status === 'active') return
  const { allowed } = await ctx.limiter.take(`activation ${zone.id}`, 1, everyMs)
  if (!allowed) return
  try {
    await zone.connection.checkActivation(zone.zoneId, call)
  } catch (error) {
    if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
  }
}
