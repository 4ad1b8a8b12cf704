import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { persisted } from '#client/lib/store.ts'

/** What the accounts page keeps in its address. */
export interface AccountsSearch extends OwnershipSearch {
  q?: string
}

/** Reads anything at all; what is not understood is left out. */
export function parseAccountsSearch(raw: unknown): AccountsSearch {
  const { q, owner, whose }: { q?: unknown; owner?: unknown; whose?: unknown } = typeof raw === 'object' && raw !== null ? raw : {}
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return { ...(text !== '' && { q: text.slice(0, 255) }), ...parseOwnership({ owner, whose }) }
}

/** The last search and filters of this browser; fills in where the address says nothing (R-RTE-05, R-APP-05). */
export const storedAccountFilter = persisted<AccountsSearch>('zonedeck.account-filters', parseAccountsSearch)
