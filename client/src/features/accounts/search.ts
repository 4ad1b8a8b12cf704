import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import { persisted } from '#client/lib/store.ts'

/** What the accounts page keeps in its address. */
export interface AccountsSearch extends OwnershipSearch {
  q?: string
}

export const parseAccountsSearch = (raw: unknown): AccountsSearch =>
  compact<AccountsSearch>({ q: searchParams(raw).text('q'), ...parseOwnership(raw) })

/** The last search and filters of this browser; fills in where the address says nothing (R-RTE-05, R-APP-05). */
export const storedAccountFilter = persisted<AccountsSearch>('zonedeck.account-filters', parseAccountsSearch)
