import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { wakeSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf } from '#server/platform/access-scope.ts'
import type { checkProgress, someAccounts } from '#shared/features/accounts/schema.ts'
import * as repo from './accounts.repo.ts'
import { getSummaries } from './list-accounts.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * Requests a health check of these accounts, or of all of the actor's own; workers run it.
 * @throws AppError not_found, level_too_low
 */
export async function checkAccounts(ctx: Ctx, input: z.output<typeof someAccounts>): Promise<z.infer<typeof checkProgress>> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const { ids } = input
    const accounts = ids === undefined ? await repo.listOwn(tx, ctx.actor) : await getSummaries(ctx, tx, ids, 'operate')
    if (accounts.length === 0) return { total: 0, done: 0, problems: 0, running: false }
    await repo.updateCheckRequested(
      tx,
      accounts.map((account) => account.id),
      randomUUID(),
    )
    await wakeSync(tx)
    await publishAccountsChanged(ctx, tx, accounts, 'accounts')
    return repo.getCheckProgress(tx, ctx.actor)
  })
}

/** Progress of the health checks of the actor's accounts, whichever process runs them. */
export const getCheckProgress = (ctx: Ctx): Promise<z.infer<typeof checkProgress>> => repo.getCheckProgress(ctx.db.orm, ctx.actor)
