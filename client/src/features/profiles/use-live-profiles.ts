import { useEffect, useRef } from 'react'
import { useLive } from '#client/lib/live.ts'
import { refreshProfiles } from './use-profile-actions.ts'

const waitMs = 600
/** Where domains differ takes the server a while to count. */
const streamMs = 8_000

/** Reads profiles again soon after news of them or of domains, always after the last of it. */
export function useLiveProfiles(): void {
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
      void refreshProfiles()
      if (again.current) {
        again.current = false
        renew(streamMs)
      }
    }, afterMs)
  }
  useLive(({ kind }) => {
    if (kind === 'profiles' || kind === 'domains') renew(waitMs)
  })
}
