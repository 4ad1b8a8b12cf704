import { useMemo } from 'react'
import type { ReconcileRow, ReconcileState } from '#shared/features/trackers/schema.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import type { TrackersSearch } from '../search.ts'

/** The input of the request, from the URL. */
export function filterOf({ state, tracker, q, owner }: TrackersSearch) {
  return {
    ...(state && { state }),
    ...(tracker !== undefined && { trackerIds: tracker.split('.') }),
    ...(q !== undefined && { search: q }),
    ...(owner !== undefined && { ownerId: owner }),
  }
}
export type ReconcileFilter = ReturnType<typeof filterOf>
/** The number of rows with a difference, by tracker. */
export type ReconcileTally = Outputs['trackers']['reconcile']['tally']

const none: ReconcileTally = []

/** The loaded rows. */
export function useReconcileRows(filter: ReconcileFilter, enabled: boolean) {
  const query = trpc.trackers.reconcile.useInfiniteQuery(
    { ...filter, limit: 100 },
    { getNextPageParam: (page) => page.nextCursor ?? undefined, enabled, placeholderData: (before) => before },
  )
  const rows = useMemo((): readonly ReconcileRow[] => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  const counts: Partial<Record<ReconcileState, number>> | undefined = query.data?.pages[0]?.counts
  return {
    query,
    rows,
    counts,
    tally: query.data?.pages[0]?.tally ?? none,
    onRangeVisible: (_from: number, to: number) => {
      if (to >= rows.length - 20 && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
}
