import { useEffect, useRef } from 'react'
import { queryClient } from '#client/lib/query-client.ts'
import { useLive } from '#client/lib/live.ts'

/** Counts are exact within a second of a change; reading sooner could read the old ones. */
const waitMs = 1_100
/** While the news does not end, as during a first sync. */
const streamMs = 2_500

/** Renews everything about domains, the accounts they are read from and the groups they are in, soon after news, always after the last of it. */
export function useLiveDomains(): void {
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
      void queryClient.invalidateQueries({ queryKey: [['domains']] })
      void queryClient.invalidateQueries({ queryKey: [['accounts', 'list']] })
      void queryClient.invalidateQueries({ queryKey: [['groups']] })
      if (again.current) {
        again.current = false
        renew(streamMs)
      }
    }, afterMs)
  }
  useLive((event) => {
    if (event.kind === 'domains' || event.kind === 'accounts' || event.kind === 'shares') renew(waitMs)
  })
}
