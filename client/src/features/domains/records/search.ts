import type { Sort } from '#client/ui/data-table.types.ts'

/** What the address of the page says. Types are joined by dots. */
export interface RecordsSearch {
  q?: string
  type?: string
  proxied?: 'yes' | 'no'
  /** A key of the sort, with `-` before it for the other way round. */
  sort?: string
}

const recordSortKeys = ['name', 'type', 'content', 'proxied', 'ttl', 'priority', 'comment', 'modified'] as const
export type RecordSortKey = (typeof recordSortKeys)[number]

// The router has read numbers and booleans out of the address already; all of ours are words.
const word = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return text.trim() === '' ? undefined : text.slice(0, 255)
}

/** Reads anything at all; what is not understood is left out, so an old or broken link still opens the page. */
export function parseRecordsSearch(raw: Record<string, unknown>): RecordsSearch {
  const q = word(raw['q'])
  const type = word(raw['type'])
    ?.split('.')
    .filter((each) => /^[A-Z]{1,12}$/.test(each))
    .join('.')
  const proxied = raw['proxied'] === 'yes' || raw['proxied'] === 'no' ? raw['proxied'] : undefined
  const sort = sortParam(sortOf(word(raw['sort'])))
  return { ...(q && { q }), ...(type && { type }), ...(proxied && { proxied }), ...(sort && { sort }) }
}

const usualSort: Sort & { key: RecordSortKey } = { key: 'name', direction: 'asc' }

export function sortOf(sort: string | undefined): Sort & { key: RecordSortKey } {
  const descending = sort?.startsWith('-') === true
  const key = recordSortKeys.find((each) => each === (descending ? sort.slice(1) : sort))
  return key === undefined ? usualSort : { key, direction: descending ? 'desc' : 'asc' }
}

export const sortParam = ({ key, direction }: Sort): string | undefined =>
  key === usualSort.key && direction === usualSort.direction ? undefined : `${direction === 'desc' ? '-' : ''}${key}`
