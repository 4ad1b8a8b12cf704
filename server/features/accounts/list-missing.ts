import type { z } from 'zod'
import { listMissingNames } from '#server/features/sync/disappearances/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { mostMissingNames } from '#shared/features/sync/disappearances/schema.ts'
import type { missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { getSummaries } from './get-account.ts'

/** The domains of an account that Cloudflare no longer lists and that are kept until that is certain. @throws AppError not_found */
export async function listMissing(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof missingNames>> {
  await getSummaries(ctx, ctx.db.orm, [id], 'view')
  return listMissingNames(ctx.db.orm, { kind: 'account', id }, mostMissingNames)
}
