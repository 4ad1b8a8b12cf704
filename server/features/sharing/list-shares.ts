import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Share } from '#shared/features/sharing/schema.ts'
import { findShareTarget, listShares as listRows } from './shares.repo.ts'
import type { SharedObject, ShareRow, ShareTarget } from './shares.repo.ts'

export const toShare = ({ id, groupId, accountId, registrarId, trackerId, userId, name, username, level, createdAt }: ShareRow): Share => ({
  id,
  groupId,
  accountId,
  registrarId,
  trackerId,
  user: { id: userId, name, username },
  level,
  createdAt: createdAt.toISOString(),
})

/**
 * Ensures that the actor is the owner or an administrator.
 * @throws AppError not_found, level_too_low for grantees
 */
export async function getOwnShareTarget(ctx: Ctx, db: Queryable, id: ShareTarget): Promise<SharedObject> {
  const target = await findShareTarget(db, id)
  if (target === null) throw new AppError('not_found')
  await requireLevel(ctx, target, 'own')
  return target
}

/**
 * The grants of an object, oldest first. Grantees see only their own.
 * @throws AppError not_found
 */
export async function listShares(ctx: Ctx, id: ShareTarget): Promise<{ shares: Share[] }> {
  const target = await findShareTarget(ctx.db.orm, id)
  const level = target === null ? null : await findLevel(ctx, target)
  if (level === null) throw new AppError('not_found')
  const rows = await listRows(ctx.db.orm, id)
  return { shares: rows.filter(({ userId }) => level === 'own' || userId === ctx.actor.userId).map(toShare) }
}
