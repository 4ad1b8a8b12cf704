import { queryClient } from '#client/lib/query-client.ts'
import { useRenewal } from '#client/lib/use-renewal.ts'

/** Reads trackers, and what they are compared with, again soon after they, or who shares them, changed. */
export const useLiveTrackers = (): void =>
  useRenewal(
    ({ kind }) => kind === 'trackers' || kind === 'domains' || kind === 'shares',
    () => void queryClient.invalidateQueries({ queryKey: [['trackers']] }),
    { waitMs: 300, streamMs: 2_000 },
  )
