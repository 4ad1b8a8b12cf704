import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Group, GroupChanges } from '#shared/features/groups/schema.ts'
import { toGroup } from './group-view.ts'
import type { GroupRow } from './groups.repo.ts'
import { getForUpdate, getShown, updateGroupRow } from './groups.repo.ts'
import { tellGroups } from './tell-groups.ts'

const optional = ['description', 'icon', 'color'] as const

/** @throws AppError not_found */
export async function updateGroup(ctx: Ctx, { id, ...given }: GroupChanges): Promise<{ group: Group }> {
  return ctx.db.orm.transaction(async (tx) => {
    const row = await getForUpdate(tx, ctx.actor, id, 'update')
    const wanted: Partial<GroupRow> = {
      ...(given.name === undefined ? {} : { name: given.name }),
      ...Object.fromEntries(optional.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key] || null]]))),
    }
    const keys = (['name', ...optional] as const).filter((key) => wanted[key] !== undefined && wanted[key] !== row[key])
    if (keys.length > 0) {
      await updateGroupRow(tx, id, Object.fromEntries(keys.map((key) => [key, wanted[key]])))
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'group',
        entityId: id,
        entityName: row.name,
        ownerId: row.ownerId,
        details: Object.fromEntries(keys.map((key) => [key, { from: row[key], to: wanted[key] }])),
      })
      await tellGroups(ctx, tx, row.ownerId)
    }
    return { group: toGroup(await getShown(tx, ctx.actor, id)) }
  })
}
