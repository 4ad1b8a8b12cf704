import type { z } from 'zod'
import { listMissingNames } from '#server/features/sync/disappearances/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import { mostMissingNames } from '#shared/features/sync/disappearances/schema.ts'
import type { missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { thingOf } from '../registrar-view.ts'
import { getRow } from '../registrars.repo.ts'

/** The names that a registrar no longer lists and that are kept until that is certain. @throws AppError not_found */
export async function listMissing(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof missingNames>> {
  await requireLevel(ctx, thingOf(await getRow(ctx.db.orm, id)), 'view')
  return listMissingNames(ctx.db.orm, { kind: 'registrar', id }, mostMissingNames)
}
