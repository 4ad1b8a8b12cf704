import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { compact, searchParams } from '#client/lib/search-params.ts'
import { persisted } from '#client/lib/store.ts'

/** The URL parameters of the registrars page. */
export interface RegistrarsSearch extends OwnershipSearch {
  q?: string
}

export const parseRegistrarsSearch = (raw: unknown): RegistrarsSearch =>
  compact<RegistrarsSearch>({ q: searchParams(raw).text('q'), ...parseOwnership(raw) })

/** Cards or a list, as last used in this browser (R-REG-03, R-APP-05). */
export const registrarsView = persisted<'cards' | 'list'>('zonedeck.registrars-view', (stored) => (stored === 'list' ? 'list' : 'cards'))
