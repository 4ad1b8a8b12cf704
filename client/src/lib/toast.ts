import type { ReactNode } from 'react'
import type { ToastAction, ToastMessage } from './toast-view.tsx'
import { failureOf, messageOf, providerWords } from './errors.ts'
import { createStore } from './store.ts'

/** Whether the place where toasts appear is wanted in the page; it is no part of the first load. */
export const toastsWanted = createStore(false)

/** Brings the toasts' code, so that they can be shown when the server is gone. */
export const loadToasts = async (): Promise<typeof import('./toast-view.tsx')> => {
  const view = await import('./toast-view.tsx')
  // Only now: where it does not come, no more than the toast is missing, and the next one asks again.
  toastsWanted.set(true)
  return view
}

const show = (message: ToastMessage): void => {
  loadToasts().then(
    (view) => view.showToast(message),
    () => undefined,
  )
}

/** Toasts at the top right (R-LAY-07). */
export const toast = {
  success: (title: string, text?: ReactNode) => show({ kind: 'success', title, text }),
  /** A success that can be taken back. */
  undoable: (title: string, label: string, run: () => void, id?: string) =>
    show({ kind: 'success', title, action: { label, run }, ...(id !== undefined && { id }) }),
  /** Something long has ended; the button leads to what came of it, and another may reverse it. */
  ended: (kind: ToastMessage['kind'], title: string, text: string, label: string, run: () => void, otherAction?: ToastAction) =>
    show({ kind, title, ...(text !== '' && { text }), action: { label, run }, ...(otherAction && { otherAction }) }),
  info: (title: string, text?: ReactNode) => show({ kind: 'info', title, text }),
  warning: (title: string, text?: ReactNode) => show({ kind: 'warning', title, text }),
  error: (title: string, text?: ReactNode, id?: string) => show({ kind: 'error', title, text, ...(id !== undefined && { id }) }),
  /** A failed call: what was tried, what happened, and the provider's own words where there are any. */
  failure: (error: unknown, title?: string) => {
    const failure = failureOf(error)
    // Nobody waits for a cancelled call; of a silent server the query client reports once for all calls.
    if (failure.kind === 'cancelled' || failure.kind === 'no_response') return
    const message = messageOf(error)
    const parts = [title === undefined ? undefined : message, providerWords(error)].filter((part) => part !== undefined)
    show({ kind: 'error', title: title ?? message, ...(parts.length > 0 && { text: parts.join('\n') }) })
  },
}
