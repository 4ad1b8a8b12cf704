import { useEffect, useRef } from 'react'
import { useLive } from '#client/lib/live.ts'
import { refreshGroups } from './use-group-actions.ts'

const waitMs = 600
/** While the news does not end, as during a first sync. */
const streamMs = 2_500

/** Reads groups again soon after news of them or of domains, always after the last of it. */
export function useLiveGroups(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const again = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  const renew = (afterMs: number): void => {
    if (timer.current !== undefined) {
      again.current = true
      return
    }
    timer.current = setTimeout(() => {
      timer.current = undefined
      void refreshGroups()
      if (again.current) {
        again.current = false
        renew(streamMs)
      }
    }, afterMs)
  }
  useLive(({ kind }) => {
    if (kind !== 'operations') renew(waitMs)
  })
}
