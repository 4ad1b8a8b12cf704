import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { deletionPreview } from '#shared/features/accounts/schema.ts'
import { getSummaries } from './get-account.ts'

/**
 * What would go from the panel with these accounts.
 * @throws AppError not_found, level_too_low
 */
export async function previewDeletion(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof deletionPreview>> {
  const accounts = await getSummaries(ctx, ctx.db.orm, input.ids, 'own')
  return { accounts: accounts.length, domains: accounts.reduce((sum, account) => sum + account.zonesCount, 0) }
}
