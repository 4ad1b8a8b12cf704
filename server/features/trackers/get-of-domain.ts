import { requireZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevelOfSeen } from '#server/platform/access-scope.ts'
import type { DomainTracker } from '#shared/features/trackers/schema.ts'
import { toTrackerDomain } from './tracker-domain-view.ts'
import { findBinding } from './tracker-domains.repo.ts'

/**
 * Where a domain is bound, with the tracker's list entry. Another owner's domain requires a share of both.
 * @throws AppError not_found, level_too_low
 */
export async function getOfDomain(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainTracker> {
  const { ownerId } = await requireZone(ctx, id, 'view')
  const row = await findBinding(ctx.db.orm, id)
  if (row === null) {
    // If one of the owner's trackers is shared, the domain can be bound there.
    const shared = [...(await grantsOf(ctx)).trackers.values()].some((grant) => grant.ownerId === ownerId)
    if (!shared) await requireLevelOfSeen(ctx, { ownerId }, 'own')
    return { binding: null }
  }
  await requireLevelOfSeen(ctx, { ownerId, trackerId: row.tracker.id }, 'view')
  return {
    binding: {
      tracker: row.tracker,
      domain: row.domain === null ? null : toTrackerDomain(row.domain),
      pending: row.remoteId === null,
      boundAt: new Date(row.boundAt).toISOString(),
    },
  }
}
