import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { now } from '#server/platform/process-clocks.repo.ts'
import { purchases, registrars } from '#server/db/schema/index.ts'
import { restsMs } from './purchase.policy.ts'

export type PurchaseRow = typeof purchases.$inferSelect & {
  /** Since it was bought, else sent, else created; by the database clock, because several processes compare it. */
  readonly sinceMs: number
}

/** False when the registrar accepted the order and waits for the registry. */
export const isComplete = ({ answer }: Pick<PurchaseRow, 'answer'>): boolean =>
  (answer as { complete?: boolean } | null)?.complete !== false

/** The driver reads timestamps with millisecond precision, as they are written. */
const isSentAt = ({ sentAt }: Pick<PurchaseRow, 'sentAt'>) => (sentAt === null ? isNull(purchases.sentAt) : eq(purchases.sentAt, sentAt))

const isPurchase = isNull(purchases.renewedFrom)

const columns = {
  ...getTableColumns(purchases),
  sinceMs: sql<number>`extract(epoch from ${now} - coalesce(${purchases.boughtAt}, ${purchases.sentAt}, ${purchases.createdAt}))::float8 * 1000`,
}

/** Null when the name is already on order: the indexes allow one purchase that is not refused and one undecided renewal per name. */
export async function insertPurchase(db: Queryable, row: typeof purchases.$inferInsert): Promise<PurchaseRow | null> {
  const [inserted] = await db.insert(purchases).values(row).onConflictDoNothing().returning(columns)
  return inserted ?? null
}

/** The purchase of a name that is not refused, of any owner. */
export async function findOpen(db: Queryable, name: string): Promise<PurchaseRow | null> {
  const [row] = await db
    .select(columns)
    .from(purchases)
    .where(and(eq(purchases.name, name), isPurchase, ne(purchases.state, 'refused')))
  return row ?? null
}

/** The undecided renewal of a name, of any owner; otherwise the renewal by this operation in any state. */
export async function findRenewal(db: Queryable, operationId: string, name: string): Promise<PurchaseRow | null> {
  const undecided = inArray(purchases.state, ['intended', 'sent'])
  const [row] = await db
    .select(columns)
    .from(purchases)
    .where(and(eq(purchases.name, name), isNotNull(purchases.renewedFrom), or(undecided, eq(purchases.operationId, operationId))))
    .orderBy(desc(undecided), desc(purchases.id))
    .limit(1)
  return row ?? null
}

/** The undecided renewals of these names. */
export async function listRenewing(db: Queryable, names: readonly string[]): Promise<PurchaseRow[]> {
  if (names.length === 0) return []
  return db
    .select(columns)
    .from(purchases)
    .where(and(inArray(purchases.name, [...names]), isNotNull(purchases.renewedFrom), inArray(purchases.state, ['intended', 'sent'])))
}

/** The open purchases of these names, of any owner. */
export async function listOpen(db: Queryable, names: readonly string[]): Promise<PurchaseRow[]> {
  if (names.length === 0) return []
  return db
    .select(columns)
    .from(purchases)
    .where(and(inArray(purchases.name, [...names]), isPurchase, ne(purchases.state, 'refused')))
}

/**
 * Marks the row as sent before sending. Null when another worker marked it since `row` was read, so that two never send concurrently.
 * @returns the row's new send time, which the sender needs to record the outcome
 */
export async function markSent(db: Queryable, row: PurchaseRow, quote: unknown, feesMinor: number | null = null): Promise<Date | null> {
  const [changed] = await db
    .update(purchases)
    // Strictly later than before, even within one millisecond, because the time identifies the attempt.
    .set({
      state: 'sent',
      quote,
      ...(feesMinor === null ? {} : { feesMinor }),
      sentAt: sql`greatest(${now}, ${purchases.sentAt} + interval '1 millisecond')`,
    })
    .where(and(eq(purchases.id, row.id), inArray(purchases.state, ['intended', 'sent']), isSentAt(row)))
    .returning({ sentAt: purchases.sentAt })
  return changed?.sentAt ?? null
}

/**
 * Records the outcome of an undecided order; false when it is already decided. The request is kept only as long as it may be sent again. That the
 * name was bought is true for any attempt; any other outcome is accepted only from the latest sender, because it says nothing about later attempts.
 */
export async function completePurchase(
  db: Queryable,
  row: Pick<PurchaseRow, 'id' | 'sentAt'>,
  changes: Pick<PurchaseRow, 'state'> & Partial<Pick<PurchaseRow, 'orderId' | 'chargedMinor' | 'answer' | 'sentAt' | 'quote'>>,
): Promise<boolean> {
  const changed = await db
    .update(purchases)
    .set({
      ...changes,
      ...(changes.state === 'bought' ? { boughtAt: now } : {}),
      ...(changes.state === 'sent' ? {} : { quote: null }),
    })
    .where(
      and(eq(purchases.id, row.id), inArray(purchases.state, ['intended', 'sent']), changes.state === 'bought' ? undefined : isSentAt(row)),
    )
    .returning({ id: purchases.id })
  return changed.length > 0
}

/**
 * Whether an operation still intends to send this order.
 * @param forOwnerId the owner asking: an order paused for long does not block another owner, who cannot resume it
 */
export async function isMeant(
  db: Queryable,
  { operationId, name, ownerId, sinceMs }: Pick<PurchaseRow, 'operationId' | 'name' | 'ownerId' | 'sinceMs'>,
  forOwnerId: string | null,
): Promise<boolean> {
  const mayRest = ownerId === forOwnerId || sinceMs <= restsMs
  const rows = await db.execute(sql`
    select from operation_items i join operations o on o.id = i.operation_id
    where i.operation_id = ${operationId}::uuid and i.name = ${name} and i.state in ('pending', 'running', 'waiting')
      and (o.state in ('queued', 'running', 'waiting') or (${mayRest} and o.state = 'paused')) limit 1`)
  return rows.length > 0
}

/**
 * Amount that purchases still have to spend, or have spent since `since`, from the balance behind a credential. It covers all owners, because
 * registrars with the same credential share the money.
 */
export async function sumReserved(db: Queryable, credentialHash: string, currency: string, since: Date): Promise<number> {
  const [row] = await db.execute<{ minor: number }>(sql`
    select coalesce(sum(minor), 0)::float8 as minor from (
      select (i.plan #>> '{work,price,minor}')::bigint as minor
      from operations o join operation_items i on i.operation_id = o.id
        join registrars r on r.id::text = case o.kind when 'renew' then i.account_id::text else i.plan #>> '{work,registrarId}' end
      where o.kind in ('buy', 'renew') and o.state in ('queued', 'running', 'waiting', 'paused') and i.state in ('pending', 'running', 'waiting')
        and r.credential_hash = ${credentialHash} and i.plan #>> '{work,price,currency}' = ${currency}
        and not exists (select from purchases p where p.operation_id = o.id and p.name = i.name and p.state = 'bought')
      union all
      select coalesce(p.charged_minor, p.price_minor) from purchases p join registrars r on r.id = p.registrar_id
      where r.credential_hash = ${credentialHash} and p.currency = ${currency} and p.state = 'bought'
        and p.bought_at > ${since.toISOString()}::timestamptz
    ) s`)
  return row?.minor ?? 0
}

/** Releases the name for another order, unless the old one was sent again since it was read; its known outcome is kept. */
export async function releasePurchase(db: Queryable, row: PurchaseRow, why: string): Promise<void> {
  await db
    .update(purchases)
    .set({ state: 'refused', quote: null, answer: { ...(row.answer as object | null), was: row.state, released: why } })
    .where(and(eq(purchases.id, row.id), eq(purchases.state, row.state), isSentAt(row)))
}

interface BoughtQuery {
  /** Null: all owners. */
  readonly ownerId: string | null
  readonly operationId?: string | undefined
}
const boughtBy = ({ ownerId, operationId }: BoughtQuery) =>
  and(
    eq(purchases.state, 'bought'),
    ownerId === null ? undefined : eq(purchases.ownerId, ownerId),
    operationId === undefined ? undefined : eq(purchases.operationId, operationId),
  )

/** Newest first; `before` is the id of the last row of the previous page, as ids increase with time. */
export const listBought = (db: Queryable, query: BoughtQuery & { readonly before?: string | undefined; readonly limit: number }) =>
  db
    .select({
      id: purchases.id,
      operationId: purchases.operationId,
      name: purchases.name,
      registrarId: purchases.registrarId,
      registrar: registrars.name,
      renewedFrom: purchases.renewedFrom,
      years: purchases.years,
      priceMinor: purchases.priceMinor,
      feesMinor: purchases.feesMinor,
      chargedMinor: purchases.chargedMinor,
      currency: purchases.currency,
      orderId: purchases.orderId,
      boughtAt: purchases.boughtAt,
    })
    .from(purchases)
    .leftJoin(registrars, eq(registrars.id, purchases.registrarId))
    .where(and(boughtBy(query), query.before === undefined ? undefined : lt(purchases.id, query.before)))
    .orderBy(desc(purchases.id))
    .limit(query.limit)

/** One row per currency. */
export const sumBought = (db: Queryable, query: BoughtQuery): Promise<{ currency: string; names: number; minor: number }[]> =>
  db
    .select({
      currency: purchases.currency,
      names: sql<number>`count(*)::int`,
      minor: sql<number>`sum(coalesce(${purchases.chargedMinor}, ${purchases.priceMinor}))::float8`,
    })
    .from(purchases)
    .where(boughtBy(query))
    .groupBy(purchases.currency)
    .orderBy(purchases.currency)
