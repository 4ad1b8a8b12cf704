import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, reachOf, sharedOf } from '#server/platform/reach.ts'
import type { Account, listAccountsInput } from '#shared/features/accounts/schema.ts'
import { toAccount } from './account-view.ts'
import { listOwners, listShown } from './accounts.repo.ts'

/** The actor's accounts and those that are shared with them; to an administrator everybody's; by email. */
export async function listAccounts(ctx: Ctx, input: z.output<typeof listAccountsInput>): Promise<{ accounts: Account[] }> {
  const reach = await reachOf(ctx, input, () => listOwners(ctx.db.orm))
  const [rows, grants] = await Promise.all([listShown(ctx.db.orm, reach, input), grantsOf(ctx)])
  return { accounts: rows.map((row) => toAccount(row, sharedOf(ctx.actor, grants, { ownerId: row.ownerId, accountId: row.id }))) }
}
