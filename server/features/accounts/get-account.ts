import type { Ctx } from '#server/platform/context.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { toAccount } from './account-view.ts'
import { getShown } from './accounts.repo.ts'

/** @throws AppError not_found */
export async function getAccount(ctx: Ctx, input: { readonly id: string }): Promise<{ account: Account }> {
  return { account: toAccount(await getShown(ctx.db.orm, ctx.actor, input.id)) }
}
