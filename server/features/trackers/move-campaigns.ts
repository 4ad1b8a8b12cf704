import type { Ctx } from '#server/platform/context.ts'
import type { TrackerCall } from '#server/ports/ad-tracker.ts'
import { connectTracker } from './connect-tracker.ts'

/**
 * Moves campaigns from one domain of a tracker to another.
 * @param from an id in the tracker, like `to`
 * @returns false when the tracker does not report the campaigns or cannot change them, so that a person has to check
 * @throws AppError not_found, tracker_disabled, and any refusal by the tracker
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
  // A single campaign may have no domain; if none has one, the tracker does not report them.
  return campaigns.length === 0 || campaigns.some(({ domainId }) => domainId !== null)
}
