import { moveZones } from '#server/features/domains/mirror/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel, grantsOf, requireLevel, getSharedScope } from '#server/platform/access-scope.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { getForUpdate } from './groups.repo.ts'
import { getGroup } from './list-groups.ts'

interface GroupZones {
  readonly id: string
  readonly zoneIds: readonly string[]
}

/**
 * Moves domains of the group's owner into the group, out of their previous one; all or none. A manager of the group may add only domains
 * that they also manage, because a group gives others access. Taking them out of another group requires owning or managing their account.
 * @throws AppError not_found, level_too_low
 */
export const addZones = (ctx: Ctx, input: GroupZones): Promise<{ group: Group }> => assign(ctx, input, 'add')

/**
 * Removes domains from the group, all or none; a domain outside it is unchanged. Managing only the group is not enough, because every user
 * with access through it would lose that access.
 * @throws AppError not_found, level_too_low
 */
export const removeZones = (ctx: Ctx, input: GroupZones): Promise<{ group: Group }> => assign(ctx, input, 'remove')

async function assign(ctx: Ctx, { id, zoneIds: domainIds }: GroupZones, what: 'add' | 'remove'): Promise<{ group: Group }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const group = await getForUpdate(tx, id, 'share')
    const { ownerId } = group
    await requireLevel(ctx, { ownerId, groupId: id }, 'manage')
    const own = (await findLevel(ctx, { ownerId })) === 'own'
    const within = own ? null : await getSharedScope(ctx, 'manage')
    const way = what === 'add' ? { from: null, to: group } : { from: id, to: null }
    const { changed, accountIds } = await moveZones(tx, { ownerId, domainIds, ...way, actor: ctx.actor, within })
    if (changed > 0) {
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'group',
        entityId: id,
        entityName: group.name,
        ownerId,
        details: { [what === 'add' ? 'domainsAdded' : 'domainsRemoved']: changed },
      })
      await ctx.events.publish(tx, ownerId, 'domains', accountIds)
    }
    return getGroup(ctx, { id }, tx)
  })
}
