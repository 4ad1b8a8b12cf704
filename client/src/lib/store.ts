import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get: () => T
  set: (next: T | ((before: T) => T)) => void
  subscribe: (listener: () => void) => () => void
  /** A hook that returns the value and re-renders on change. */
  use: () => T
}

/** A value outside React that components can subscribe to. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const store: Store<T> = {
    get: () => value,
    set: (next) => {
      const after = typeof next === 'function' ? (next as (before: T) => T)(value) : next
      if (Object.is(after, value)) return
      value = after
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    use: () => useSyncExternalStore(store.subscribe, store.get),
  }
  return store
}

/**
 * A store in local storage, shared by all tabs. `parse` receives the stored value (of any content) and returns a valid one. R-APP-05 limits what
 * may be stored.
 */
export function persisted<T>(key: PersistedKey, parse: (stored: unknown) => T): Store<T> {
  const read = (raw: string | null): T => {
    if (raw === null) return parse(undefined)
    try {
      return parse(JSON.parse(raw))
    } catch {
      return parse(undefined)
    }
  }
  const store = createStore(read(localStorage.getItem(key)))
  let fromOtherTab = false
  store.subscribe(() => {
    if (!fromOtherTab) localStorage.setItem(key, JSON.stringify(store.get()))
  })
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    fromOtherTab = true
    store.set(read(event.key === null ? null : event.newValue))
    fromOtherTab = false
  })
  return store
}

type PersistedKey = 'zonedeck.auth' | 'zonedeck.domain-filters' | 'zonedeck.account-filters' | 'zonedeck.registrars-view'
