import { queryClient } from '#client/lib/query-client.ts'
import { filterOf, sortOf, type DomainsSearch } from './search.ts'
import { filterOptionsQuery, firstRowsQuery, summaryQuery } from './use-domain-rows.ts'

/** Asks for what the list shows first; answers are taken from the cache when the page is there. */
export function prefetchDomains(search: DomainsSearch): void {
  const filter = filterOf(search)
  void queryClient.prefetchQuery(firstRowsQuery({ filter, sort: sortOf(search) }))
  void queryClient.prefetchQuery(summaryQuery(filter))
  void queryClient.prefetchQuery(filterOptionsQuery(search.owner))
}
