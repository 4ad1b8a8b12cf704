import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { wakeSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { someAccounts, checkProgress } from '#shared/features/accounts/schema.ts'
import { getCheckProgress, listReachable, listSummaries, updateCheckRequested } from './accounts.repo.ts'
import { tellAccounts } from './tell-accounts.ts'

/**
 * Asks for a health check of these accounts, or of all that the actor sees; the workers do it.
 * @throws AppError not_found
 */
export async function checkAccounts(ctx: Ctx, input: z.output<typeof someAccounts>): Promise<z.infer<typeof checkProgress>> {
  return ctx.db.orm.transaction(async (tx) => {
    const { ids } = input
    const accounts = ids === undefined ? await listReachable(tx, ctx.actor) : await listSummaries(tx, ctx.actor, ids)
    if (accounts.length === 0) return { total: 0, done: 0, running: false }
    await updateCheckRequested(
      tx,
      accounts.map((account) => account.id),
      randomUUID(),
    )
    await wakeSync(tx)
    await tellAccounts(ctx, tx, accounts, 'accounts')
    return getCheckProgress(tx, ctx.actor)
  })
}
