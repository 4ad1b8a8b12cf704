import { and, asc, count, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '#server/db/client.ts'
import { challenges, passkeys, recoveryCodes, totp, users } from '#server/db/schema/index.ts'

export type PasskeyRow = typeof passkeys.$inferSelect
export type ChallengeRow = typeof challenges.$inferSelect

export interface Factors {
  readonly totp: boolean
  readonly passkeys: readonly PasskeyRow[]
  readonly recoveryCodesLeft: number
}

/** Whether the person has a second factor; prepared, because every sign-in depends on it. */
export async function hasFactor({ sql: pool }: Database, userId: string): Promise<boolean> {
  const [row] = await pool<{ has: boolean }[]>`
    select exists (select from totp where user_id = ${userId}) or exists (select from passkeys where user_id = ${userId}) as has`
  return row?.has === true
}

export async function findFactors(db: Queryable, userId: string): Promise<Factors> {
  const [codes, keys, [left]] = await Promise.all([
    db.select({ userId: totp.userId }).from(totp).where(eq(totp.userId, userId)),
    db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id)),
    db
      .select({ count: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  ])
  return { totp: codes.length > 0, passkeys: keys, recoveryCodesLeft: left?.count ?? 0 }
}

export async function findPerson(db: Queryable, userId: string): Promise<typeof users.$inferSelect | null> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  return row ?? null
}

/** `email` in lower case. */
export async function findPersonByEmail(db: Queryable, email: string): Promise<typeof users.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
  return row ?? null
}

/** Serializes changes of one person's factors. */
export async function lockPerson(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

export async function findTotpSecret(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db.select({ secretSealed: totp.secretSealed }).from(totp).where(eq(totp.userId, userId))
  return row?.secretSealed ?? null
}

/** Accepts this step unless it or a later one was used before. Decided by the row update, so that of concurrent uses one succeeds. */
export async function takeTotpStep(db: Queryable, userId: string, step: number): Promise<boolean> {
  const taken = await db
    .update(totp)
    .set({ lastStep: step })
    .where(and(eq(totp.userId, userId), lt(totp.lastStep, step)))
    .returning({ userId: totp.userId })
  return taken.length > 0
}

export async function putTotp(db: Queryable, row: { readonly userId: string; readonly secretSealed: string; readonly lastStep: number }) {
  const values = { ...row, confirmedAt: new Date() }
  await db.insert(totp).values(values).onConflictDoUpdate({ target: totp.userId, set: values })
}

export async function deleteTotp(db: Queryable, userId: string): Promise<boolean> {
  return (await db.delete(totp).where(eq(totp.userId, userId)).returning({ userId: totp.userId })).length > 0
}

export async function replaceRecoveryCodes(db: Queryable, userId: string, hashes: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(db, userId)
  await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

export async function deleteRecoveryCodes(db: Queryable, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Whether this code exists and was not used before. */
export async function takeRecoveryCode(db: Queryable, userId: string, codeHash: string): Promise<boolean> {
  const taken = await db
    .update(recoveryCodes)
    .set({ usedAt: new Date() })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId })
  return taken.length > 0
}

/** Locked, so that its counter is compared by one request at a time. */
export async function findPasskeyForUpdate(tx: Transaction, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).for('update')
  return row ?? null
}

/** False if the passkey is already registered by some user. */
export async function insertPasskey(db: Queryable, row: typeof passkeys.$inferInsert): Promise<PasskeyRow | null> {
  const [inserted] = await db.insert(passkeys).values(row).onConflictDoNothing({ target: passkeys.credentialId }).returning()
  return inserted ?? null
}

export async function updatePasskey(
  db: Queryable,
  id: string,
  changes: Pick<PasskeyRow, 'counter' | 'backedUp' | 'lastUsedAt'>,
): Promise<void> {
  await db.update(passkeys).set(changes).where(eq(passkeys.id, id))
}

export async function deletePasskey(db: Queryable, userId: string, id: string): Promise<PasskeyRow | null> {
  const [row] = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()
  return row ?? null
}

export async function deletePasskeysOf(db: Queryable, userId: string): Promise<number> {
  return (await db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id })).length
}

/** Expired challenges are deleted at the same time. */
export async function insertChallenge(db: Queryable, row: typeof challenges.$inferInsert, now: Date): Promise<void> {
  await db.delete(challenges).where(lte(challenges.expiresAt, now))
  await db.insert(challenges).values(row)
}

/** Counts an attempt; null if there is no such challenge, it has expired, or has too many attempts. */
export async function tryChallenge(
  db: Queryable,
  { id, purpose, now, maxTries }: { readonly id: string; readonly purpose: string; readonly now: Date; readonly maxTries: number },
): Promise<ChallengeRow | null> {
  const [row] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(and(eq(challenges.id, id), eq(challenges.purpose, purpose), gt(challenges.expiresAt, now), lt(challenges.attempts, maxTries)))
    .returning()
  return row ?? null
}

/** Whether it still existed: of concurrent uses one succeeds. */
export async function takeChallenge(db: Queryable, id: string): Promise<boolean> {
  return (await db.delete(challenges).where(eq(challenges.id, id)).returning({ id: challenges.id })).length > 0
}

export async function deleteChallengesOf(db: Queryable, userId: string): Promise<void> {
  await db.delete(challenges).where(eq(challenges.userId, userId))
}
