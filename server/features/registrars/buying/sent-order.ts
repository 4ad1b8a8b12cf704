import { z } from 'zod'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireWritable, WriteRefused } from '#server/platform/write-fence.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import { money } from '#shared/features/registrars/schema.ts'
import type { Confirmation, Money, Purchase, RegistrarCall } from '#server/ports/registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { chargedMinorOf, isOfTheCredential } from './purchase.policy.ts'
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

export const unclear = ({ registrar }: ConnectedRegistrar, cause?: AppError, retryAfterSeconds = 5): AppError =>
  new AppError('purchase_unclear', {
    params: { retryAfterSeconds, registrar: registrar.name },
    ...(cause?.provider === undefined ? {} : { provider: cause.provider }),
    ...(cause === undefined ? {} : { cause }),
  })

/** Records that nothing was paid, so that the name may be ordered again. */
export async function closeRefused(db: Queryable, row: Pick<PurchaseRow, 'id' | 'sentAt'>, error: AppError): Promise<never> {
  const { code, provider } = error
  await completePurchase(db, row, { state: 'refused', answer: { code, ...provider } })
  throw error
}

/**
 * The definite refusal of the attempt at `sentAt`, still to be recorded. After any other error the order stays open.
 * @throws AppError
 */
export async function requireRefusal(
  { ctx, connected, call }: { readonly ctx: Ctx; readonly connected: ConnectedRegistrar; readonly call: RegistrarCall },
  row: PurchaseRow,
  sentAt: Date,
  error: unknown,
): Promise<AppError> {
  if (!(error instanceof AppError)) throw error
  if (error.isUnclear) throw call.signal?.aborted === true ? error : unclear(connected, error)
  const before = row.state === 'sent' && error.code !== 'registrar_quote_expired'
  if (!error.isRetryable && !(before && isOfTheCredential(error))) return error
  // This attempt was not accepted, but an earlier one may have been, so its state is kept.
  const now = { id: row.id, sentAt }
  await completePurchase(ctx.db.orm, now, before ? { state: 'sent', sentAt: row.sentAt } : { state: 'intended', sentAt: null })
  throw error
}

/** Records an accepted order in the ledger, the registrar's list (by `note`) and the activity log in one transaction. */
export async function recordPaid(
  ctx: Ctx,
  kind: 'bought' | 'renewed',
  { registrar }: ConnectedRegistrar,
  row: PurchaseRow,
  { name, price, years }: { readonly name: string; readonly price: Money; readonly years: number },
  { orderId, charged }: Pick<Purchase, 'orderId' | 'charged'>,
  note: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const chargedMinor = chargedMinorOf(charged, row.currency) ?? row.chargedMinor
    if (!(await completePurchase(tx, row, { state: 'bought', orderId, chargedMinor }))) return
    await note(tx)
    await audit(tx, ctx, {
      action: kind === 'bought' ? 'create' : 'update',
      entityType: 'registrar',
      entityId: registrar.id,
      entityName: registrar.name,
      ownerId: registrar.ownerId,
      details: {
        ...(kind === 'bought' ? { bought: name } : { renewed: name }),
        price: `${((charged?.minor ?? price.minor) / 100).toFixed(2)} ${charged?.currency ?? price.currency}`,
        years,
      },
    })
  })
}
