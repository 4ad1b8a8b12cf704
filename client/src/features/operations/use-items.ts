import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { ItemState } from '#shared/features/operations/schema.ts'
import { api, trpc, type Outputs } from '#client/lib/trpc.ts'

/** An item as it arrives. */
export type Item = Outputs['operations']['items']['items'][number]

/** Few calls for many rows, and little to read again while the operation runs. */
const pageSize = 200

/** The items of an operation with the operation itself, read on as one scrolls. */
export function useItems(id: string, filter: { state?: ItemState | undefined; search?: string | undefined }) {
  const query = trpc.operations.items.useInfiniteQuery(
    { id, limit: pageSize, ...(filter.state && { state: filter.state }), ...(filter.search && { search: filter.search }) },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0, trpc: { context: { alone: true } } },
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

/** Every item in one state, in as few calls as the server allows. */
export async function collectItems(id: string, state: ItemState): Promise<Item[]> {
  const found: Item[] = []
  let cursor: number | null = null
  do {
    const page: { items: Item[]; nextCursor: number | null } = await api.operations.items.query({
      id,
      state,
      limit: 1_000,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}
