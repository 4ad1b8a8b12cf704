import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { findRecords, sortRecords } from './find-records.ts'
import { parseRecordsSearch, sortOf, type RecordsSearch } from './search.ts'

const route = getRouteApi('/_app/domains/$id/records')

export const noRecords: readonly DnsRecord[] = []

export type RecordsView = ReturnType<typeof useRecordsView>

/** The records of the page, searched, filtered and sorted by the URL parameters. */
export function useRecordsView(records: readonly DnsRecord[] | undefined, zoneName: string) {
  const raw = route.useSearch()
  const search = useMemo(() => parseRecordsSearch(raw), [raw])
  const navigate = route.useNavigate()
  const change = useCallback(
    (part: SearchPart<RecordsSearch>) =>
      void navigate({ replace: true, resetScroll: false, search: (before) => parseRecordsSearch({ ...before, ...part }) }),
    [navigate],
  )
  const sort = useMemo(() => sortOf(search.sort), [search.sort])

  // The list follows every keystroke; the URL is updated when typing stops.
  const q = search.q ?? ''
  const [draft, setDraft] = useState({ q, text: q })
  const typed = draft.q === q ? draft.text : q
  const onType = useCallback((text: string) => setDraft({ q, text }), [q])
  const onText = useCallback((next: string) => change({ q: next }), [change])

  const all = records ?? noRecords
  const sorted = useMemo(() => sortRecords(all, sort, zoneName), [all, sort, zoneName])
  const found = useMemo(
    () => findRecords(sorted, { text: typed, types: search.type?.split('.') ?? [], proxied: search.proxied }),
    [sorted, typed, search.type, search.proxied],
  )
  const activeFilters = Number(search.type !== undefined) + Number(search.proxied !== undefined)
  return {
    ...found,
    total: all.length,
    isLoading: records === undefined,
    isEmpty: records?.length === 0,
    search,
    sort,
    change,
    text: q,
    onText,
    onType,
    activeFilters,
    isFiltered: activeFilters > 0 || typed.trim() !== '',
    reset: (): void => {
      onType('')
      change({ q: undefined, type: undefined, proxied: undefined })
    },
    scrollKey: JSON.stringify([typed, search.type, search.proxied, search.sort]),
  }
}
