import { useMemo } from 'react'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useManagedTrackers } from '#client/features/trackers/index.ts'

const none: ReadonlySet<string> = new Set()

/** Where the trackers of the domain's owner stand; of somebody else's domain nobody is told. */
export function useTrackerAddresses(zone: Pick<DomainDetails, 'ownerId' | 'shared'> | undefined): ReadonlySet<string> {
  const trackers = useManagedTrackers(zone?.ownerId)
  const own = zone !== undefined && zone.shared === null
  return useMemo(
    () =>
      own && trackers !== undefined
        ? new Set(trackers.flatMap(({ addresses, foundAddresses }) => [...addresses, ...foundAddresses]))
        : none,
    [own, trackers],
  )
}
