import { queryClient } from '#client/lib/query-client.ts'
import { filterOf, sortOf, type DomainsSearch } from './search.ts'
import { filterOptionsQuery, firstRowsQuery, summaryQuery } from './queries.ts'

const patienceMs = 150
const nothing = (): undefined => undefined

/**
 * Asks for what the list shows first; answers are taken from the cache when the page is there, which reports failures too.
 * Resolves when they are here, or soon: a page that is drawn once is there sooner than one whose skeleton is drawn before.
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
