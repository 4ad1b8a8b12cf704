import { chooseOwner } from '#server/features/alerts/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { inOrder } from '#shared/features/monitoring/settings.ts'
import type { MonitoringOverride, OfOwner } from '#shared/features/monitoring/settings.ts'
import { wakeMonitoring } from './checks/schedule.repo.ts'
import { findGroup, findOverride, listOverrideRows, saveOverride } from './settings.repo.ts'
import { releaseHeld } from './incidents/notified-incidents.repo.ts'

/** Monitoring overrides of one owner's groups. @throws AppError not_found for another user */
export const listOverrides = async (ctx: Ctx, { ownerId }: OfOwner) => ({
  overrides: await listOverrideRows(ctx.db.orm, await chooseOwner(ctx, ownerId)),
})

/**
 * Sets a group's monitoring override; null removes it.
 * @throws AppError not_found, level_too_low
 */
export async function setOverride(
  ctx: Ctx,
  { groupId, override }: { readonly groupId: string; readonly override: MonitoringOverride | null },
): Promise<void> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  // An empty override is none.
  const wanted =
    override === null || Object.keys(override).length === 0
      ? null
      : { ...override, ...(override.regions === undefined ? {} : { regions: inOrder(override.regions) }) }
  await ctx.db.orm.transaction(async (tx) => {
    const group = await findGroup(tx, groupId)
    if (group === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId: group.ownerId, groupId }, 'manage')
    const before = await findOverride(tx, groupId)
    if (before === null && wanted === null) return
    await saveOverride(tx, groupId, wanted)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'group',
      entityId: groupId,
      entityName: group.name,
      ownerId: group.ownerId,
      details: { monitoring: { from: before, to: wanted } },
    })
    await releaseHeld(tx, group.ownerId, ctx.clock.now())
    await wakeMonitoring(tx, 'settings')
    await ctx.events.publish(tx, group.ownerId, 'monitoring')
  })
}
