import type { Ctx } from '#server/platform/context.ts'
import { listOpenIds } from '../health/overview-reading.repo.ts'
import { scopeOf } from '../scope.ts'

/** Open incidents of a cause that the actor may deal with; `ownerId` narrows to one owner's. */
export const listOpenOfCause = async (
  ctx: Ctx,
  { cause, ownerId }: { readonly cause: string; readonly ownerId?: string | undefined },
): Promise<string[]> => listOpenIds(ctx.db.orm, await scopeOf(ctx, ownerId, 'operate'), cause)
