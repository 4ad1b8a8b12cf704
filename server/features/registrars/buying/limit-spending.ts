import type { Transaction } from '#server/db/client.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { usdCentsOf } from '#shared/features/registrars/buying/spending.ts'
import type { MoneyView } from '#shared/features/registrars/schema.ts'
import { findSpender, lockSpender, readSpendLimits, sumPlanned, sumSpent } from './spending.repo.ts'
import type { Spender } from './spending.repo.ts'

/** @throws AppError spend_limit when the order exceeds the 24-hour limit of the person or their token */
function refuseBeyond(limitUsd: number | null, totalCents: number, ownCents: number, of: 'person' | 'token'): void {
  if (limitUsd === null || totalCents <= limitUsd * 100) return
  const spent = Math.max(0, totalCents - ownCents)
  throw new AppError('spend_limit', { params: { of, limitUsd, leftUsd: Math.max(0, limitUsd * 100 - spent) / 100 } })
}

/**
 * Runs in the transaction that confirms an order: a token needs the buy scope and stays within its limit, a person within theirs. Above the
 * configured amount for one order or a day, recent authentication is required.
 * @throws AppError buying_token_needed, spend_limit, confirmation_needed
 */
export async function confirmSpending(ctx: Ctx, tx: Transaction, operationId: string): Promise<void> {
  const { via } = ctx.actor
  if (via?.kind === 'token' && via.scope !== 'buy') throw new AppError('buying_token_needed')
  const spender: Spender = (await findSpender(tx, operationId)) ?? { userId: ctx.actor.userId, tokenId: null }
  await lockSpender(tx, spender.userId)
  const [limits, spent, own] = [await readSpendLimits(tx, spender), await sumSpent(tx, spender, true), await sumPlanned(tx, operationId)]
  refuseBeyond(limits.person, spent.person, own, 'person')
  refuseBeyond(limits.token, spent.token, own, 'token')
  const { purchaseProofUsd } = await getPanelSettings(ctx)
  if (via === undefined && spent.person > purchaseProofUsd * 100) requireRecentAuth(ctx)
}

/**
 * Runs in the transaction that writes an order. It counts purchases made since the confirmation, by any operation, and applies a limit that was
 * lowered since.
 * @throws AppError spend_limit
 */
export async function requireWithinLimits(tx: Transaction, operationId: string, price: MoneyView): Promise<void> {
  const spender = await findSpender(tx, operationId)
  if (spender === null) return
  const limits = await readSpendLimits(tx, spender)
  if (limits.person === null && limits.token === null) return
  await lockSpender(tx, spender.userId)
  const own = usdCentsOf(price) ?? Number.POSITIVE_INFINITY
  const spent = await sumSpent(tx, spender, false)
  refuseBeyond(limits.person, spent.person + own, own, 'person')
  refuseBeyond(limits.token, spent.token + own, own, 'token')
}
