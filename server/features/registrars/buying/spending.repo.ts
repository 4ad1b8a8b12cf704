import { eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { now } from '#server/platform/process-clocks.repo.ts'
import { apiTokens, operations, users } from '#server/db/schema/index.ts'
import { centsPerMinor } from '#shared/features/registrars/buying/spending.ts'

/** The person who spends, and the token used on their behalf. */
export interface Spender {
  readonly userId: string
  readonly tokenId: string | null
}
interface SpendLimits {
  /** Whole US dollars per 24 hours; null: no limit. */
  readonly person: number | null
  readonly token: number | null
}

/** Serializes the orders of one person until the transaction ends. */
export async function lockSpender(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`spending of ${userId}`}, 0))`)
}

export async function findSpender(db: Queryable, operationId: string): Promise<Spender | null> {
  const [row] = await db
    .select({ userId: operations.actorId, tokenId: operations.tokenId })
    .from(operations)
    .where(eq(operations.id, operationId))
  return row === undefined || row.userId === null ? null : { userId: row.userId, tokenId: row.tokenId }
}

export async function readSpendLimits(db: Queryable, { userId, tokenId }: Spender): Promise<SpendLimits> {
  const [user] = await db.select({ limit: users.spendLimitUsd }).from(users).where(eq(users.id, userId))
  const [token] =
    tokenId === null ? [] : await db.select({ limit: apiTokens.spendLimitUsd }).from(apiTokens).where(eq(apiTokens.id, tokenId))
  return { person: user?.limit ?? null, token: token?.limit ?? null }
}

const rates = sql.join(
  Object.entries(centsPerMinor).map(([currency, rate]) => sql.raw(`when '${currency}' then ${rate}`)),
  sql` `,
)
/** In US cents; a currency without a rate counts as so much that it exceeds every limit. */
const cents = (minor: SQL, currency: SQL) => sql`ceil(${minor} * (case ${currency} ${rates} else 1e9 end))`
const itemCents = cents(sql`(i.plan #>> '{work,price,minor}')::bigint`, sql`i.plan #>> '{work,price,currency}'`)

interface Spent {
  /** By the person, and by the token on their behalf. */
  readonly person: number
  readonly token: number
}

/**
 * US cents ordered in the last 24 hours. With `withPlanned`, the remaining orders of confirmed operations are included; otherwise only names whose
 * order is written down.
 */
export async function sumSpent(db: Queryable, { userId, tokenId }: Spender, withPlanned: boolean): Promise<Spent> {
  const [row] = await db.execute<{ person: number; token: number }>(sql`
    select coalesce(sum(cents), 0)::float8 as person, coalesce(sum(cents) filter (where token_id = ${tokenId}::uuid), 0)::float8 as token from (
      select ${cents(sql`coalesce(p.charged_minor, p.price_minor)`, sql`p.currency`)} as cents, o.token_id
      from purchases p join operations o on o.id = p.operation_id
      where o.actor_id = ${userId}::uuid and coalesce(p.bought_at, p.sent_at, p.created_at) > ${now} - interval '24 hours'
        and (p.state in ('sent', 'bought')${
          withPlanned
            ? sql``
            : sql` or (p.state = 'intended' and exists (
              select from operation_items i where i.operation_id = o.id and i.name = p.name and i.state in ('pending', 'running', 'waiting')))`
        })
      ${
        withPlanned
          ? sql`union all
      select ${itemCents}, o.token_id
      from operations o join operation_items i on i.operation_id = o.id
      where o.actor_id = ${userId}::uuid and o.kind in ('buy', 'renew') and o.state in ('queued', 'running', 'waiting', 'paused')
        and i.state in ('pending', 'running', 'waiting')
        and not exists (select from purchases p where p.operation_id = o.id and p.name = i.name and p.state in ('sent', 'bought'))`
          : sql``
      }
    ) s`)
  return { person: row?.person ?? 0, token: row?.token ?? 0 }
}

/** US cents that an operation still has to order. */
export async function sumPlanned(db: Queryable, operationId: string): Promise<number> {
  const [row] = await db.execute<{ cents: number }>(sql`
    select coalesce(sum(${itemCents}), 0)::float8 as cents from operation_items i
    where i.operation_id = ${operationId}::uuid and i.state in ('pending', 'running', 'waiting')`)
  return row?.cents ?? 0
}
