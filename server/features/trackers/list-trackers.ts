import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { toTracker } from './tracker-view.ts'
import { getShown, listShown } from './trackers.repo.ts'

/** By name: the actor's own, an administrator everybody's. */
export async function listTrackers(ctx: Ctx, { ownerId }: { readonly ownerId?: string | undefined }): Promise<{ trackers: Tracker[] }> {
  const { role, userId } = ctx.actor
  if (role !== 'admin' && ownerId !== undefined && ownerId !== userId) return { trackers: [] }
  const rows = await listShown(ctx.db.orm, role === 'admin' ? (ownerId ?? null) : userId)
  return { trackers: rows.map((row) => toTracker(row, ctx.clock.now())) }
}

/** Trackers are shared with nobody. @throws AppError not_found */
export async function getTracker(ctx: Ctx, { id }: { readonly id: string }): Promise<{ tracker: Tracker }> {
  const shown = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, shown.tracker, 'own')
  return { tracker: toTracker(shown, ctx.clock.now()) }
}
