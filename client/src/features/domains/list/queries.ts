import { queryOptions } from '@tanstack/react-query'
import { unpackRows } from '#shared/features/domains/packed-rows.ts'
import type { DomainFilter, DomainSort, DomainSummary, FilterOptions, ListedDomain } from '#shared/features/domains/schema.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { api } from '#client/lib/trpc.ts'

export interface Page {
  domains: readonly ListedDomain[]
  nextCursor: string | null
}

/** The request of a view; equal views have equal keys. */
export interface DomainsView {
  filter: DomainFilter
  sort: DomainSort
}

export const pageSize = 100
/** Pages that were only scrolled past are evicted early. */
const keepMs = 60_000

// Keys start like those of tRPC, so that `utils.domains.invalidate()` refreshes these too.
export const pageKey = ({ filter, sort }: DomainsView, page: number) => [['domains', 'rows'], filter, sort, page] as const

/** Fetches a page by its number: with the cursor of the previous page if it is cached and current, otherwise by index. */
export const pageQuery = (view: DomainsView, page: number) =>
  queryOptions({
    queryKey: pageKey(view, page),
    gcTime: keepMs,
    queryFn: async ({ signal }): Promise<Page> => {
      const before = page === 0 ? undefined : queryClient.getQueryState<Page>(pageKey(view, page - 1))
      const cursor = before?.isInvalidated === false && before.fetchStatus === 'idle' ? before.data?.nextCursor : null
      const place = cursor ? { cursor } : page === 0 ? {} : { offset: page * pageSize }
      const { rows, nextCursor } = await api.domains.rows.query({ ...view, ...place, limit: pageSize }, { signal })
      return { domains: unpackRows(rows), nextCursor }
    },
  })

export const firstRowsQuery = (view: DomainsView) => pageQuery(view, 0)

export const summaryQuery = (filter: DomainFilter) =>
  queryOptions({
    queryKey: [['domains', 'summary'], filter] as const,
    queryFn: ({ signal }): Promise<DomainSummary> => api.domains.summary.query({ filter }, { signal }),
  })

/** The options of the filters, under the same key prefix, so that one invalidation refreshes all. */
export const filterOptionsQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: [['domains', 'options'], ownerId ?? null] as const,
    queryFn: ({ signal }): Promise<FilterOptions> => api.domains.filterOptions.query(ownerId === undefined ? {} : { ownerId }, { signal }),
  })

/** Refetches everything about domains; old data stays visible meanwhile. */
export const refreshDomains = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [['domains']] })

/** The cached rows of a view, in its order. */
export const loadedRows = ({ filter, sort }: DomainsView): readonly ListedDomain[] =>
  queryClient
    .getQueriesData<Page>({ queryKey: pageKey({ filter, sort }, 0).slice(0, -1) })
    .toSorted(([one], [other]) => Number(one.at(-1)) - Number(other.at(-1)))
    .flatMap(([, page]) => page?.domains ?? [])

/** All cached rows of any view, by id. */
export const loadedDomains = (): ReadonlyMap<string, ListedDomain> =>
  new Map(
    queryClient
      .getQueriesData<Page>({ queryKey: [['domains', 'rows']] })
      .flatMap(([, page]) => page?.domains ?? [])
      .map((row) => [row.id, row]),
  )
