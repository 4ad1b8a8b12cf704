import type { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, getAccessScope, requireLevel, sharedOf } from '#server/platform/access-scope.ts'
import type { Account, listAccountsInput } from '#shared/features/accounts/schema.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { toAccount } from './account-view.ts'
import { getShown, listOwners, listShown, listSummaries } from './accounts.repo.ts'
import type { AccountSummary } from './accounts.repo.ts'

/** @throws AppError not_found */
export async function getAccount(ctx: Ctx, { id }: { readonly id: string }, db: Queryable = ctx.db.orm): Promise<{ account: Account }> {
  const row = await getShown(db, id)
  const accessTarget = { ownerId: row.ownerId, accountId: id }
  await requireLevel(ctx, accessTarget, 'view')
  return { account: toAccount(row, sharedOf(ctx.actor, await grantsOf(ctx), accessTarget)) }
}

/**
 * All of these accounts.
 * @throws AppError not_found if one does not exist or is not accessible, level_too_low
 */
export async function getSummaries(ctx: Ctx, db: Queryable, ids: readonly string[], needed: Level): Promise<AccountSummary[]> {
  const accounts = await listSummaries(db, ids)
  for (const { id, ownerId } of accounts) await requireLevel(ctx, { ownerId, accountId: id }, needed)
  return accounts
}

/** The actor's own accounts and those shared with them, by email; all accounts for an administrator. */
export async function listAccounts(ctx: Ctx, input: z.output<typeof listAccountsInput>): Promise<{ accounts: Account[] }> {
  const scope = await getAccessScope(ctx, input, () => listOwners(ctx.db.orm))
  const [rows, grants] = await Promise.all([listShown(ctx.db.orm, scope, input), grantsOf(ctx)])
  return { accounts: rows.map((row) => toAccount(row, sharedOf(ctx.actor, grants, { ownerId: row.ownerId, accountId: row.id }))) }
}
