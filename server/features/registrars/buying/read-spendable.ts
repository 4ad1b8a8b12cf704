import type { Ctx } from '#server/platform/context.ts'
import type { Money, RegistrarCall } from '#server/ports/registrar.ts'
import { readBalance } from '../connect-registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { sumReserved } from './purchases.repo.ts'

/**
 * The spendable balance, with the amount reserved by running purchases already subtracted, and that amount (R-BUY-02). A balance younger than
 * `maxAgeMs` is not requested again. Balance null: there is none, or it is not reported.
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
  // Read after the balance, so that a purchase made in between is counted rather than missed.
  const reserved = await sumReserved(ctx.db.orm, connected.registrar.credentialHash, currency, at)
  return {
    balance: { minor: Math.max(0, minor - reserved), currency },
    reserved: reserved === 0 ? null : { minor: reserved, currency },
  }
}
