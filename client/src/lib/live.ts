import { useEffect, useRef } from 'react'
import type { LiveEvent } from '#shared/features/live/schema.ts'

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()

/** The shell holds the one subscription and passes on what it hears. */
export const dispatchLive = (event: LiveEvent): void => {
  for (const listener of listeners) listener(event)
}

/** Hears the change events of the server while the component is shown, whichever process did the work. */
export function useLive(listener: Listener): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const hear: Listener = (event) => latest.current(event)
    listeners.add(hear)
    return () => {
      listeners.delete(hear)
    }
  }, [])
}
