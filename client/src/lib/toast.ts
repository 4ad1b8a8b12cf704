import type { ReactNode } from 'react'
import type { ToastAction, ToastMessage } from './toast-view.tsx'
import { failureOf, messageOf, providerWords } from './errors.ts'
import { createStore } from './store.ts'

/** Whether the toast container is needed; it is not part of the first load. */
export const toastsWanted = createStore(false)

/** Preloads the code of toasts, so that they can be shown when the server is down. */
export const loadToasts = async (): Promise<typeof import('./toast-view.tsx')> => {
  const view = await import('./toast-view.tsx')
  // Only after the import: if it fails, only the toast is missing, and the next one retries.
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
  /** A success with undo. */
  undoable: (title: string, label: string, run: () => void, id?: string) =>
    show({ kind: 'success', title, action: { label, run }, ...(id !== undefined && { id }) }),
  /** A long operation has ended; the button opens its result, and another may undo it. */
  ended: (kind: ToastMessage['kind'], title: string, text: string, label: string, run: () => void, otherAction?: ToastAction) =>
    show({ kind, title, ...(text !== '' && { text }), action: { label, run }, ...(otherAction && { otherAction }) }),
  info: (title: string, text?: ReactNode) => show({ kind: 'info', title, text }),
  warning: (title: string, text?: ReactNode) => show({ kind: 'warning', title, text }),
  error: (title: string, text?: ReactNode, id?: string) => show({ kind: 'error', title, text, ...(id !== undefined && { id }) }),
  /** A failed call: the action, the reason, and the provider's message if any. */
  failure: (error: unknown, title?: string) => {
    const failure = failureOf(error)
    // Cancelled calls are not reported; an unreachable server is reported once by the query client.
    if (failure.kind === 'cancelled' || failure.kind === 'no_response') return
    const message = messageOf(error)
    const parts = [title === undefined ? undefined : message, providerWords(error)].filter((part) => part !== undefined)
    show({ kind: 'error', title: title ?? message, ...(parts.length > 0 && { text: parts.join('\n') }) })
  },
}
