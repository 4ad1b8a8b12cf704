import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { idempotencyKeys } from '#server/db/schema/index.ts'

/** Without a renewal for this long, a call without a response is assumed to have died with its process. */
export const answerWithinSeconds = 60
const keptHours = 24
/** Limits how many expired rows one call deletes. */
const sweptPerBatch = 100

const { userId, key, requestHash, status, answer, createdAt } = idempotencyKeys
const isOver = lt(createdAt, sql`now() - ${keptHours} * interval '1 hour'`)

/** A claimed key. The time distinguishes it from a later claim of the same key. */
export interface Claim {
  readonly userId: string
  readonly key: string
  readonly claimedAt: Date
}

const isOf = (claim: Claim) => and(eq(userId, claim.userId), eq(key, claim.key), eq(createdAt, claim.claimedAt))

/** Of any number of concurrent calls one gets the claim; null if another one has it or has answered. */
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

/** Renews the claim. Null if another call has taken over the key. */
export async function renewClaim(db: Queryable, claim: Claim): Promise<Claim | null> {
  const [renewed] = await db
    .update(idempotencyKeys)
    .set({ createdAt: sql`now()` })
    .where(and(isOf(claim), isNull(status)))
    .returning({ userId, key, claimedAt: createdAt })
  return renewed ?? null
}

/** `text` is the response body as sent, null if there was none. */
export async function findAnswer(db: Queryable, of: { readonly userId: string; readonly key: string }) {
  const [row] = await db
    .select({ requestHash, status, text: sql<string | null>`${answer} #>> '{}'` })
    .from(idempotencyKeys)
    .where(and(eq(userId, of.userId), eq(key, of.key)))
  return row ?? null
}

/** The body is stored as one JSON string, because jsonb would reorder its keys. */
export async function keepAnswer(db: Queryable, claim: Claim, given: { readonly status: number; readonly text: string | null }) {
  await db.update(idempotencyKeys).set({ status: given.status, answer: given.text }).where(isOf(claim))
}

export async function dropClaim(db: Queryable, claim: Claim): Promise<void> {
  await db.delete(idempotencyKeys).where(isOf(claim))
}

/** Deletes some expired rows. */
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
