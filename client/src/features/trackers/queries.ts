import { useMemo } from 'react'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { allows, type Level } from '#shared/features/sharing/rules.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Tracker[] = []

/**
 * The trackers in which domains may be bound, or for which the user has the `needed` permission; of one owner, or of all. Undefined while
 * loading.
 */
export function useManagedTrackers(ownerId?: string, needed: Level = 'operate'): readonly Tracker[] | undefined {
  const list = trpc.trackers.list.useQuery({})
  const trackers = list.data?.trackers ?? (list.isError ? none : undefined)
  return useMemo(
    () => trackers?.filter((each) => (ownerId === undefined || each.ownerId === ownerId) && allows(each.shared, needed)),
    [trackers, ownerId, needed],
  )
}

/** The options of a tracker; undefined if none is selected. */
export const useTrackerChoices = (trackerId: string | undefined) =>
  trpc.trackers.choices.useQuery({ id: trackerId ?? '' }, { meta: { failure: false }, enabled: trackerId !== undefined })

/** The binding of a domain; null: none yet. */
export interface InTracker {
  trackerId: string
  campaignId: string | null
  groupId: string | null
  sslRedirect: boolean
}

/** The selected tracker, or the default one. */
export const usualTracker = (trackers: readonly Tracker[]): Tracker | undefined =>
  trackers.find(({ isDefault }) => isDefault) ?? trackers[0]
