import { useMemo } from 'react'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Tracker[] = []

/** The trackers that domains may be bound in; of one owner, or of all. Undefined while they are read. */
export function useManagedTrackers(ownerId?: string): readonly Tracker[] | undefined {
  const list = trpc.trackers.list.useQuery({})
  const trackers = list.data?.trackers ?? (list.isError ? none : undefined)
  return useMemo(() => trackers?.filter((each) => ownerId === undefined || each.ownerId === ownerId), [trackers, ownerId])
}
