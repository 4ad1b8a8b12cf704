import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { deletionPreview } from '#shared/features/accounts/schema.ts'
import { listSummaries } from './accounts.repo.ts'

/**
 * What would go from the panel with these accounts.
 * @throws AppError not_found
 */
export async function previewDeletion(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof deletionPreview>> {
  const accounts = await listSummaries(ctx.db.orm, ctx.actor, input.ids)
  return { accounts: accounts.length, domains: accounts.reduce((sum, account) => sum + account.zonesCount, 0) }
}
