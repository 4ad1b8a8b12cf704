import { connectRegistrar, isSandbox, noteBought } from '#server/features/registrars/index.ts'
import type { ConnectedRegistrar } from '#server/features/registrars/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Money, RegisteredName, RegistrarCall } from '#server/ports/registrar.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { forgetAnswer } from './check-names.ts'
import { getRegistrant } from './get-contact.ts'
import { afterLoss, certainlyNotTaken, lapsedMs, mayBeTaken, ownSinceMs } from './purchase.policy.ts'
import { findOpen, insertPurchase, isMeant, markSent, releasePurchase, settlePurchase } from './purchases.repo.ts'
import type { PurchaseRow } from './purchases.repo.ts'

/** One name for one price, as it was agreed to. */
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

/**
 * Buys a name once, however often it is called and whatever is killed when (R-BUY-03): what is to be ordered is written down before it is sent, and after a
 * lost answer the registrar is asked what it has before anything is sent again.
 * @throws AppError registrar_ordered where another purchase has it, purchase_unclear while it is not known what became of an order, purchase_pending while the
 * registry has not answered, and what the registrar refuses: then nothing is bought
 */
export async function buyName(ctx: Ctx, order: Order, call: RegistrarCall): Promise<void> {
  const connected = await connectRegistrar(ctx, order.registrarId)
  const contact = await getRegistrant(ctx, order.contactId, connected.registrar.ownerId)
  const row = await open(ctx, connected, order, call)
  if (row.state === 'bought') return
  forgetAnswer(connected, order.name)
  if (row.state === 'sent') {
    const found = await look(connected, order.name, call).catch((error: unknown) => {
      // It is asked until it answers, however many tries there were before.
      if (error instanceof AppError && mayBeTaken.has(error.code) && !isOld(ctx, row)) throw unclear(connected, error, 60)
      throw error
    })
    if (found !== null) return settle(ctx, connected, order, row, { orderId: row.orderId, charged: null })
    await requireNotTaken(ctx, connected, row, call)
  }

  if (!(await markSent(ctx.db.orm, row, new Date(ctx.clock.now())))) throw unclear(connected)
  const purchase = await connected.connection
    .register(
      {
        name: order.name,
        years: order.years,
        price: order.price,
        premium: order.premium,
        contact,
        nameServers: [],
        privacy: order.privacy,
        autoRenew: order.autoRenew,
        idempotencyKey: row.id,
        endUserIp: order.endUserIp,
      },
      call,
    )
    .catch((error: unknown) => refuse(ctx, connected, order, row, error, call))
  if (purchase === null) return
  if (purchase.complete) return settle(ctx, connected, order, row, purchase)
  await settlePurchase(ctx.db.orm, row.id, {
    state: 'sent',
    orderId: purchase.orderId,
    chargedMinor: purchase.charged?.minor ?? null,
    answer: { complete: false },
  })
  throw pending()
}

/** So long after it was sent, nobody waits for an answer any more. */
const isOld = (ctx: Ctx, { sentAt }: PurchaseRow): boolean => ctx.clock.now() - (sentAt?.getTime() ?? 0) > lapsedMs

/** The line of the ledger: a new one, or that of an earlier try. */
async function open(ctx: Ctx, connected: ConnectedRegistrar, order: Order, call: RegistrarCall): Promise<PurchaseRow> {
  const { orm } = ctx.db
  const { id: registrarId, ownerId } = connected.registrar
  const { operationId, name, years, price } = order
  // A second time where somebody else's order was in the way and is not any more.
  for (let tries = 0; tries < 2; tries += 1) {
    const row = { ownerId, registrarId, operationId, name, years, priceMinor: price.minor, currency: price.currency }
    const inserted = await insertPurchase(orm, row)
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

/** Why an order of somebody else's stands in the way no longer; null: it does. */
async function reasonToRelease(ctx: Ctx, connected: ConnectedRegistrar, there: PurchaseRow, call: RegistrarCall): Promise<string | null> {
  if (there.state === 'intended') return (await isMeant(ctx.db.orm, there)) ? null : 'abandoned'
  const elsewhere = there.registrarId !== null && (await isSandbox(ctx, there.registrarId)) !== connected.registrar.sandbox
  const old = ctx.clock.now() - (there.boughtAt ?? there.sentAt ?? there.createdAt).getTime() > lapsedMs
  if (!elsewhere && !old) return null
  const [answer] = await connected.connection.check([there.name], call)
  return answer?.state === 'available' ? (elsewhere ? 'sandbox' : 'lapsed') : null
}

/** The name as the registrar has it; null: it is not with it. */
async function look({ connection }: ConnectedRegistrar, name: string, call: RegistrarCall): Promise<RegisteredName | null> {
  return connection.getName(name, call).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'registrar_not_found') return null
    throw error
  })
}

const unclear = ({ registrar }: ConnectedRegistrar, cause?: AppError, retryAfterSeconds = 5): AppError =>
  new AppError('purchase_unclear', {
    params: { retryAfterSeconds, registrar: registrar.name },
    ...(cause?.provider === undefined ? {} : { provider: cause.provider }),
    ...(cause === undefined ? {} : { cause }),
  })
const pending = () => new AppError('purchase_pending', { params: { retryAfterSeconds: 600 } })

/** An earlier try was sent, and the name is not with the registrar: lets pass what may be sent again. @throws AppError purchase_unclear, purchase_pending */
async function requireNotTaken(ctx: Ctx, connected: ConnectedRegistrar, row: PurchaseRow, call: RegistrarCall): Promise<void> {
  const { idempotentPurchase } = registrarCatalog[connected.registrar.provider]
  const next = afterLoss({
    sinceMs: ctx.clock.now() - (row.sentAt?.getTime() ?? 0),
    idempotent: idempotentPurchase,
    complete: (row.answer as { complete?: boolean } | null)?.complete !== false,
  })
  if (next === 'send') return
  if (next === 'pending') throw pending()
  if (next.waitSeconds > 0) throw unclear(connected, undefined, next.waitSeconds)
  const [answer] = await connected.connection.check([row.name], call)
  if (answer?.state === 'available') return
  if (isOld(ctx, row)) throw new AppError('registrar_name_taken')
  throw unclear(connected, undefined, 300)
}

/**
 * What an error says of the order. Null: it was taken nevertheless.
 * @throws AppError
 */
async function refuse(
  ctx: Ctx,
  connected: ConnectedRegistrar,
  order: Order,
  row: PurchaseRow,
  error: unknown,
  call: RegistrarCall,
): Promise<null> {
  if (!(error instanceof AppError) || call.signal?.aborted === true) throw error
  if (mayBeTaken.has(error.code)) throw unclear(connected, error)
  if (certainlyNotTaken.has(error.code)) {
    await settlePurchase(ctx.db.orm, row.id, { state: 'intended', sentAt: null })
    throw error
  }
  if (error.code === 'registrar_name_taken') {
    const found = await look(connected, order.name, call)
    // Taken by us: an answer that nobody heard.
    if (found !== null && (found.createdAt === null || found.createdAt.getTime() > row.createdAt.getTime() - ownSinceMs)) {
      await settle(ctx, connected, order, row, { orderId: null, charged: null })
      return null
    }
  }
  const { code, provider } = error
  await settlePurchase(ctx.db.orm, row.id, { state: 'refused', answer: { code, ...provider } })
  throw error
}

/** It is bought: the ledger, the registrar's list and the activity log say so, all or none. */
async function settle(
  ctx: Ctx,
  connected: ConnectedRegistrar,
  order: Order,
  row: PurchaseRow,
  { orderId, charged }: { readonly orderId: string | null; readonly charged: Money | null },
): Promise<void> {
  const { registrar } = connected
  const { name, price, years, autoRenew, privacy } = order
  await ctx.db.orm.transaction(async (tx) => {
    const boughtAt = new Date(ctx.clock.now())
    const chargedMinor = charged?.minor ?? row.chargedMinor
    const settled = await settlePurchase(tx, row.id, { state: 'bought', boughtAt, orderId, chargedMinor })
    if (!settled) return
    await noteBought(ctx, tx, registrar, { name, autoRenew, privacy })
    await audit(tx, ctx, {
      action: 'create',
      entityType: 'registrar',
      entityId: registrar.id,
      entityName: registrar.name,
      ownerId: registrar.ownerId,
      details: {
        bought: name,
        price: `${((charged?.minor ?? price.minor) / 100).toFixed(2)} ${charged?.currency ?? price.currency}`,
        years,
      },
    })
  })
}
