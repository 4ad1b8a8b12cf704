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

/** The last request, to be repeated unchanged; null when there is none or the order is decided. */
export function readConfirmation({ quote }: Pick<PurchaseRow, 'quote'>, confirmed: ConfirmedPrice): Confirmation | null {
  const known = stored.safeParse(quote)
  return known.success ? { ...known.data, quote: acceptQuote(known.data.quote, confirmed) } : null
}

/**
 * Must be called before an order is marked as sent. A cancelled order that was never sent is closed, so that the name may be ordered again.
 * @throws the reason why nothing may be sent any more
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

/** Restores the state from before the attempt at `sentAt`, which was not accepted. A definite refusal is recorded by the caller. */
export async function unmarkSent(
  db: Queryable,
  { id, state, sentAt: before, quote }: PurchaseRow,
  sentAt: Date,
  error: unknown,
): Promise<void> {
  if (error instanceof AppError && !error.isUnclear) return
  await completePurchase(db, { id, sentAt }, { state, sentAt: before, quote })
}
