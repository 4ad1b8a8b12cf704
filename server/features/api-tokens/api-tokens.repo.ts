import { and, desc, eq, isNull, lt, or } from 'drizzle-orm'
import type { Database, Queryable, Transaction, RawRow } from '#server/db/client.ts'
import { apiTokens, users } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { secondFactorDue } from '#server/platform/sessions.repo.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Everything but the hash. */
const shown = {
  id: apiTokens.id,
  userId: apiTokens.userId,
  name: apiTokens.name,
  prefix: apiTokens.prefix,
  scope: apiTokens.scope,
  spendLimitUsd: apiTokens.spendLimitUsd,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  lastAddress: apiTokens.lastAddress,
  createdAt: apiTokens.createdAt,
}
export type TokenRow = Omit<typeof apiTokens.$inferSelect, 'tokenHash'>

/** Tokens the actor may access. */
const ownedBy = (actor: UserActor) => (actor.role === 'admin' ? undefined : eq(apiTokens.userId, actor.userId))

/** Newest first. */
export const listTokensOf = (db: Queryable, actor: UserActor, userId: string): Promise<TokenRow[]> =>
  db
    .select(shown)
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), ownedBy(actor)))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))

export async function insertToken(db: Queryable, row: typeof apiTokens.$inferInsert): Promise<TokenRow> {
  const [inserted] = await db.insert(apiTokens).values(row).returning(shown)
  if (inserted === undefined) throw new Error('nothing was inserted')
  return inserted
}

/** @throws AppError not_found, also for another user's token. */
export async function deleteToken(db: Queryable, actor: UserActor, id: string): Promise<TokenRow> {
  const [row] = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.id, id), ownedBy(actor)))
    .returning(shown)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** All tokens of a person. */
export const deleteTokensOf = (tx: Transaction, userId: string): Promise<TokenRow[]> =>
  tx.delete(apiTokens).where(eq(apiTokens.userId, userId)).returning(shown)

/** The person's role, locked until the transaction ends; null if deleted or disabled. */
export async function lockRole(tx: Transaction, userId: string): Promise<UserActor['role'] | null> {
  const [row] = await tx
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
    .for('share')
  return row?.role ?? null
}

type FoundToken = RawRow<typeof apiTokens, 'id' | 'userId' | 'scope' | 'expiresAt' | 'lastUsedAt' | 'lastAddress'> &
  RawRow<typeof users, 'username' | 'name' | 'role'> & { tokenName: string; secondFactorDue: boolean }

/** The token with its current user, in one prepared statement because every API request depends on it. */
export async function findByHash({ sql }: Pick<Database, 'sql'>, hash: string) {
  const [row] = await sql<FoundToken[]>`
    select t.id, t.user_id, t.name as token_name, t.scope, t.expires_at, t.last_used_at, t.last_address, u.username, u.name, u.role,
      ${secondFactorDue(sql)} as second_factor_due
    from api_tokens t join users u on u.id = t.user_id and u.disabled_at is null where t.token_hash = ${hash}`
  return row ?? null
}

/** Of many concurrent uses, one is stored. */
export async function touchToken(
  db: Queryable,
  id: string,
  use: { readonly at: Date; readonly address: string | null; readonly unlessSince: Date },
): Promise<void> {
  const { lastUsedAt } = apiTokens
  await db
    .update(apiTokens)
    .set({ lastUsedAt: use.at, lastAddress: use.address })
    .where(and(eq(apiTokens.id, id), or(isNull(lastUsedAt), lt(lastUsedAt, use.unlessSince))))
}
