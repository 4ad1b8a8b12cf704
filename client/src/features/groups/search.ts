import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'

/** The URL parameters of the groups page. */
export interface GroupsSearch extends OwnershipSearch {
  q?: string
  view?: 'list'
}

export function parseGroupsSearch(raw: unknown): GroupsSearch {
  const { text, oneOf } = searchParams(raw)
  return compact<GroupsSearch>({ q: text('q'), view: oneOf('view', ['list']), ...parseOwnership(raw) })
}
