import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/platform/context.ts'
import { sending } from '#server/platform/write-fence.ts'
import type { Confirmation, Money, Purchase, RegisteredName, RegistrarCall, RenewalOrder } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { connectRegistrar, noteRenewed } from '../connect-registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { requireWithinLimits } from './limit-spending.ts'
import { knownAgainMs, lapsedMs, standsInTheWay } from './purchase.policy.ts'
import { findRenewal, insertPurchase, isMeant, listRenewing, markSent, releasePurchase, completePurchase } from './purchases.repo.ts'
import type { PurchaseRow } from './purchases.repo.ts'
import {
  closeRefused,
  readConfirmation,
  recordPaid,
  requireRefusal,
  requireSendable,
  storeConfirmation,
  unclear,
  unmarkSent,
} from './sent-order.ts'

/** Renewal of one name for some years, as it was confirmed. */
interface Renewal {
  readonly operationId: string
  /** Punycode, lower case. */
  readonly name: string
  readonly registrarId: string
  /** The most that may be charged for all years. */
  readonly price: Money
  readonly years: number
  readonly premium: boolean
  /** The expiry when it was confirmed: a later one shows that the name was renewed. */
  readonly expiresAt: Date
}

interface Renewing {
  readonly ctx: Ctx
  readonly connected: ConnectedRegistrar
  readonly renewal: Renewal
  readonly row: PurchaseRow
  readonly call: RegistrarCall
}

/** Registrars report dates in their own time zones; a renewal adds at least a year. */
const laterByMs = 48 * 3_600_000
const waitSeconds = 300

/**
 * Renews a name exactly once, however often it is called and whenever a process is killed. The expiry reported by the registrar is the evidence: when
 * it is later than the confirmed one, nothing is sent. The request is written down first; after a lost response it is sent again only if the
 * registrar has idempotent renewals.
 * @returns `renewed`, or `already` when it was renewed otherwise since it was confirmed
 * @throws AppError registrar_ordered while another renewal of it is running, spend_limit, purchase_unclear while the outcome is unknown,
 * renewal_unconfirmed after a day of that, and any refusal by the price rule or the registrar, in which case nothing is paid
 */
export async function renewName(ctx: Ctx, renewal: Renewal, call: RegistrarCall): Promise<'renewed' | 'already'> {
  const connected = await connectRegistrar(ctx, renewal.registrarId)
  const row = await open(ctx, connected, renewal)
  if (row.state === 'bought') return 'renewed'
  const renewing: Renewing = { ctx, connected, renewal, row, call }
  const held = await connected.connection.getName(renewal.name, call)
  if (held.expiresAt === null) {
    // Whether the sent request was accepted cannot be determined now.
    if (row.state === 'sent' && row.sinceMs < lapsedMs) throw unclear(connected, undefined, waitSeconds)
    return closeRefused(ctx.db.orm, row, new AppError('registrar_expiry_unknown'))
  }
  if (isLater(held, renewal)) {
    if (row.state === 'sent') await completeOrder(renewing, held, { orderId: row.orderId, charged: null })
    else await completePurchase(ctx.db.orm, row, { state: 'refused', answer: { code: 'renewed_since' } })
    return row.state === 'sent' ? 'renewed' : 'already'
  }
  const order: RenewalOrder = { name: renewal.name, years: renewal.years, expiresAt: held.expiresAt }
  const confirmation = row.state === 'sent' ? await confirmAgain(renewing) : await confirm(renewing, order)
  await requireSendable(ctx.db.orm, row)
  const sentAt = await markSent(ctx.db.orm, row, storeConfirmation(confirmation), confirmation.quote.fees)
  if (sentAt === null) throw unclear(connected, undefined, waitSeconds)
  const purchase = await sending(
    () => connected.connection.renew(order, confirmation, call),
    (error) => unmarkSent(ctx.db.orm, row, sentAt, error),
  ).catch(async (error: unknown) => closeRefused(ctx.db.orm, { id: row.id, sentAt }, await requireRefusal(renewing, row, sentAt, error)))
  if (!purchase.complete) throw unclear(connected, undefined, waitSeconds)
  await completeOrder(renewing, await look(renewing), purchase)
  return 'renewed'
}

/** Those of the names that are being renewed. */
export async function listOnRenewal(ctx: Ctx, names: readonly string[]): Promise<Set<string>> {
  const rows = await listRenewing(ctx.db.orm, names)
  const states = await Promise.all(rows.map((row) => stands(ctx, row, row.ownerId)))
  return new Set(rows.filter((_, index) => states[index]).map(({ name }) => name))
}

/** Whether a renewal still blocks another one. If it was accepted after all, the later expiry shows it. */
const stands = async (ctx: Ctx, row: PurchaseRow, forOwnerId: string | null): Promise<boolean> =>
  (row.state === 'sent' && standsInTheWay({ sinceMs: row.sinceMs, complete: true })) || isMeant(ctx.db.orm, row, forOwnerId)

const isLater = ({ expiresAt }: RegisteredName, confirmed: Renewal): boolean =>
  expiresAt !== null && expiresAt.getTime() > confirmed.expiresAt.getTime() + laterByMs

/** The ledger row: a new one, or that of an earlier attempt. @throws AppError registrar_ordered, spend_limit */
async function open(ctx: Ctx, { registrar }: ConnectedRegistrar, renewal: Renewal): Promise<PurchaseRow> {
  const { orm } = ctx.db
  const { operationId, name, years, price, expiresAt } = renewal
  // Try again after another stale row was released.
  for (let tries = 0; tries < 2; tries += 1) {
    const there = await findRenewal(orm, operationId, name)
    if (there !== null && there.operationId !== operationId) {
      if (await stands(ctx, there, registrar.ownerId)) throw new AppError('registrar_ordered')
      await releasePurchase(orm, there, there.state === 'sent' ? 'lapsed' : 'abandoned')
    } else if (there !== null && there.state !== 'refused') return there
    const { id: registrarId, ownerId } = registrar
    const row = {
      ownerId,
      registrarId,
      operationId,
      name,
      years,
      priceMinor: price.minor,
      currency: price.currency,
      renewedFrom: expiresAt,
    }
    const inserted = await orm.transaction(async (tx) => {
      await requireWithinLimits(tx, operationId, price)
      return insertPurchase(tx, row)
    })
    if (inserted !== null) return inserted
  }
  throw new AppError('registrar_ordered')
}

/** The current price, accepted by the price rule. @throws AppError for a refusal by the rule or the registrar */
async function confirm(renewing: Renewing, order: RenewalOrder): Promise<Confirmation> {
  const { ctx, connected, renewal, row, call } = renewing
  try {
    return { quote: acceptQuote(await connected.connection.quoteRenewal(order, call), renewal), idempotencyKey: randomUUID() }
  } catch (error) {
    if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
    // Retry a failed query; nothing was sent yet.
    if (error.isRetryable) throw error
    return closeRefused(ctx.db.orm, row, error)
  }
}

/**
 * The request of an earlier attempt, when the registrar answers a repetition with the first response. @throws AppError purchase_unclear,
 * renewal_unconfirmed
 */
async function confirmAgain(renewing: Renewing): Promise<Confirmation> {
  const { ctx, connected, renewal, row } = renewing
  const sent = readConfirmation(row, renewal)
  if (sent !== null && registrarCatalog[connected.registrar.provider].idempotentPurchase && row.sinceMs < knownAgainMs) return sent
  if (row.sinceMs < lapsedMs) throw unclear(connected, undefined, waitSeconds)
  return closeRefused(ctx.db.orm, row, new AppError('renewal_unconfirmed', { params: { registrar: connected.registrar.name } }))
}

/** The name with its new expiry; null when it cannot be read: the payment is recorded anyway, and the registrar's list is read again soon. */
const look = ({ connected, renewal, call }: Renewing): Promise<RegisteredName | null> =>
  connected.connection.getName(renewal.name, call).catch(() => null)

/** Records the renewal, and the name's new expiry in the registrar's list. */
const completeOrder = (
  { ctx, connected, renewal, row }: Renewing,
  held: RegisteredName | null,
  paid: Pick<Purchase, 'orderId' | 'charged'>,
): Promise<void> => recordPaid(ctx, 'renewed', connected, row, renewal, paid, (tx) => noteRenewed(ctx, tx, connected.registrar, held))
