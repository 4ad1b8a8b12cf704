import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import type { Group, GroupChanges } from '#shared/features/groups/schema.ts'
import type { GroupRow } from './groups.repo.ts'
import { getForUpdate, updateGroupRow } from './groups.repo.ts'
import { getGroup } from './list-groups.ts'

const optional = ['description', 'icon', 'color'] as const

/** @throws AppError not_found, level_too_low */
export async function updateGroup(ctx: Ctx, { id, ...given }: GroupChanges): Promise<{ group: Group }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await getForUpdate(tx, id, 'update')
    await requireLevel(ctx, { ownerId: row.ownerId, groupId: id }, 'manage')
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
      await ctx.events.publish(tx, row.ownerId, 'domains')
    }
    return getGroup(ctx, { id }, tx)
  })
}
