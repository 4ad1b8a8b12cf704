import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { deleteGroup, getForUpdate, moveZones } from './groups.repo.ts'
import { tellGroups } from './tell-groups.ts'

/**
 * Its domains stay, without a group; the history of each tells which it had.
 * @throws AppError not_found
 */
export async function removeGroup(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const { ownerId, name } = await getForUpdate(tx, ctx.actor, id, 'update')
    const { changed } = await moveZones(tx, { ownerId, zoneIds: null, from: id, to: null, actor: ctx.actor })
    await deleteGroup(tx, id)
    await audit(tx, ctx, {
      action: 'delete',
      entityType: 'group',
      entityId: id,
      entityName: name,
      ownerId,
      details: { domains: changed },
    })
    await tellGroups(ctx, tx, ownerId)
  })
}
