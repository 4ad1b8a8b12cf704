import { useCallback, useEffect, useRef } from 'react'
import type { Outputs } from '#client/lib/trpc.ts'
import { trpc } from '#client/lib/trpc.ts'

type Zone = Outputs['domains']['full']['zone']

/** What changes in a zone whenever its records do, and only then: other news do not bring thousands of records again. */
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
