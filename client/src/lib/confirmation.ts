import { createStore } from './store.ts'

/** A pending authentication request; the dialog that watches this answers it. */
export const confirmation = createStore<{ readonly answer: (confirmed: boolean) => void } | null>(null)

let waiting: Promise<boolean> | null = null

/** Resolves with whether the user has authenticated. Concurrent calls share one request. */
export function askConfirmation(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    confirmation.set({ answer: resolve })
  }).finally(() => {
    waiting = null
    confirmation.set(null)
  })
  return waiting
}
