import { getChangedDomain } from '#server/features/domains/index.ts'
import { openZone } from '#server/features/zone-access/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { recordZoneChange } from './record-zone-change.ts'
import type { ZoneChangeOptions } from './record-zone-change.ts'
import { findGroup, findGroupName, updateGroup } from './zone-settings.repo.ts'

/**
 * Null takes the domain out of its group. A group may let others in, so it takes who manages both.
 * @throws AppError not_found, also for a group of somebody else than the domain's owner; level_too_low
 */
export async function setGroup(
  ctx: Ctx,
  { id, groupId }: { readonly id: string; readonly groupId: string | null },
  history?: ZoneChangeOptions,
): Promise<{ zone: Domain }> {
  const zone = await openZone(ctx, id, 'manage')
  if (groupId !== null) await requireLevel(ctx, { ownerId: zone.ownerId, groupId }, 'manage')
  await ctx.db.orm.transaction(async (tx) => {
    const group = groupId === null ? null : await findGroup(tx, groupId, zone.ownerId)
    if (groupId !== null && group === null) throw new AppError('not_found')
    const beforeId = await updateGroup(tx, id, groupId)
    if (beforeId === undefined) throw new AppError('not_found')
    const before = beforeId === null ? null : { id: beforeId, name: await findGroupName(tx, beforeId) }
    await recordZoneChange(ctx, tx, zone, { key: 'group', before, after: group }, history)
  })
  return getChangedDomain(ctx, id)
}
