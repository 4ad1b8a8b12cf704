import { requireZone } from '#server/features/zone-access/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { DomainTracker } from '#shared/features/trackers/schema.ts'
import { toTrackerDomain } from './tracker-domain-view.ts'
import { findBinding } from './tracker-domains.repo.ts'

/**
 * Where a domain is bound, and what the tracker's list says of it. Trackers are shared with nobody.
 * @throws AppError not_found, level_too_low
 */
export async function getOfDomain(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainTracker> {
  await requireZone(ctx, id, 'own')
  const row = await findBinding(ctx.db.orm, id)
  if (row === null) return { binding: null }
  return {
    binding: {
      tracker: row.tracker,
      domain: row.domain === null ? null : toTrackerDomain(row.domain),
      pending: row.remote_id === null,
      boundAt: new Date(row.bound_at).toISOString(),
    },
  }
}
