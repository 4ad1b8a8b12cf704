import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import type { Group, GroupFields } from '#shared/features/groups/schema.ts'
import { toGroup } from './list-groups.ts'
import { getShown, insertGroup } from './groups.repo.ts'

/**
 * Creates an empty group owned by the actor.
 * @throws AppError limit_reached
 */
export async function createGroup(ctx: Ctx, { name, description, icon, color }: GroupFields): Promise<{ group: Group }> {
  return ctx.db.orm.transaction(async (tx) => {
    const ownerId = ctx.actor.userId
    const fields = { name, description: description || null, icon: icon ?? null, color: color || null }
    await requireRoom(tx, 'groups', ownerId)
    const id = await insertGroup(tx, { ownerId, ...fields })
    await audit(tx, ctx, { action: 'create', entityType: 'group', entityId: id, entityName: name, ownerId, details: fields })
    await ctx.events.publish(tx, ownerId, 'domains')
    return { group: toGroup(await getShown(tx, id), null) }
  })
}
