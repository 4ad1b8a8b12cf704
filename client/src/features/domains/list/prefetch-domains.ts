import { useRef } from 'react'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { utils } from '#client/lib/trpc.ts'
import { filterOf, sortOf, type DomainsSearch } from './search.ts'
import { filterOptionsQuery, firstRowsQuery, summaryQuery } from './queries.ts'

const patienceMs = 150
const nothing = (): undefined => undefined

/**
 * Prefetches the first page of the list into the cache; the page itself reports failures.
 * Resolves when it has arrived or after a short wait: rendering once is faster than rendering a skeleton first.
 */
export async function prefetchDomains(search: DomainsSearch): Promise<void> {
  const filter = filterOf(search)
  const all = [
    queryClient.query(firstRowsQuery({ filter, sort: sortOf(search) })),
    queryClient.query(summaryQuery(filter)),
    queryClient.query(filterOptionsQuery(search.owner)),
  ].map((asked) => asked.catch(nothing))
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, patienceMs))])
}

const hoverMs = 100

/** Prefetches the details of the domains beside one that the pointer rests on; its own are prefetched by its link. */
export function usePrefetchAround(rowAt: (index: number) => ListedDomain | undefined): (index: number) => void {
  const hovered = useRef<{ index: number; timer: ReturnType<typeof setTimeout> }>(undefined)
  return (index) => {
    if (hovered.current?.index === index) return
    clearTimeout(hovered.current?.timer)
    const prefetch = (): void => {
      for (const row of [rowAt(index - 1), rowAt(index + 1)]) if (row !== undefined) void utils.domains.full.prefetch({ id: row.id })
    }
    hovered.current = { index, timer: setTimeout(prefetch, hoverMs) }
  }
}
