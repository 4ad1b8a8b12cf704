import { useMemo } from 'react'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { allows, type Level } from '#shared/features/sharing/rules.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Tracker[] = []

/** The trackers that domains may be bound in, or with which the person may do what takes `needed`; of one owner, or of all. Undefined while they are read. */
export function useManagedTrackers(ownerId?: string, needed: Level = 'operate'): readonly Tracker[] | undefined {
  const list = trpc.trackers.list.useQuery({})
  const trackers = list.data?.trackers ?? (list.isError ? none : undefined)
  return useMemo(
    () => trackers?.filter((each) => (ownerId === undefined || each.ownerId === ownerId) && allows(each.shared, needed)),
    [trackers, ownerId, needed],
  )
}

/** What a domain can be given in a tracker; undefined: in none yet. */
export const useTrackerChoices = (trackerId: string | undefined) =>
  trpc.trackers.choices.useQuery({ id: trackerId ?? '' }, { meta: { failure: false }, enabled: trackerId !== undefined })

/** How a domain is to be bound in a tracker; null: nothing yet. */
export interface InTracker {
  trackerId: string
  campaignId: string | null
  groupId: string | null
  sslRedirect: boolean
}

/** The one that is meant where none was chosen: the default one. */
export const usualTracker = (trackers: readonly Tracker[]): Tracker | undefined =>
  trackers.find(({ isDefault }) => isDefault) ?? trackers[0]
