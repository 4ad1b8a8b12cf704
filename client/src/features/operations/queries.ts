import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { ItemState } from '#shared/features/operations/schema.ts'
import { api, trpc, type Outputs } from '#client/lib/trpc.ts'
import { isActive } from './operation-progress.ts'

type Page = Outputs['operations']['items']

/** An item as it arrives. */
export type Item = Page['items'][number]

interface ItemsFilter {
  /** `attention`: done, but for what a person has to do. */
  state?: ItemState | 'attention' | undefined
  search?: string | undefined
  /** A warning of the preview. */
  danger?: string | undefined
}

/** Few calls for many rows, and little to read again while the operation runs. */
const pageSize = 200
const unbatched = { context: { unbatched: true } }
/** Also where an event of its progress was missed. */
const refetchMs = 10_000
/** What was read so lately is not read once more by what is drawn after it. */
const readMs = 2_000
const refetchEvery = (page: Page | undefined) => (page !== undefined && isActive(page.operation) ? refetchMs : false)

/** The items of an operation with the operation itself, read on as one scrolls. */
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

/** An operation only, which its page shows whatever is filtered below it. */
export const useOperation = (id: string) => {
  const { data, error, refetch } = trpc.operations.items.useQuery(
    { id, limit: 1 },
    { staleTime: 0, refetchInterval: ({ state }) => refetchEvery(state.data), trpc: unbatched },
  )
  return { operation: data?.operation, error, retry: () => void refetch() }
}

/** The first rows on their way together with the operation, before the table that shows them is drawn. */
export const useFirstItems = (id: string, enabled: boolean): void => {
  trpc.operations.items.useQuery({ id, limit: pageSize }, { enabled, staleTime: readMs, trpc: unbatched })
}

/** Rows of a list that shows all items or some of them. Of all, any place is reached at the same time, however many they are. */
interface ItemRows {
  count: number
  rowAt: (index: number) => Item | undefined
  /** Of those that are here. */
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

/** Every item that matches, in as few calls as the server allows. */
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

/** The place and the name of every item that matches, in one call. */
export async function collectNames(id: string, { state, search }: ItemsFilter): Promise<Pick<Item, 'position' | 'displayName'>[]> {
  const { positions, names } = await api.operations.itemNames.query({ id, ...(state && { state }), ...(search && { search }) })
  return positions.map((position, index) => ({ position, displayName: names[index] ?? '' }))
}

/** Often enough for a person who watches. */
const watchMs = 4_000

/** All items at the same time, for what is made of them together; `going`: there is more to come. */
export const useAllItems = (id: string, going: boolean) =>
  useQuery({
    queryKey: ['operation-items', id, going],
    queryFn: () => collectItems(id),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: going ? watchMs : false,
  })
