import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { toGroup } from './group-view.ts'
import { getForUpdate, getShown, moveZones } from './groups.repo.ts'
import { tellGroups } from './tell-groups.ts'

interface GroupZones {
  readonly id: string
  readonly zoneIds: readonly string[]
}

/**
 * Puts domains of the group's owner into the group; they leave the one they were in. All or none.
 * @throws AppError not_found
 */
export const addZones = (ctx: Ctx, input: GroupZones): Promise<{ group: Group }> => assign(ctx, input, 'add')

/**
 * Takes domains out of the group; one that is not in it stays as it is. All or none.
 * @throws AppError not_found
 */
export const removeZones = (ctx: Ctx, input: GroupZones): Promise<{ group: Group }> => assign(ctx, input, 'remove')

async function assign(ctx: Ctx, { id, zoneIds }: GroupZones, what: 'add' | 'remove'): Promise<{ group: Group }> {
  return ctx.db.orm.transaction(async (tx) => {
    const group = await getForUpdate(tx, ctx.actor, id, 'share')
    const { ownerId } = group
    const way = what === 'add' ? { from: null, to: group } : { from: id, to: null }
    const { changed, accountIds } = await moveZones(tx, { ownerId, zoneIds, ...way, actor: ctx.actor })
    if (changed > 0) {
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'group',
        entityId: id,
        entityName: group.name,
        ownerId,
        details: { [what === 'add' ? 'domainsAdded' : 'domainsRemoved']: changed },
      })
      await tellGroups(ctx, tx, ownerId, accountIds)
    }
    return { group: toGroup(await getShown(tx, ctx.actor, id)) }
  })
}
