import { useEffect, useRef } from 'react'
import type { LiveEvent } from '#shared/features/live/schema.ts'

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()

/** The shell holds the only subscription and distributes its events. */
export const dispatchLive = (event: LiveEvent): void => {
  for (const listener of listeners) listener(event)
}

/** Receives the server's change events while the component is mounted, whichever process caused them. */
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
