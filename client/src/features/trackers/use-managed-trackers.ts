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
