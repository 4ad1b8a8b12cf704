import type { z } from 'zod'
import { queueSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf } from '#server/platform/access-scope.ts'
import type { someAccounts } from '#shared/features/accounts/schema.ts'
import { auditAccounts } from './audit-accounts.ts'
import { listOwn } from './accounts.repo.ts'
import { getSummaries } from './list-accounts.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * Queues a sync of these accounts now; without ids, of all of the actor's own.
 * @throws AppError not_found, level_too_low
 */
export async function syncAccounts(ctx: Ctx, input: z.infer<typeof someAccounts>): Promise<{ queued: number }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const accounts = input.ids === undefined ? await listOwn(tx, ctx.actor) : await getSummaries(ctx, tx, input.ids, 'operate')
    await queueSync(
      tx,
      accounts.map((account) => account.id),
    )
    await auditAccounts(tx, ctx, 'sync', accounts, () => ({ asked: true }))
    await publishAccountsChanged(ctx, tx, accounts, 'accounts')
    return { queued: accounts.length }
  })
}
