import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { countOwnGroups, countOwnZones, isPerson } from './windows.repo.ts'

/**
 * The actor, or the owner an administrator selected.
 * @throws AppError not_found for another user, and when the owner does not exist
 */
export async function chooseOwner(ctx: Ctx, ownerId = ctx.actor.userId): Promise<string> {
  await requireLevel(ctx, { ownerId }, 'own')
  if (ownerId !== ctx.actor.userId && !(await isPerson(ctx.db.orm, ownerId))) throw new AppError('not_found')
  return ownerId
}

/** @throws AppError not_found when one does not exist or belongs to someone else */
export async function requireOwnGroups(db: Queryable, ownerId: string, groupIds: readonly string[] | null): Promise<void> {
  const wanted = [...new Set(groupIds ?? [])]
  if (wanted.length > 0 && (await countOwnGroups(db, ownerId, wanted)) !== wanted.length) throw new AppError('not_found')
}

/** @throws AppError not_found when one does not exist or belongs to someone else */
export async function requireOwnZones(db: Queryable, ownerId: string, domainIds: readonly string[] | null): Promise<void> {
  const wanted = [...new Set(domainIds ?? [])]
  if (wanted.length > 0 && (await countOwnZones(db, ownerId, wanted)) !== wanted.length) throw new AppError('not_found')
}
