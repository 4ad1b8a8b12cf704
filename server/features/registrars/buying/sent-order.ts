import { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import { requireWritable, WriteRefused } from '#server/platform/write-fence.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import { money } from '#shared/features/registrars/schema.ts'
import type { Confirmation } from '#server/ports/registrar.ts'
import { completePurchase } from './purchases.repo.ts'
import type { PurchaseRow } from './purchases.repo.ts'

const stored = z.object({
  idempotencyKey: z.string(),
  quote: z.object({
    name: z.string(),
    years: z.int(),
    total: money,
    premium: z.boolean(),
    reference: z.string().nullable(),
  }),
})

export const storeConfirmation = (confirmation: Confirmation): z.infer<typeof stored> => stored.parse(confirmation)

/** What was sent the last time, to be sent again as it is; null: nothing, or it was decided. */
export function readConfirmation({ quote }: Pick<PurchaseRow, 'quote'>, confirmed: ConfirmedPrice): Confirmation | null {
  const known = stored.safeParse(quote)
  return known.success ? { ...known.data, quote: acceptQuote(known.data.quote, confirmed) } : null
}

/**
 * Before an order is written down as sent. One that was cancelled before it was ever sent is over: the name may be ordered again.
 * @throws the reason for which nothing may be sent any more
 */
export async function requireSendable(db: Queryable, row: PurchaseRow): Promise<void> {
  try {
    await requireWritable()
  } catch (error) {
    if (error instanceof WriteRefused && row.state === 'intended')
      await completePurchase(db, row, { state: 'refused', answer: { code: 'cancelled' } })
    throw error
  }
}

/** It was written down as sent at `sentAt`, and nothing was taken: it is again what it was. What a clear refusal means, its order says itself. */
export async function unmarkSent(
  db: Queryable,
  { id, state, sentAt: before, quote }: PurchaseRow,
  sentAt: Date,
  error: unknown,
): Promise<void> {
  if (error instanceof AppError && !error.isUnclear) return
  await completePurchase(db, { id, sentAt }, { state, sentAt: before, quote })
}
