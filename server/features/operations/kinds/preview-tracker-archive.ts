import type { z } from 'zod'
import { planArchive } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { OperationPreview, previewTrackerArchiveInput } from '#shared/features/operations/schema.ts'
import { boundDrafts } from '../bound-drafts.ts'
import { inTracker, placeOf } from './trackers.ts'
import type { ArchiveWork } from './trackers.ts'
import type { Planned } from '../operation-kind.ts'
import { keepDraft } from '../preview-operation.ts'

/**
 * Plans moving these domains into the archives of their trackers as a draft; sends nothing. Domains bound to a zone are excluded.
 * @throws AppError not_found if none of them is in a tracker that the actor sees, level_too_low, too_many_attempts
 */
export async function previewTrackerArchive(
  ctx: Ctx,
  { trackerDomainIds }: z.output<typeof previewTrackerArchiveInput>,
): Promise<OperationPreview> {
  await boundDrafts(ctx)
  const plans = await planArchive(ctx, trackerDomainIds)
  if (plans.length === 0) throw new AppError('not_found')
  if (plans.every(({ refused }) => refused === 'level_too_low')) throw new AppError('level_too_low')
  let unchanged = 0
  const planned = plans.flatMap(({ domain, tracker, refused, dangers }) => {
    if (domain.archived || domain.goneAt !== null) {
      unchanged += 1
      return []
    }
    const { campaignName, campaignId, campaignsCount, remoteId, name } = domain
    const plan: Planned =
      refused === null
        ? {
            before: { tracker: tracker.name, campaign: campaignName ?? campaignId, campaigns: campaignsCount },
            after: null,
            dangers: [...dangers],
            ...inTracker(tracker, 1),
            work: { remoteId } satisfies ArchiveWork,
          }
        : { refused }
    return [{ zone: { ...placeOf(tracker), name, id: null }, plan }]
  })
  return keepDraft(ctx, { kind: 'tracker_archive', input: {} }, [{ planned, unchanged }], null)
}
