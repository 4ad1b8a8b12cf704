import type { Ctx } from '#server/platform/context.ts'
import { findLevel, requireLevel } from '#server/platform/access-scope.ts'
import type { TrackerConnection } from '#server/ports/ad-tracker.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { accessOf } from './tracker-key.ts'
import { toAccessTarget } from './tracker-view.ts'
import { getRow } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

export interface ConnectedTracker {
  readonly tracker: TrackerRow
  readonly connection: TrackerConnection
}

/**
 * A tracker the actor may work with, with its client; nothing is sent yet.
 * @throws AppError not_found, level_too_low, tracker_disabled
 */
export async function connectTracker(ctx: Ctx, id: string, needed: Level = 'operate'): Promise<ConnectedTracker> {
  const tracker = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(tracker), needed)
  return { tracker, connection: ctx.trackers.connect(accessOf(ctx.secrets, tracker)) }
}

/** Whether the actor may work with a tracker of this owner in which another user's domain is bound. */
export async function mayUseTracker(ctx: Ctx, of: { readonly ownerId: string; readonly trackerId: string | null }): Promise<boolean> {
  const level = await findLevel(ctx, of)
  return level !== null && isAtLeast(level, 'operate')
}
