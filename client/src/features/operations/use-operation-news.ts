import { useEffect, useRef } from 'react'
import { queryClient } from '#client/lib/query-client.ts'
import { useLive } from '#client/lib/live.ts'

const waitMs = 300
/** While the news does not end, as during a run. */
const streamMs = 1_500

export const refreshOperations = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [['operations']] })

/** Reads what is shown of operations again soon after news, always after the last of it. */
export function useOperationNews(): void {
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
      void refreshOperations()
      if (again.current) {
        again.current = false
        renew(streamMs)
      }
    }, afterMs)
  }
  useLive((event) => {
    if (event.kind === 'operations') renew(waitMs)
  })
}
