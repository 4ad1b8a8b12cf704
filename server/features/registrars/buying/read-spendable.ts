import type { Ctx } from '#server/platform/context.ts'
import type { Money, RegistrarCall } from '#server/ports/registrar.ts'
import { readBalance } from '../connect-registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { sumReserved } from './purchases.repo.ts'

/**
 * What can be spent, and what purchases that run have still to spend: it is not in `balance` any more (R-BUY-02). A balance that was reported no longer ago than
 * `maxAgeMs` is not asked for again. Balance null: there is none, or it is not reported.
 */
export async function readSpendable(
  ctx: Ctx,
  connected: ConnectedRegistrar,
  maxAgeMs: number,
  call: RegistrarCall,
): Promise<{ readonly balance: Money | null; readonly reserved: Money | null }> {
  const reportedBalance = await readBalance(ctx, connected, maxAgeMs, call)
  if (reportedBalance === null) return { balance: null, reserved: null }
  const { minor, currency, at } = reportedBalance
  // Asked after the balance: what is bought in between is counted rather than missed.
  const reserved = await sumReserved(ctx.db.orm, connected.registrar.credentialHash, currency, at)
  return {
    balance: { minor: Math.max(0, minor - reserved), currency },
    reserved: reserved === 0 ? null : { minor: reserved, currency },
  }
}
