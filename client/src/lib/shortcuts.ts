import { useLayoutEffect, useRef } from 'react'

/** Keys written as `/`, `?`, `j`, `Escape`, `mod+k`, or a sequence such as `g d`. An action that answers false was not meant. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void | boolean>

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=textbox]'))

export const dialogOpen = (): boolean => document.querySelector('[role=dialog][aria-modal=true]') !== null

/** A menu or a small window: Escape is theirs. */
const layerOpen = (): boolean => document.querySelector('[role=menu], [role=listbox], [role=dialog]') !== null

/** Latin letter of the key pressed, so `j` works on a Russian layout too. */
function nameOf(event: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
  const latin = event.key.length === 1 && event.key.charCodeAt(0) > 127
  const key = latin && letter ? letter : latin && event.code === 'Slash' ? (event.shiftKey ? '?' : '/') : event.key
  const slash = event.code === 'Slash' && !event.ctrlKey && !event.metaKey ? (event.shiftKey ? '?' : '/') : key
  const plain = slash.length === 1 ? slash.toLowerCase() : slash
  return event.ctrlKey || event.metaKey ? `mod+${plain}` : plain
}

const sequenceMs = 900

/** Listens while the component is shown; silent while somebody types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts, enabled = true): void {
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  // Before the page is painted: what can be seen hears keys already.
  useLayoutEffect(() => {
    if (!enabled) return
    let before: { key: string; atMs: number } | null = null
    let layered = false
    // Asked on the way in and before any dialog hears it, so at the window, where who came first is first: what has closed by then seems never to have been open.
    const onCapture = (event: KeyboardEvent): void => {
      layered = event.key === 'Escape' && layerOpen()
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || layered) return
      const key = nameOf(event)
      if (!key.startsWith('mod+') && (typing(event.target) || dialogOpen())) return
      const sequence = before && event.timeStamp - before.atMs < sequenceMs ? `${before.key} ${key}` : null
      before = { key, atMs: event.timeStamp }
      const action = (sequence === null ? undefined : latest.current[sequence]) ?? latest.current[key]
      if (!action) return
      if (action(event) !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onCapture, true)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onCapture, true)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [enabled])
}
