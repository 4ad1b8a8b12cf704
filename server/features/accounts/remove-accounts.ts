import type { z } from 'zod'
import { interruptSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { deletionPreview } from '#shared/features/accounts/schema.ts'
import { deleteAccounts, listSummaries, lockAccounts } from './accounts.repo.ts'
import { tellAccounts } from './tell-accounts.ts'

/**
 * Takes the accounts and their domains out of the panel; at the provider everything stays as it is. Either all go or none.
 * @throws AppError not_found
 */
export async function removeAccounts(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof deletionPreview>> {
  return ctx.db.orm.transaction(async (tx) => {
    await lockAccounts(tx, ctx.actor, input.ids)
    const accounts = await listSummaries(tx, ctx.actor, input.ids)
    await deleteAccounts(
      tx,
      accounts.map((account) => account.id),
    )
    await audit(
      tx,
      ctx,
      ...accounts.map(({ id, email, ownerId, zonesCount }) => ({
        action: 'delete' as const,
        entityType: 'account' as const,
        entityId: id,
        entityName: email,
        ownerId,
        details: { domains: zonesCount },
      })),
    )
    await interruptSync(tx)
    await tellAccounts(ctx, tx, accounts, 'accounts', 'domains')
    return { accounts: accounts.length, domains: accounts.reduce((sum, account) => sum + account.zonesCount, 0) }
  })
}
