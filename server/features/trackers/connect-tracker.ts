import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import type { TrackerConnection } from '#server/ports/ad-tracker.ts'
import { accessOf } from './tracker-key.ts'
import { getRow } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

export interface ConnectedTracker {
  readonly tracker: TrackerRow
  readonly connection: TrackerConnection
}

/**
 * One of the actor's, with what speaks to it; nothing is sent yet. Trackers are shared with nobody.
 * @throws AppError not_found, tracker_disabled
 */
export async function connectTracker(ctx: Ctx, id: string): Promise<ConnectedTracker> {
  const tracker = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, tracker, 'own')
  return { tracker, connection: ctx.trackers.connect(accessOf(ctx.secrets, tracker)) }
}
