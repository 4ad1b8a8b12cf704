import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import { publishSharesChanged, requireLevel } from '#server/platform/access-scope.ts'
import { toAccessTarget } from './tracker-view.ts'
import { deleteRow, getRow, lockBoundZones, lockOwner, lockRow, promoteOldest } from './trackers.repo.ts'

/**
 * Deletes a tracker with its mirror and releases its bindings; the tracker itself is not called and keeps its domains.
 * @throws AppError not_found, level_too_low
 */
export async function removeTracker(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  const { ownerId } = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget({ id, ownerId }), 'own')
  await ctx.db.orm.transaction(async (tx) => {
    await lockOwner(tx, ownerId)
    // Lock zones before the tracker, in the same order as binding.
    const bound = await lockBoundZones(tx, id)
    const { kind, name, url, domainsCount } = await lockRow(tx, id)
    await publishSharesChanged(ctx, tx, { trackerIds: [id] })
    await deleteRow(tx, id)
    await promoteOldest(tx, ownerId, kind)
    await writeHistory(
      tx,
      ctx,
      { source: 'panel' },
      bound.map((zone) => ({
        domainId: zone.id,
        subject: 'zone',
        key: 'tracker',
        label: 'tracker',
        before: { value: { id, name } },
        after: { value: null },
      })),
    )
    const details = { kind, url, domains: domainsCount, unbound: bound.length }
    await audit(tx, ctx, { action: 'delete', entityType: 'tracker', entityId: id, entityName: name, ownerId, details })
    await ctx.events.publish(tx, ownerId, 'trackers')
    if (bound.length > 0) await ctx.events.publish(tx, ownerId, 'domains')
  })
}
