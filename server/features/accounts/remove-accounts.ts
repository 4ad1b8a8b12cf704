import type { z } from 'zod'
import { interruptSync } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, publishSharesChanged } from '#server/platform/access-scope.ts'
import type { deletionPreview } from '#shared/features/accounts/schema.ts'
import { auditAccounts } from './audit-accounts.ts'
import { deleteAccounts, lockAccounts } from './accounts.repo.ts'
import { getSummaries } from './list-accounts.ts'
import { publishAccountsChanged } from './publish-accounts-changed.ts'

/**
 * What deleting these accounts would remove from the panel.
 * @throws AppError not_found, level_too_low
 */
export async function previewDeletion(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof deletionPreview>> {
  const accounts = await getSummaries(ctx, ctx.db.orm, input.ids, 'own')
  return { accounts: accounts.length, domains: accounts.reduce((sum, account) => sum + account.zonesCount, 0) }
}

/**
 * Removes the accounts and their domains from the panel, all or none; nothing changes at the provider.
 * @throws AppError not_found, level_too_low
 */
export async function removeAccounts(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof deletionPreview>> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    await lockAccounts(tx, input.ids)
    const accounts = await getSummaries(ctx, tx, input.ids, 'own')
    const accountIds = accounts.map((account) => account.id)
    await publishSharesChanged(ctx, tx, { accountIds })
    await deleteAccounts(tx, accountIds)
    await auditAccounts(tx, ctx, 'delete', accounts, ({ zonesCount }) => ({ domains: zonesCount }))
    await interruptSync(tx)
    await publishAccountsChanged(ctx, tx, accounts, 'accounts', 'domains')
    return { accounts: accounts.length, domains: accounts.reduce((sum, account) => sum + account.zonesCount, 0) }
  })
}
