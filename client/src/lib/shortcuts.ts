import { useLayoutEffect, useRef } from 'react'

/** Keys written as `/`, `?`, `j`, `Escape`, `mod+k`, or a sequence such as `g d`. An action that returns false did not handle the key. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void | boolean>

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=textbox]'))

export const dialogOpen = (): boolean => document.querySelector('[role=dialog][aria-modal=true]') !== null

/** An open menu or popover handles Escape itself. */
const layerOpen = (): boolean => document.querySelector('[role=menu], [role=listbox], [role=dialog]') !== null

/** The Latin letter of the key, so that `j` works with a Russian layout too. */
function nameOf(event: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
  const latin = event.key.length === 1 && event.key.charCodeAt(0) > 127
  const key = latin && letter ? letter : latin && event.code === 'Slash' ? (event.shiftKey ? '?' : '/') : event.key
  const slash = event.code === 'Slash' && !event.ctrlKey && !event.metaKey ? (event.shiftKey ? '?' : '/') : key
  const plain = slash.length === 1 ? slash.toLowerCase() : slash
  return event.ctrlKey || event.metaKey ? `mod+${plain}` : plain
}

const sequenceMs = 900

/** Listens while the component is mounted; ignores keys while the user types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts, enabled = true): void {
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  // Before the paint, so that visible controls already respond to keys.
  useLayoutEffect(() => {
    if (!enabled) return
    let before: { key: string; atMs: number } | null = null
    let layered = false
    // Checked in the capture phase on the window, where listeners run in order of registration, before any dialog handles the key and closes.
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
