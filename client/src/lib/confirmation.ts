import { createStore } from './store.ts'

/** Somebody is to prove again that it is them; a dialog that watches this asks, and answers. */
export const confirmation = createStore<{ readonly answer: (confirmed: boolean) => void } | null>(null)

let waiting: Promise<boolean> | null = null

/** Whether the person has proved it. Calls that need it at the same time are asked for once. */
export function askConfirmation(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    confirmation.set({ answer: resolve })
  }).finally(() => {
    waiting = null
    confirmation.set(null)
  })
  return waiting
}
