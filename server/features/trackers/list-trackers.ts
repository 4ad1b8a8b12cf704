import type { Ctx } from '#server/platform/context.ts'
import { findLevel, listSharedIds, requireLevel } from '#server/platform/access-scope.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { listAddresses } from './bindings.repo.ts'
import { toAccessTarget, toTracker } from './tracker-view.ts'
import { getShown, listShown } from './trackers.repo.ts'
import type { TrackerScope } from './trackers.repo.ts'

/** The trackers that the actor sees: their own and shared ones; for an administrator those of all owners, or of `ownerId` if given. */
export async function scopeOf(ctx: Ctx, ownerId?: string): Promise<TrackerScope> {
  const { role, userId } = ctx.actor
  return role === 'admin'
    ? { ownerId: ownerId ?? null, sharedIds: [] }
    : { ownerId: userId, sharedIds: await listSharedIds(ctx, 'trackers') }
}

/** By name: the actor's own and shared ones; for an administrator those of all owners. */
export async function listTrackers(ctx: Ctx, { ownerId }: { readonly ownerId?: string | undefined }): Promise<{ trackers: Tracker[] }> {
  const rows = await listShown(ctx.db.orm, await scopeOf(ctx, ownerId))
  const wanted = rows.filter(({ tracker }) => ownerId === undefined || tracker.ownerId === ownerId)
  return { trackers: await Promise.all(wanted.map((row) => toTracker(ctx, row))) }
}

/** @throws AppError not_found */
export async function getTracker(ctx: Ctx, { id }: { readonly id: string }): Promise<{ tracker: Tracker }> {
  const shown = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(shown.tracker), 'view')
  return { tracker: await toTracker(ctx, shown) }
}

/**
 * The addresses of these owners' trackers, by owner; other people's trackers are excluded, even shared ones.
 */
export async function listTrackerAddresses(ctx: Ctx, ownerIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const owners = [...new Set(ownerIds)]
  const levels = await Promise.all(owners.map((ownerId) => findLevel(ctx, { ownerId })))
  return listAddresses(
    ctx.db.orm,
    owners.filter((_owner, index) => levels[index] === 'own'),
  )
}
