import { queryClient } from '#client/lib/query-client.ts'
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
