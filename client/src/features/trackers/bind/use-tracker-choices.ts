import { trpc } from '#client/lib/trpc.ts'

/** What a domain can be given in a tracker; undefined: in none yet. */
export const useTrackerChoices = (trackerId: string | undefined) =>
  trpc.trackers.choices.useQuery({ id: trackerId ?? '' }, { meta: { failure: false }, enabled: trackerId !== undefined })
