import type { Ctx } from '#server/platform/context.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { connectTracker } from './connect-tracker.ts'

/**
 * Gives campaigns whose links have one domain of a tracker another of it.
 * @param from ids in the tracker, as `to` is
 * @returns false where the tracker does not report which campaigns these are, or cannot change them: somebody has to look
 * @throws AppError not_found, tracker_disabled, and what the tracker refuses
 */
export async function moveCampaigns(
  ctx: Ctx,
  { trackerId, from, to }: { readonly trackerId: string; readonly from: string; readonly to: string },
  call: TrackerCall,
): Promise<boolean> {
  const { connection } = await connectTracker(ctx, trackerId)
  if (!connection.able.moveCampaign) return false
  const campaigns = await connection.listCampaigns(call)
  for (const { id, domainId } of campaigns) if (domainId === from) await connection.moveCampaign(id, to, call)
  // A campaign may have no domain of its own; where none has, it is not reported.
  return campaigns.length === 0 || campaigns.some(({ domainId }) => domainId !== null)
}
