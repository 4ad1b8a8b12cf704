import { auth } from '#client/lib/auth.ts'
import { createStore } from '#client/lib/store.ts'
import { nothing, type Selection } from './selection.ts'

/** Lives as long as the tab, so that a look at one domain does not lose it; never persisted (R-APP-05). */
export const domainSelection = createStore<Selection>(nothing)
auth.subscribe(() => {
  if (!auth.get().isAuthenticated) domainSelection.set(nothing)
})
