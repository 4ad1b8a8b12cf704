import { useEffect, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'

/** A change of a domain, as received. */
export type Entry = Outputs['history']['list']['entries'][number]
/** The preview of an undo. */
export type Step = Outputs['history']['previewRevert']['steps'][number]

/** Whose history it is: that of a domain, or that of an account for what applies to all its domains. */
export interface HistoryScope {
  readonly kind: 'domain' | 'account'
  readonly id: string
}

/** The newest changes of an account, refetched after change events. */
export function useAccountHistory(id: string) {
  useLiveQueries('accountHistory')
  return trpc.history.listOfAccount.useInfiniteQuery(
    { id, limit: 20 },
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData, staleTime: 10_000 },
  )
}

/** The history of a domain, paginated, and refetched after change events. */
export function useHistory(id: string, filter: Omit<Inputs['history']['list'], 'id' | 'cursor' | 'limit'>) {
  useLiveQueries('history')
  const history = trpc.history.list.useInfiniteQuery(
    { id, ...filter },
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData, staleTime: 10_000 },
  )
  // A change event refetches the loaded pages and aborts the fetch of the next one, so that fetch is repeated.
  const [wanted, setWanted] = useState(1)
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = history
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (pages > 0 && pages < wanted && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [pages, wanted, hasNextPage, isFetching, isError, fetchNextPage])
  return {
    ...history,
    isFetchingNextPage: history.isFetchingNextPage || (pages < wanted && hasNextPage && isFetching),
    fetchMore: () => {
      setWanted(pages + 1)
      if (isError) void fetchNextPage()
    },
  }
}
