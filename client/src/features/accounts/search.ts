import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import { persisted } from '#client/lib/store.ts'

/** The URL parameters of the accounts page. */
export interface AccountsSearch extends OwnershipSearch {
  q?: string
}

export const parseAccountsSearch = (raw: unknown): AccountsSearch =>
  compact<AccountsSearch>({ q: searchParams(raw).text('q'), ...parseOwnership(raw) })

/** The last search and filters of this browser, used when the URL has none (R-RTE-05, R-APP-05). */
export const storedAccountFilter = persisted<AccountsSearch>('zonedeck.account-filters', parseAccountsSearch)
