import { domainToUnicode } from 'node:url'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { listPurchasesInput, Receipt } from '#shared/features/registrars/buying/schema.ts'
import { standsInTheWay } from './purchase.policy.ts'
import { isComplete, isMeant, listBought, listOpen, sumBought } from './purchases.repo.ts'

/** Purchases with their cost: the actor's own; for an administrator those of all owners. */
export async function listPurchases(ctx: Ctx, { operationId, cursor, limit }: z.output<typeof listPurchasesInput>): Promise<Receipt> {
  const query = { ownerId: ctx.actor.role === 'admin' ? null : ctx.actor.userId, operationId }
  const [rows, totals] = await Promise.all([
    listBought(ctx.db.orm, { ...query, before: cursor, limit: limit + 1 }),
    sumBought(ctx.db.orm, query),
  ])
  const shown = rows.slice(0, limit)
  return {
    purchases: shown.map(({ priceMinor, feesMinor, chargedMinor, currency, boughtAt, renewedFrom, ...row }) => {
      const total = chargedMinor ?? priceMinor
      return {
        ...row,
        displayName: domainToUnicode(row.name) || row.name,
        // Based on the amount charged, which a promotion may have reduced below the quote.
        price: { minor: feesMinor === null ? total : Math.max(0, total - feesMinor), currency },
        fees: feesMinor === null ? null : { minor: feesMinor, currency },
        total: { minor: total, currency },
        charged: chargedMinor !== null,
        renewal: renewedFrom !== null,
        boughtAt: boughtAt?.toISOString() ?? null,
      }
    }),
    totals: totals.map(({ names, minor, currency }) => ({ names, total: { minor, currency } })),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** Those of the names that a purchase of any owner is about to order, or has ordered with an unknown outcome. */
export async function listOnOrder(ctx: Ctx, names: readonly string[]): Promise<string[]> {
  const rows = await listOpen(ctx.db.orm, names)
  const states = await Promise.all(
    rows.map(async (row) => {
      if (row.state === 'intended') return isMeant(ctx.db.orm, row, row.ownerId)
      return row.state === 'sent' && standsInTheWay({ sinceMs: row.sinceMs, complete: isComplete(row) })
    }),
  )
  return rows.filter((_, index) => states[index]).map(({ name }) => name)
}
