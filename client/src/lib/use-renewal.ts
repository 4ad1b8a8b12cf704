import { useEffect, useRef } from 'react'
import type { LiveEvent } from '#shared/features/live/schema.ts'
import { useLive } from './live.ts'

interface Pace {
  /** From the first change event to the refetch. */
  readonly waitMs: number
  /** Between two refetches during a stream of change events, such as a first sync. */
  readonly streamMs: number
}

/** Refetches soon after a request, throttled for frequent requests, and always after the last one. */
export function createRenewal(read: () => void, { waitMs, streamMs }: Pace) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const renew = (afterMs = waitMs): void => {
    if (timer !== undefined) {
      again = true
      return
    }
    timer = setTimeout(() => {
      timer = undefined
      read()
      if (!again) return
      again = false
      renew(streamMs)
    }, afterMs)
  }
  return { renew: () => renew(), stop: () => clearTimeout(timer) }
}

/** Refetches soon after change events while the component is mounted. `read` and the pace are those of the first render. */
export function useRenewal(isOfIt: (event: LiveEvent) => boolean, read: () => void, pace: Pace): void {
  const renewal = useRef<ReturnType<typeof createRenewal>>(undefined)
  const first = useRef({ read, pace })
  useEffect(() => {
    renewal.current = createRenewal(first.current.read, first.current.pace)
    return () => renewal.current?.stop()
  }, [])
  useLive((event) => {
    if (isOfIt(event)) renewal.current?.renew()
  })
}
