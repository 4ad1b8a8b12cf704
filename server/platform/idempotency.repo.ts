import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { idempotencyKeys } from '#server/db/schema/index.ts'

/** After this without renewal a call that has not answered is thought to have died with its process. */
export const answerWithinSeconds = 60
const keptHours = 24
/** One call should not wait for everything that is over to be forgotten. */
const sweptPerBatch = 100

const { userId, key, requestHash, status, answer, createdAt } = idempotencyKeys
const isOver = lt(createdAt, sql`now() - ${keptHours} * interval '1 hour'`)

/** A key that is being answered for. The time distinguishes it from one who took the key over later. */
export interface Claim {
  readonly userId: string
  readonly key: string
  readonly claimedAt: Date
}

const isOf = (claim: Claim) => and(eq(userId, claim.userId), eq(key, claim.key), eq(createdAt, claim.claimedAt))

/** Of any number of calls concurrently one gets the claim; null where another has it, or has answered. */
export async function claimKey(db: Queryable, row: { userId: string; key: string; requestHash: string }): Promise<Claim | null> {
  const isDead = and(
    isNull(status),
    eq(requestHash, row.requestHash),
    lt(createdAt, sql`now() - ${answerWithinSeconds} * interval '1 second'`),
  )
  const [claim] = await db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [userId, key],
      set: { requestHash: row.requestHash, status: null, answer: null, createdAt: sql`now()` },
      setWhere: sql`${isOver} or ${isDead}`,
    })
    .returning({ userId, key, claimedAt: createdAt })
  return claim ?? null
}

/** Shows that the call is still being answered. Null where another call has taken the key over. */
export async function renewClaim(db: Queryable, claim: Claim): Promise<Claim | null> {
  const [renewed] = await db
    .update(idempotencyKeys)
    .set({ createdAt: sql`now()` })
    .where(and(isOf(claim), isNull(status)))
    .returning({ userId, key, claimedAt: createdAt })
  return renewed ?? null
}

/** `text` is the body as it was sent, null where there was none. */
export async function findAnswer(db: Queryable, of: { readonly userId: string; readonly key: string }) {
  const [row] = await db
    .select({ requestHash, status, text: sql<string | null>`${answer} #>> '{}'` })
    .from(idempotencyKeys)
    .where(and(eq(userId, of.userId), eq(key, of.key)))
  return row ?? null
}

/** The body is kept as one JSON string: as JSON of its own its keys would change their order. */
export async function keepAnswer(db: Queryable, claim: Claim, given: { readonly status: number; readonly text: string | null }) {
  await db.update(idempotencyKeys).set({ status: given.status, answer: given.text }).where(isOf(claim))
}

export async function dropClaim(db: Queryable, claim: Claim): Promise<void> {
  await db.delete(idempotencyKeys).where(isOf(claim))
}

/** Forgets some of what is over. */
export async function sweepKeys(db: Queryable): Promise<void> {
  const over = db
    .select({ at: sql`ctid` })
    .from(idempotencyKeys)
    .where(isOver)
    .orderBy(createdAt)
    .limit(sweptPerBatch)
    .for('update', { skipLocked: true })
  await db.delete(idempotencyKeys).where(inArray(sql`ctid`, over))
}
