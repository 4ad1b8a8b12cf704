import { queryOptions } from '@tanstack/react-query'
import type { Domain, DomainFilter, DomainSort, DomainSummary, FilterOptions } from '#shared/features/domains/schema.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { api } from '#client/lib/trpc.ts'
import type { Outputs } from '#client/lib/trpc.ts'

export type Page = Outputs['domains']['list']

/** What is asked for; equal views have equal keys. */
export interface DomainsView {
  filter: DomainFilter
  sort: DomainSort
}

export const pageSize = 100
/** Pages that somebody only scrolled past are not worth memory for long. */
const keepMs = 60_000

// Keys begin as tRPC's own do, so that `utils.domains.invalidate()` renews these too.
export const pageKey = ({ filter, sort }: DomainsView, page: number) => [['domains', 'rows'], filter, sort, page] as const

/** A page by its number: continues behind the page before it where that is at hand and current, jumps by index otherwise. */
export const pageQuery = (view: DomainsView, page: number) =>
  queryOptions({
    queryKey: pageKey(view, page),
    gcTime: keepMs,
    queryFn: ({ signal }): Promise<Page> => {
      const before = page === 0 ? undefined : queryClient.getQueryState<Page>(pageKey(view, page - 1))
      const cursor = before?.isInvalidated === false && before.fetchStatus === 'idle' ? before.data?.nextCursor : null
      const place = cursor ? { cursor } : page === 0 ? {} : { offset: page * pageSize }
      return api.domains.list.query({ ...view, ...place, limit: pageSize }, { signal })
    },
  })

export const firstRowsQuery = (view: DomainsView) => pageQuery(view, 0)

export const summaryQuery = (filter: DomainFilter) =>
  queryOptions({
    queryKey: [['domains', 'summary'], filter] as const,
    queryFn: ({ signal }): Promise<DomainSummary> => api.domains.summary.query({ filter }, { signal }),
  })

/** What the filters offer, under the same key as the rest, so that one renewal renews all. */
export const filterOptionsQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: [['domains', 'options'], ownerId ?? null] as const,
    queryFn: ({ signal }): Promise<FilterOptions> => api.domains.filterOptions.query(ownerId === undefined ? {} : { ownerId }, { signal }),
  })

/** Reads everything about domains again; old answers stay in view meanwhile. */
export const refreshDomains = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [['domains']] })

/** Every row that was read lately, whatever the view, by its id. */
export const loadedDomains = (): ReadonlyMap<string, Domain> =>
  new Map(
    queryClient
      .getQueriesData<Page>({ queryKey: [['domains', 'rows']] })
      .flatMap(([, page]) => page?.domains ?? [])
      .map((row) => [row.id, row]),
  )
