import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'

/** What the page of groups keeps in its address. */
export interface GroupsSearch extends OwnershipSearch {
  q?: string
  view?: 'list'
}

/** Reads anything at all; what is not understood is left out. */
export function parseGroupsSearch(raw: unknown): GroupsSearch {
  const part = (key: string): unknown => (typeof raw === 'object' && raw !== null ? new Map(Object.entries(raw)).get(key) : undefined)
  const q = part('q')
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return {
    ...(text !== '' && { q: text.slice(0, 255) }),
    ...parseOwnership({ owner: part('owner'), whose: part('whose') }),
    ...(part('view') === 'list' && { view: 'list' }),
  }
}
