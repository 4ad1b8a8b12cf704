import type { z } from 'zod'
import { queueSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { someAccounts } from '#shared/features/accounts/schema.ts'
import { listReachable, listSummaries } from './accounts.repo.ts'
import { tellAccounts } from './tell-accounts.ts'

/**
 * Asks for a reading of the zones of these accounts now; without ids, of all that the actor may touch.
 * @throws AppError not_found
 */
export async function syncAccounts(ctx: Ctx, input: z.infer<typeof someAccounts>): Promise<{ queued: number }> {
  return ctx.db.orm.transaction(async (tx) => {
    const accounts = input.ids === undefined ? await listReachable(tx, ctx.actor) : await listSummaries(tx, ctx.actor, input.ids)
    await queueSync(
      tx,
      accounts.map((account) => account.id),
    )
    await audit(
      tx,
      ctx,
      ...accounts.map(({ id, email, ownerId }) => ({
        action: 'sync' as const,
        entityType: 'account' as const,
        entityId: id,
        entityName: email,
        ownerId,
        details: { asked: true },
      })),
    )
    await tellAccounts(ctx, tx, accounts, 'accounts')
    return { queued: accounts.length }
  })
}
