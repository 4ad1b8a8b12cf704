import { queryClient } from '#client/lib/query-client.ts'
import { filterOf, sortOf, type DomainsSearch } from './search.ts'
import { filterOptionsQuery, firstRowsQuery, summaryQuery } from './use-domain-rows.ts'

const nothing = (): undefined => undefined

/** Asks for what the list shows first; answers are taken from the cache when the page is there, which tells of failures too. */
export function prefetchDomains(search: DomainsSearch): void {
  const filter = filterOf(search)
  queryClient.query(firstRowsQuery({ filter, sort: sortOf(search) })).catch(nothing)
  queryClient.query(summaryQuery(filter)).catch(nothing)
  queryClient.query(filterOptionsQuery(search.owner)).catch(nothing)
}
