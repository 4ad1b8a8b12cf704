import { persisted } from '#client/lib/store.ts'

/** What the accounts page keeps in its address. */
export interface AccountsSearch {
  q?: string
}

/** Reads anything at all; what is not understood is left out. */
export function parseAccountsSearch(raw: unknown): AccountsSearch {
  const q = typeof raw === 'object' && raw !== null && 'q' in raw ? raw.q : ''
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return text === '' ? {} : { q: text.slice(0, 255) }
}

/** The last search of this browser; fills in where the address says nothing (R-RTE-05, R-APP-05). */
export const storedAccountFilter = persisted<AccountsSearch>('zonedeck.account-filters', parseAccountsSearch)
