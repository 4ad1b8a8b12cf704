import { z } from 'zod'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import { money } from '#shared/features/registrars/schema.ts'
import type { Confirmation } from '#server/ports/registrar.ts'
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
