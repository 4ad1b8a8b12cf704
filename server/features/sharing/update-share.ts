import type { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Share, updateShareInput } from '#shared/features/sharing/schema.ts'
import { toShare } from './list-shares.ts'
import { deleteShare, findShare, findShareTarget, updateLevel } from './shares.repo.ts'
import type { SharedObject, ShareRow } from './shares.repo.ts'
import { recordShareChange } from './record-share-change.ts'

/**
 * The grant with its object.
 * @throws AppError not_found
 */
async function getShare(db: Queryable, id: string): Promise<{ row: ShareRow; target: SharedObject }> {
  const row = await findShare(db, id)
  const target = row === null ? null : await findShareTarget(db, row)
  if (row === null || target === null) throw new AppError('not_found')
  return { row, target }
}

/**
 * The new level applies from the commit on.
 * @throws AppError not_found, level_too_low
 */
export async function updateShare(ctx: Ctx, { id, level }: z.output<typeof updateShareInput>): Promise<{ share: Share }> {
  // Before the transaction, which then needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const { row, target } = await getShare(tx, id)
    await requireLevel(ctx, target, 'own')
    if (row.level !== level) {
      await updateLevel(tx, id, level)
      await recordShareChange(ctx, tx, target, { id: row.userId, username: row.username }, { from: row.level, to: level })
    }
    return { share: toShare({ ...row, level }) }
  })
}

/**
 * Revokes the access immediately; operations of the person stop at objects they can no longer access. Grantees may give up their own.
 * @throws AppError not_found, level_too_low
 */
export async function removeShare(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  // Before the transaction, which then needs no second connection.
  await grantsOf(ctx)
  await ctx.db.orm.transaction(async (tx) => {
    const { row, target } = await getShare(tx, id)
    if (row.userId !== ctx.actor.userId) await requireLevel(ctx, target, 'own')
    if (await deleteShare(tx, id))
      await recordShareChange(ctx, tx, target, { id: row.userId, username: row.username }, { from: row.level, to: null })
  })
}
