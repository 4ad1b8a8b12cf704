import { useCallback, useEffect, useMemo, useRef } from 'react'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { useManagedTrackers } from '#client/features/trackers/index.ts'

type Zone = Outputs['domains']['full']['zone']

/** What changes in a zone whenever its records do, and only then: other change events do not bring thousands of records again. */
const marksOf = (zone: Zone): string => [zone.recordsReadAt, zone.recordsChangedAt].join()

/** All records of a zone, from the mirror; read again when the zone says that they have changed, and from the provider when asked. */
export function useRecordList(zoneId: string, zone: Zone | undefined) {
  const utils = trpc.useUtils()
  const list = trpc.records.list.useQuery({ id: zoneId })
  const refresh = trpc.records.refresh.useMutation({
    onSuccess: async (read) => {
      utils.records.list.setData({ id: zoneId }, read)
      await Promise.all([utils.domains.full.invalidate({ id: zoneId }), utils.history.invalidate()])
    },
  })
  const marks = zone === undefined ? undefined : marksOf(zone)
  const before = useRef(marks)
  useEffect(() => {
    const known = before.current
    before.current = marks
    if (known !== undefined && marks !== undefined && known !== marks) void utils.records.list.invalidate({ id: zoneId })
  }, [marks, zoneId, utils])
  const { mutate } = refresh
  return { list, refresh: useCallback(() => mutate({ id: zoneId }), [mutate, zoneId]), refreshing: refresh.isPending }
}

const none: ReadonlySet<string> = new Set()

/** Addresses of the trackers of the domain's owner; undefined while they are read, none for a domain of somebody else. */
export function useTrackerAddresses(zone: Pick<DomainDetails, 'ownerId' | 'shared'> | undefined): ReadonlySet<string> | undefined {
  const trackers = useManagedTrackers(zone?.ownerId)
  return useMemo(() => {
    if (zone?.shared) return none
    if (zone === undefined || trackers === undefined) return undefined
    return new Set(trackers.flatMap(({ addresses, foundAddresses }) => [...addresses, ...foundAddresses]))
  }, [zone, trackers])
}
