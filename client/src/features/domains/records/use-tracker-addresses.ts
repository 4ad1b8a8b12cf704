import { useMemo } from 'react'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useManagedTrackers } from '#client/features/trackers/index.ts'

const none: ReadonlySet<string> = new Set()

/** Where the trackers of the domain's owner stand; undefined while they are read. Of somebody else's domain nobody is told. */
export function useTrackerAddresses(zone: Pick<DomainDetails, 'ownerId' | 'shared'> | undefined): ReadonlySet<string> | undefined {
  const trackers = useManagedTrackers(zone?.ownerId)
  return useMemo(() => {
    if (zone?.shared) return none
    if (zone === undefined || trackers === undefined) return undefined
    return new Set(trackers.flatMap(({ addresses, foundAddresses }) => [...addresses, ...foundAddresses]))
  }, [zone, trackers])
}
