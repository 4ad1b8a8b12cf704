import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { queueSync } from './tracker-domains.repo.ts'
import { isEnabled, toAccessTarget, toTracker } from './tracker-view.ts'
import { getShown, lockRow } from './trackers.repo.ts'

/** Schedules a reading of the domain list. @throws AppError not_found, level_too_low, tracker_disabled */
export async function requestSync(ctx: Ctx, { id }: { readonly id: string }): Promise<{ tracker: Tracker }> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    await requireLevel(ctx, toAccessTarget(row), 'operate')
    if (!isEnabled(row)) throw new AppError('tracker_disabled')
    await queueSync(tx, id, new Date(ctx.clock.now()))
    await audit(tx, ctx, {
      action: 'sync',
      entityType: 'tracker',
      entityId: id,
      entityName: row.name,
      ownerId: row.ownerId,
      details: { asked: true },
    })
    await ctx.events.publish(tx, row.ownerId, 'trackers')
    return { tracker: await toTracker(ctx, await getShown(tx, id)) }
  })
}
