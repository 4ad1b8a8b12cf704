import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ListedDomain, DomainSummary } from '#shared/features/domains/schema.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { loadedMatches } from './loaded-matches.ts'
import { firstRowsQuery, loadedRows, pageKey, pageQuery, pageSize, summaryQuery, type DomainsView, type Page } from './queries.ts'

/** Rows beyond the visible ones that are prefetched. */
const aheadRows = 40
const settleMs = 70
/** A faster response replaces the rows before the loaded ones are searched, so that the list changes once. */
const patienceMs = 150

export interface DomainRows {
  /** The view of the rows: the requested one as soon as its first rows have loaded or loaded ones match it. */
  view: DomainsView
  /** Whether rows of another view are still shown, or only those that had been loaded. */
  changing: boolean
  count: number
  /** Undefined while loading. */
  rowAt: (index: number) => ListedDomain | undefined
  summary: DomainSummary | undefined
  /** Whether nothing has loaded yet. */
  loading: boolean
  error: unknown
  onRange: (firstIndex: number, lastIndex: number) => void
}

const pagesOf = (firstIndex: number, lastIndex: number): readonly number[] => {
  const from = Math.max(0, Math.floor((firstIndex - aheadRows) / pageSize))
  const to = Math.floor((lastIndex + aheadRows) / pageSize)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Rows of a list of any length by index, loaded page by page as they become visible. */
export function useDomainRows(wanted: DomainsView): DomainRows {
  const wantedKey = JSON.stringify(wanted)
  const [shown, setShown] = useState({ view: wanted, key: wantedKey })
  const changing = shown.key !== wantedKey

  const nextPage = useQuery({ ...firstRowsQuery(wanted), enabled: changing })
  const nextSummary = useQuery({ ...summaryQuery(wanted.filter), placeholderData: keepPreviousData })

  const [range, setRange] = useState({ key: wantedKey, pages: [0] as readonly number[] })
  // The first rows and their count arrive together, so the length of the list does not jump.
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
  // The tiles keep their values even if the next response fails.
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
      // Dragging the scroll bar over 100,000 rows must not load them all.
      if (next.pages.every((page) => queryClient.getQueryData(pageKey(shown.view, page)) !== undefined)) commit()
      else timer.current = setTimeout(commit, settleMs)
    },
    [shown],
  )

  const rowAt = useCallback(
    (index: number): ListedDomain | undefined => {
      const page = Math.floor(index / pageSize)
      // Falls back to the cache where `read` has not caught up, so that loaded rows never show as skeletons.
      const data = read.data[pages.indexOf(page)] ?? queryClient.getQueryData<Page>(pageKey(view, page))
      return data?.domains[index % pageSize]
    },
    [read, pages, view],
  )
  const early = useEarlyRows(shown.view, wanted, changing ? wantedKey : null)
  const earlyRowAt = useCallback((index: number) => early?.[index], [early])
  const error = read.error ?? (nextSummary.data === undefined ? nextSummary.error : null)
  return {
    view: early === null ? view : wanted,
    changing,
    count: early?.length ?? countOf(currentSummary.data?.matching, pages, read.data),
    rowAt: early === null ? rowAt : earlyRowAt,
    summary: currentSummary.data ?? lastSummary,
    loading: read.data[0] === undefined && currentSummary.data === undefined && error === null,
    error,
    onRange: early === null ? onRange : ignoreRange,
  }
}

const ignoreRange = (): void => undefined

/**
 * The loaded rows that match a filter whose response is late; null if there are none, or if only the server can find them.
 * @param key of the wanted view; null when it has arrived
 */
function useEarlyRows(shown: DomainsView, wanted: DomainsView, key: string | null): readonly ListedDomain[] | null {
  const [late, setLate] = useState<string | null>(null)
  useEffect(() => {
    if (key === null) return
    const timer = setTimeout(() => setLate(key), patienceMs)
    return () => clearTimeout(timer)
  }, [key])
  return useMemo(() => {
    if (key === null || late !== key || JSON.stringify(shown.sort) !== JSON.stringify(wanted.sort)) return null
    const found = loadedMatches(loadedRows(shown), wanted.filter)
    return found === null || found.length === 0 ? null : found
  }, [key, late, shown, wanted])
}

const combine = (results: readonly UseQueryResult<Page>[]) => ({
  data: results.map((result) => result.data),
  /** Only for pages that never loaded; a page that fails to refetch stays visible. */
  error: results.find((result) => result.isError && result.data === undefined)?.error ?? null,
})

const firstPages: readonly number[] = [0]

const sameRange = (one: { key: string; pages: readonly number[] }, other: { key: string; pages: readonly number[] }): boolean =>
  one.key === other.key && one.pages.join() === other.pages.join()

/** Prefers the count of the pages over that of the summary when the two were read at different times. */
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
