import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { mostNames, splitNames } from './split-names.ts'

interface Lookup {
  text: string
  /** The current look-up under a generated id: ten thousand names are not suitable as a cache key. */
  asked: { id: number; names: readonly string[] } | null
}

const empty: Lookup = { text: '', asked: null }

export const lookup = createStore<Lookup>(empty)
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) lookup.set(empty)
})

/** Looks up the names in `text`, up to the maximum. */
export function askLookup(text: string): void {
  const names = splitNames(text).slice(0, mostNames)
  lookup.set((before) => ({ text, asked: names.length === 0 ? null : { id: (before.asked?.id ?? 0) + 1, names } }))
}
