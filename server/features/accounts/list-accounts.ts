import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { Account, listAccountsInput } from '#shared/features/accounts/schema.ts'
import { toAccount } from './account-view.ts'
import { listShown } from './accounts.repo.ts'

/** The actor's accounts, an administrator's being everybody's; by email. */
export async function listAccounts(ctx: Ctx, input: z.output<typeof listAccountsInput>): Promise<{ accounts: Account[] }> {
  return { accounts: (await listShown(ctx.db.orm, ctx.actor, input)).map(toAccount) }
}
