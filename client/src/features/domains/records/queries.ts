import { useCallback, useEffect, useMemo, useRef } from 'react'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useManagedTrackers } from '#client/features/trackers/index.ts'

type Zone = Outputs['domains']['full']['zone']

/** A value that changes whenever the records of a zone change, so that other change events do not refetch thousands of records. */
const marksOf = (zone: Zone): string => [zone.recordsReadAt, zone.recordsChangedAt].join()

/** All records of a zone from the mirror; refetched when they change, and synced from the provider on request. */
export function useRecordList(domainId: string, zone: Zone | undefined) {
  const utils = trpc.useUtils()
  const list = trpc.records.list.useQuery({ id: domainId })
  const refresh = trpc.records.refresh.useMutation({
    onSuccess: async (read) => {
      utils.records.list.setData({ id: domainId }, read)
      await Promise.all([utils.domains.full.invalidate({ id: domainId }), utils.history.invalidate()])
    },
  })
  const marks = zone === undefined ? undefined : marksOf(zone)
  const before = useRef(marks)
  useEffect(() => {
    const known = before.current
    before.current = marks
    if (known !== undefined && marks !== undefined && known !== marks) void utils.records.list.invalidate({ id: domainId })
  }, [marks, domainId, utils])
  const { mutate } = refresh
  return { list, refresh: useCallback(() => mutate({ id: domainId }), [mutate, domainId]), refreshing: refresh.isPending }
}

const none: ReadonlySet<string> = new Set()

/** Addresses of the trackers of the domain's owner; undefined while loading, empty for a domain of another user. */
export function useTrackerAddresses(zone: Pick<DomainDetails, 'ownerId' | 'shared'> | undefined): ReadonlySet<string> | undefined {
  const trackers = useManagedTrackers(zone?.ownerId)
  return useMemo(() => {
    if (zone?.shared) return none
    if (zone === undefined || trackers === undefined) return undefined
    return new Set(trackers.flatMap(({ addresses, foundAddresses }) => [...addresses, ...foundAddresses]))
  }, [zone, trackers])
}
