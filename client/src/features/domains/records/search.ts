import { compact, searchParams } from '#client/lib/search-params.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'

/** The URL parameters of the page. Types are joined with dots. */
export interface RecordsSearch {
  q?: string
  type?: string
  proxied?: 'yes' | 'no'
  /** A sort key, with `-` before it for descending order. */
  sort?: string
}

const recordSortKeys = ['name', 'type', 'content', 'proxied', 'ttl', 'priority', 'comment', 'modified'] as const
export type RecordSortKey = (typeof recordSortKeys)[number]

export function parseRecordsSearch(raw: unknown): RecordsSearch {
  const { text, oneOf } = searchParams(raw)
  const types = text('type')
    ?.split('.')
    .filter((each) => /^[A-Z]{1,12}$/.test(each))
    .join('.')
  return compact<RecordsSearch>({
    q: text('q'),
    type: types || undefined,
    proxied: oneOf('proxied', ['yes', 'no']),
    sort: sortParam(sortOf(text('sort'))),
  })
}

const usualSort: Sort & { key: RecordSortKey } = { key: 'name', direction: 'asc' }

export function sortOf(sort: string | undefined): Sort & { key: RecordSortKey } {
  const descending = sort?.startsWith('-') === true
  const key = recordSortKeys.find((each) => each === (descending ? sort.slice(1) : sort))
  return key === undefined ? usualSort : { key, direction: descending ? 'desc' : 'asc' }
}

export const sortParam = ({ key, direction }: Sort): string | undefined =>
  key === usualSort.key && direction === usualSort.direction ? undefined : `${direction === 'desc' ? '-' : ''}${key}`
