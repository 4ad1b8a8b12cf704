import { parseOwnership, type OwnershipSearch } from '#client/lib/ownership.ts'
import { persisted } from '#client/lib/store.ts'

/** What the page of registrars keeps in its address. */
export interface RegistrarsSearch extends OwnershipSearch {
  q?: string
}

/** Reads anything at all; what is not understood is left out. */
export function parseRegistrarsSearch(raw: unknown): RegistrarsSearch {
  const { q, ...whose }: { q?: unknown } = typeof raw === 'object' && raw !== null ? raw : {}
  // The router has read a number out of the address where there was one.
  const text = typeof q === 'string' ? q : typeof q === 'number' ? String(q) : ''
  return { ...(text !== '' && { q: text.slice(0, 255) }), ...parseOwnership(whose) }
}

/** Cards or a list, as this browser had it last (R-REG-03, R-APP-05). */
export const registrarsView = persisted<'cards' | 'list'>('zonedeck.registrars-view', (stored) => (stored === 'list' ? 'list' : 'cards'))
