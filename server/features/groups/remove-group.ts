import { moveZones } from '#server/features/domains/mirror/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, publishSharesChanged, requireLevel } from '#server/platform/access-scope.ts'
import { deleteGroup, getForUpdate } from './groups.repo.ts'

/**
 * Deletes a group. Its domains stay, and their histories record the group's name.
 * @throws AppError not_found, level_too_low
 */
export async function removeGroup(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  await ctx.db.orm.transaction(async (tx) => {
    const { ownerId, name } = await getForUpdate(tx, id, 'update')
    await requireLevel(ctx, { ownerId, groupId: id }, 'own')
    const { changed } = await moveZones(tx, { ownerId, domainIds: null, from: id, to: null, actor: ctx.actor, within: null })
    await publishSharesChanged(ctx, tx, { groupIds: [id] })
    await deleteGroup(tx, id)
    await audit(tx, ctx, {
      action: 'delete',
      entityType: 'group',
      entityId: id,
      entityName: name,
      ownerId,
      details: { domains: changed },
    })
    await ctx.events.publish(tx, ownerId, 'domains')
  })
}
