import { useEffect, useRef } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useLive } from '#client/lib/live.ts'
import { trpc } from '#client/lib/trpc.ts'
import type { HistorySearch } from './search.ts'

/** News comes in bursts. */
const waitMs = 800

/** The history of a domain, page by page, renewed after news of domains. */
export function useHistory(id: string, filter: HistorySearch) {
  const utils = trpc.useUtils()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive((event) => {
    if (event.kind !== 'domains' || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void utils.history.list.invalidate()
    }, waitMs)
  })
  return trpc.history.list.useInfiniteQuery(
    { id, ...filter },
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData, staleTime: 10_000 },
  )
}
