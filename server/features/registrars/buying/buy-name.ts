import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/platform/context.ts'
import { sending } from '#server/platform/write-fence.ts'
import type { Confirmation, Money, Purchase, PurchaseOrder, RegisteredName, RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { acceptQuote } from '#shared/features/registrars/buying/price-rule.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { connectRegistrar, isSandbox, noteBought } from '../connect-registrar.ts'
import type { ConnectedRegistrar } from '../connect-registrar.ts'
import { forgetAnswer } from './check-names.ts'
import { getRegistrant } from './get-contact.ts'
import { requireWithinLimits } from './limit-spending.ts'
import { afterLoss, chargedMinorOf, lapsedMs, ownSinceMs, standsInTheWay } from './purchase.policy.ts'
import { findOpen, insertPurchase, isComplete, isMeant, markSent, releasePurchase, completePurchase } from './purchases.repo.ts'
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

/** One name at the price that was confirmed. */
export interface Order {
  readonly operationId: string
  /** Punycode, lower case. */
  readonly name: string
  readonly registrarId: string
  readonly contactId: string
  readonly price: Money
  readonly years: number
  readonly premium: boolean
  readonly privacy: boolean
  readonly autoRenew: boolean
  readonly endUserIp: string
}

/** State shared by the steps of one purchase. */
interface Buying {
  readonly ctx: Ctx
  readonly connected: ConnectedRegistrar
  readonly order: Order
  readonly request: PurchaseOrder
  readonly call: RegistrarCall
}

/**
 * Buys a name exactly once, however often it is called and whenever a process is killed (R-BUY-03). The current price is compared with the confirmed
 * one, the order is written down before it is sent, and after a lost response the registrar is queried before anything is sent again.
 * @throws AppError registrar_ordered when another purchase has the name, spend_limit, purchase_unclear while the outcome is unknown, purchase_pending
 * until the registry completes the order, and any refusal by the price rule or the registrar, in which case nothing is bought
 */
export async function buyName(ctx: Ctx, order: Order, call: RegistrarCall): Promise<void> {
  const connected = await connectRegistrar(ctx, order.registrarId)
  const contact = await getRegistrant(ctx, order.contactId, connected.registrar.ownerId)
  const { name, years, privacy, autoRenew, endUserIp } = order
  const buying: Buying = {
    ctx,
    connected,
    order,
    request: { name, years, contact, nameServers: [], privacy, autoRenew, endUserIp },
    call,
  }
  const row = await open(buying)
  if (row.state === 'bought') return
  forgetAnswer(connected, name)
  if (row.state === 'sent' && (await foundBought(buying, row))) return

  const confirmation = await confirm(buying, row)
  if (confirmation === null) return
  await requireSendable(ctx.db.orm, row)
  const sentAt = await markSent(ctx.db.orm, row, storeConfirmation(confirmation), confirmation.quote.fees)
  if (sentAt === null) throw unclear(connected)
  const purchase = await sending(
    () => connected.connection.register(buying.request, confirmation, call),
    (error) => unmarkSent(ctx.db.orm, row, sentAt, error),
  ).catch((error: unknown) => refuse(buying, row, sentAt, error))
  if (purchase === null) return
  if (purchase.complete) return completeOrder(buying, row, purchase)
  await completePurchase(
    ctx.db.orm,
    { id: row.id, sentAt },
    {
      state: 'sent',
      orderId: purchase.orderId,
      chargedMinor: chargedMinorOf(purchase.charged, row.currency),
      answer: { complete: false },
    },
  )
  throw pending(connected)
}

/**
 * Result of an earlier attempt: true when it was bought, and is then recorded; false when the order may be sent. @throws AppError purchase_unclear,
 * purchase_pending
 */
async function foundBought(buying: Buying, row: PurchaseRow): Promise<boolean> {
  const became = await followUp(buying, row)
  if (became?.complete === true) {
    await completeOrder(buying, row, became)
    return true
  }
  const found = await look(buying).catch((error: unknown) => {
    // Keep polling until there is a definite response, regardless of the number of attempts.
    if (!(error instanceof AppError)) throw error
    if ((error.isUnclear || error.code === 'registrar_busy') && !isOld(row)) throw unclear(buying.connected, error, 60)
    throw error
  })
  if (found !== null) {
    await completeOrder(buying, row, { orderId: row.orderId, charged: null })
    return true
  }
  await requireNotTaken(buying, row)
  return false
}

/**
 * Polls an accepted order that was not complete; null when it cannot be polled. @throws AppError when it failed, or when polling failed and the order
 * stays sent
 */
async function followUp(buying: Buying, row: PurchaseRow): Promise<Omit<Purchase, 'name'> | null> {
  const { connected, call, ctx } = buying
  if (row.orderId === null || isComplete(row) || connected.connection.followUp === null) return null
  const became = await connected.connection.followUp(row.orderId, call).catch((error: unknown) => {
    if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
    if (error.isRetryable) throw pending(connected)
    if (error.code === 'registrar_not_found') return null
    throw error
  })
  return became !== null && 'refusal' in became ? closeRefused(ctx.db.orm, row, became.refusal) : became
}

/**
 * The current price, accepted by the price rule; for a repetition, the price that was sent. Null when the name is already bought.
 * @throws AppError for a refusal by the rule or the registrar
 */
async function confirm(buying: Buying, row: PurchaseRow): Promise<Confirmation | null> {
  const { ctx, connected, order, request, call } = buying
  const confirmed = { price: order.price, years: order.years, premium: order.premium }
  const sent = row.state === 'sent' && isRepeatable(connected, row) ? readConfirmation(row, confirmed) : null
  if (sent !== null) return sent
  try {
    return { quote: acceptQuote(await connected.connection.quote(request, call), confirmed), idempotencyKey: randomUUID() }
  } catch (error) {
    if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
    // Retry a failed query; nothing was sent yet.
    if (error.isRetryable) throw error
    if (error.code === 'registrar_name_taken' && (await isTakenByUs(buying, row))) return null
    return closeRefused(ctx.db.orm, row, error)
  }
}

/** Whether the registrar lists the name since about the time of the order, which means only the response was lost. Records it as bought. */
async function isTakenByUs(buying: Buying, row: PurchaseRow): Promise<boolean> {
  const found = await look(buying)
  if (found === null || (found.createdAt !== null && found.createdAt.getTime() <= row.createdAt.getTime() - ownSinceMs)) return false
  await completeOrder(buying, row, { orderId: row.orderId, charged: null })
  return true
}

/** After this time no response is expected any more. */
const isOld = ({ sinceMs }: PurchaseRow): boolean => sinceMs > lapsedMs
const isRepeatable = ({ registrar }: ConnectedRegistrar, { quote }: PurchaseRow): boolean =>
  registrarCatalog[registrar.provider].idempotentPurchase && quote !== null

/** The ledger row: a new one, or that of an earlier attempt. */
async function open({ ctx, connected, order, call }: Buying): Promise<PurchaseRow> {
  const { orm } = ctx.db
  const { id: registrarId, ownerId } = connected.registrar
  const { operationId, name, years, price } = order
  // Try again after another owner's stale order was released.
  for (let tries = 0; tries < 2; tries += 1) {
    const row = { ownerId, registrarId, operationId, name, years, priceMinor: price.minor, currency: price.currency }
    const inserted = await orm.transaction(async (tx) => {
      if ((await findOpen(tx, name)) !== null) return null
      await requireWithinLimits(tx, operationId, price)
      return insertPurchase(tx, row)
    })
    if (inserted !== null) return inserted
    const there = await findOpen(orm, name)
    if (there?.operationId === operationId) return there
    if (there !== null) {
      const why = await reasonToRelease(ctx, connected, there, call)
      if (why === null) throw new AppError('registrar_ordered')
      await releasePurchase(orm, there, why)
    }
  }
  throw new AppError('registrar_ordered')
}

/** Why another owner's order no longer blocks the name; null while it does. */
async function reasonToRelease(ctx: Ctx, connected: ConnectedRegistrar, there: PurchaseRow, call: RegistrarCall): Promise<string | null> {
  if (there.state === 'intended') return (await isMeant(ctx.db.orm, there, connected.registrar.ownerId)) ? null : 'abandoned'
  const elsewhere = there.registrarId !== null && (await isSandbox(ctx, there.registrarId)) !== connected.registrar.sandbox
  if (!elsewhere && standsInTheWay({ sinceMs: there.sinceMs, complete: isComplete(there) })) return null
  const [answer] = await connected.connection.check([there.name], call)
  return answer?.state === 'available' ? (elsewhere ? 'sandbox' : 'lapsed') : null
}

/** The name as listed by the registrar; null when it is not listed. */
async function look({ connected, order, call }: Buying): Promise<RegisteredName | null> {
  return connected.connection.getName(order.name, call).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'registrar_not_found') return null
    throw error
  })
}

/** A registrar whose orders can be polled is queried soon; registries take longer. */
const pending = ({ connection }: ConnectedRegistrar) =>
  new AppError('purchase_pending', { params: { retryAfterSeconds: connection.followUp === null ? 600 : 30 } })

/** After an attempt that was sent and is not listed: returns only if it may be sent again. @throws AppError purchase_unclear, purchase_pending */
async function requireNotTaken({ ctx, connected, call }: Buying, row: PurchaseRow): Promise<void> {
  const next = afterLoss({ sinceMs: row.sinceMs, repeatable: isRepeatable(connected, row), complete: isComplete(row) })
  if (next === 'send') return
  if (next === 'pending') throw pending(connected)
  if (next.waitSeconds > 0) throw unclear(connected, undefined, next.waitSeconds)
  const [answer] = await connected.connection.check([row.name], call)
  if (answer?.state === 'available') return
  if (isOld(row)) return closeRefused(ctx.db.orm, row, new AppError('registrar_name_taken'))
  throw unclear(connected, undefined, 300)
}

/**
 * Records what an error means for the order. Null: it was accepted nevertheless.
 * @throws AppError
 */
async function refuse(buying: Buying, row: PurchaseRow, sentAt: Date, error: unknown): Promise<null> {
  const refusal = await requireRefusal(buying, row, sentAt, error)
  if (refusal.code === 'registrar_name_taken' && (await isTakenByUs(buying, row))) return null
  return closeRefused(buying.ctx.db.orm, { id: row.id, sentAt }, refusal)
}

/** Records the purchase, and the name in the registrar's list. */
function completeOrder({ ctx, connected, order }: Buying, row: PurchaseRow, paid: Pick<Purchase, 'orderId' | 'charged'>): Promise<void> {
  const { name, autoRenew, privacy } = order
  return recordPaid(ctx, 'bought', connected, row, order, paid, (tx) =>
    noteBought(ctx, tx, connected.registrar, { name, autoRenew, privacy }),
  )
}
