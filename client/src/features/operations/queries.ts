import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { ItemState } from '#shared/features/operations/schema.ts'
import { api, trpc, type Outputs } from '#client/lib/trpc.ts'
import { isActive } from './operation-progress.ts'

type Page = Outputs['operations']['items']

/** An item as received. */
export type Item = Page['items'][number]

interface ItemsFilter {
  /** `attention`: done, with a remaining manual step. */
  state?: ItemState | 'attention' | undefined
  search?: string | undefined
  /** A warning of the preview. */
  danger?: string | undefined
}

/** Large enough for few calls, small enough to refetch while the operation runs. */
const pageSize = 200
const unbatched = { context: { unbatched: true } }
/** Polls in case a progress event was missed. */
const refetchMs = 10_000
/** Data this recent is not refetched by components that mount later. */
const readMs = 2_000
const refetchEvery = (page: Page | undefined) => (page !== undefined && isActive(page.operation) ? refetchMs : false)

/** The items of an operation together with the operation, loaded on scrolling. */
export function useItems(id: string, filter: ItemsFilter, enabled = true) {
  const query = trpc.operations.items.useInfiniteQuery(
    {
      id,
      limit: pageSize,
      ...(filter.state && { state: filter.state }),
      ...(filter.search && { search: filter.search }),
      ...(filter.danger && { danger: filter.danger }),
    },
    {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: ({ state }) => refetchEvery(state.data?.pages.at(-1)),
      trpc: unbatched,
      enabled,
    },
  )
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const { hasNextPage, isFetching, fetchNextPage } = query
  const onRange = useCallback(
    (_from: number, to: number): void => {
      if (hasNextPage && !isFetching && to >= items.length - 20) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, items.length],
  )
  return {
    operation: query.data?.pages.at(-1)?.operation,
    items,
    complete: query.data !== undefined && !hasNextPage,
    loading: query.isPending,
    changing: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
    onRange,
  }
}

/** Only the operation, regardless of the filter below it. */
export const useOperation = (id: string) => {
  const { data, error, refetch } = trpc.operations.items.useQuery(
    { id, limit: 1 },
    { staleTime: 0, refetchInterval: ({ state }) => refetchEvery(state.data), trpc: unbatched },
  )
  return { operation: data?.operation, error, retry: () => void refetch() }
}

/** Prefetches the first rows together with the operation, before the table renders. */
export const useFirstItems = (id: string, enabled: boolean): void => {
  trpc.operations.items.useQuery({ id, limit: pageSize }, { enabled, staleTime: readMs, trpc: unbatched })
}

/** Rows of a list that shows all or some items. For all items, any position can be loaded directly. */
interface ItemRows {
  count: number
  rowAt: (index: number) => Item | undefined
  /** Among the loaded ones. */
  find: (position: number) => Item | undefined
  onRange: (from: number, to: number) => void
  loading: boolean
  changing: boolean
}

export function useItemRows(id: string, filter: ItemsFilter, total: number | undefined): ItemRows {
  const all = filter.state === undefined && !filter.search
  const found = useItems(id, filter, !all)
  const [[first, last], setPages] = useState<readonly [number, number]>([0, 0])
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const read = trpc.useQueries((t) =>
    pages.map((page) =>
      t.operations.items(
        { id, limit: pageSize, ...(page > 0 && { cursor: page * pageSize - 1 }) },
        { enabled: all, staleTime: readMs, refetchInterval: ({ state }) => refetchEvery(state.data), trpc: unbatched },
      ),
    ),
  )
  const onWindow = useCallback((from: number, to: number): void => {
    const [start, end] = [Math.floor(from / pageSize), Math.floor(to / pageSize)]
    setPages((before) => (before[0] === start && before[1] === end ? before : [start, end]))
  }, [])
  if (!all) {
    const { items, onRange, loading, changing } = found
    return {
      count: items.length,
      rowAt: (index) => items[index],
      find: (position) => items.find((item) => item.position === position),
      onRange,
      loading,
      changing,
    }
  }
  return {
    count: total ?? 0,
    rowAt: (index) => read[Math.floor(index / pageSize) - first]?.data?.items[index % pageSize],
    find: (position) => read[Math.floor(position / pageSize) - first]?.data?.items[position % pageSize],
    onRange: onWindow,
    loading: total === undefined,
    changing: false,
  }
}

/** Every matching item, in as few calls as the server allows. */
export async function collectItems(id: string, filter: ItemsFilter = {}): Promise<Item[]> {
  const found: Item[] = []
  let cursor: number | null = null
  do {
    const page: { items: Item[]; nextCursor: number | null } = await api.operations.items.query({
      id,
      limit: 1_000,
      ...(filter.state && { state: filter.state }),
      ...(filter.search && { search: filter.search }),
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

/** The position and name of every matching item, in one call. */
export async function collectNames(id: string, { state, search }: ItemsFilter): Promise<Pick<Item, 'position' | 'displayName'>[]> {
  const { positions, names } = await api.operations.itemNames.query({ id, ...(state && { state }), ...(search && { search }) })
  return positions.map((position, index) => ({ position, displayName: names[index] ?? '' }))
}

/** Often enough to watch progress. */
const watchMs = 4_000

/** All items, for computations over them; `going`: more are expected. */
export const useAllItems = (id: string, going: boolean) =>
  useQuery({
    queryKey: ['operation-items', id, going],
    queryFn: () => collectItems(id),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: going ? watchMs : false,
  })
