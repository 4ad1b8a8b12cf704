import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Domain, DomainFilter, DomainSort, DomainSummary, FilterOptions } from '#shared/features/domains/schema.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { api } from '#client/lib/trpc.ts'
import type { Outputs } from '#client/lib/trpc.ts'

type Page = Outputs['domains']['list']

/** What is asked for; equal views have equal keys. */
interface DomainsView {
  filter: DomainFilter
  sort: DomainSort
}

const pageSize = 100
/** Rows beyond the visible ones that are read ahead. */
const aheadRows = 40
/** Pages that somebody only scrolled past are not worth memory for long. */
const keepMs = 60_000
const settleMs = 70

// Keys begin as tRPC's own do, so that `utils.domains.invalidate()` renews these too.
const pageKey = ({ filter, sort }: DomainsView, page: number) => [['domains', 'rows'], filter, sort, page] as const

/** A page by its number: continues behind the page before it where that is at hand and current, jumps by index otherwise. */
const pageQuery = (view: DomainsView, page: number) =>
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

export interface DomainRows {
  /** The view that the rows belong to: the wanted one as soon as its first rows are here. */
  view: DomainsView
  /** Rows of another view are still shown. */
  changing: boolean
  count: number
  /** Undefined while it is being read. */
  rowAt: (index: number) => Domain | undefined
  summary: DomainSummary | undefined
  /** Nothing has been read yet. */
  loading: boolean
  error: unknown
  onRange: (firstIndex: number, lastIndex: number) => void
}

const pagesOf = (firstIndex: number, lastIndex: number): readonly number[] => {
  const from = Math.max(0, Math.floor((firstIndex - aheadRows) / pageSize))
  const to = Math.floor((lastIndex + aheadRows) / pageSize)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Rows of a list of any length by their index, read a page at a time as they come into sight. */
export function useDomainRows(wanted: DomainsView): DomainRows {
  const wantedKey = JSON.stringify(wanted)
  const [shown, setShown] = useState({ view: wanted, key: wantedKey })
  const changing = shown.key !== wantedKey

  const nextPage = useQuery({ ...firstRowsQuery(wanted), enabled: changing })
  const nextSummary = useQuery({ ...summaryQuery(wanted.filter), placeholderData: keepPreviousData })

  const [range, setRange] = useState({ key: wantedKey, pages: [0] as readonly number[] })
  // The first rows and their count arrive together, so a list never jumps between two lengths.
  const hasArrived = (nextPage.data !== undefined && !nextSummary.isPlaceholderData) || nextPage.isError || nextSummary.isError
  const wantedView = useRef(wanted)
  useLayoutEffect(() => {
    wantedView.current = wanted
  })
  useLayoutEffect(() => {
    if (changing && hasArrived) setShown({ view: wantedView.current, key: wantedKey })
  }, [changing, hasArrived, wantedKey])

  const { view } = shown
  const currentSummary = useQuery({ ...summaryQuery(view.filter), placeholderData: keepPreviousData })
  // What the tiles say stays, even where the next answer never comes.
  const [lastSummary, setLastSummary] = useState(currentSummary.data)
  useEffect(() => {
    if (currentSummary.data !== undefined) setLastSummary(currentSummary.data)
  }, [currentSummary.data])
  const pages = range.key === shown.key ? range.pages : firstPages
  const read = useQueries({ queries: pages.map((page) => pageQuery(view, page)), combine })

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onRange = useCallback(
    (firstIndex: number, lastIndex: number): void => {
      const next = { key: shown.key, pages: pagesOf(firstIndex, lastIndex) }
      const commit = (): void => setRange((before) => (sameRange(before, next) ? before : next))
      clearTimeout(timer.current)
      // Whoever drags the scroll bar over 100,000 rows does not want them all.
      if (next.pages.every((page) => queryClient.getQueryData(pageKey(shown.view, page)) !== undefined)) commit()
      else timer.current = setTimeout(commit, settleMs)
    },
    [shown],
  )

  const rowAt = useCallback(
    (index: number): Domain | undefined => {
      const page = Math.floor(index / pageSize)
      // The cache is asked where `read` has not caught up yet, so that rows already read never show as skeletons.
      const data = read.data[pages.indexOf(page)] ?? queryClient.getQueryData<Page>(pageKey(view, page))
      return data?.domains[index % pageSize]
    },
    [read, pages, view],
  )
  const error = read.error ?? (nextSummary.data === undefined ? nextSummary.error : null)
  return {
    view,
    changing,
    count: countOf(currentSummary.data?.matching, pages, read.data),
    rowAt,
    summary: currentSummary.data ?? lastSummary,
    loading: read.data[0] === undefined && currentSummary.data === undefined && error === null,
    error,
    onRange,
  }
}

const combine = (results: readonly UseQueryResult<Page>[]) => ({
  data: results.map((result) => result.data),
  /** Of pages that have never been read; a page that could not be read again stays in view. */
  error: results.find((result) => result.isError && result.data === undefined)?.error ?? null,
})

/** Every row that was read lately, whatever the view, by its id. */
export const loadedDomains = (): ReadonlyMap<string, Domain> =>
  new Map(
    queryClient
      .getQueriesData<Page>({ queryKey: [['domains', 'rows']] })
      .flatMap(([, page]) => page?.domains ?? [])
      .map((row) => [row.id, row]),
  )

const firstPages: readonly number[] = [0]

const sameRange = (one: { key: string; pages: readonly number[] }, other: { key: string; pages: readonly number[] }): boolean =>
  one.key === other.key && one.pages.join() === other.pages.join()

/** The summary counts, but what the pages have shown is truer where the two were read at different moments. */
function countOf(matching: number | undefined, pages: readonly number[], read: readonly (Page | undefined)[]): number {
  let least = 0
  for (const [index, page] of pages.entries()) {
    const data = read[index]
    if (data === undefined) continue
    const end = page * pageSize + data.domains.length
    if (data.nextCursor === null && (data.domains.length > 0 || page === 0)) return end
    if (data.domains.length > 0) least = Math.max(least, end)
  }
  return Math.max(least, matching ?? 0)
}
