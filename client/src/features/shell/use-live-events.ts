import { useEffect, useRef } from 'react'
import { tellLive } from '#client/lib/live.ts'
import { handleFailure } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'

const againMs = 5000

/** Holds the subscription to the server's news for as long as the shell is shown; comes back after a failure. */
export function useLiveEvents(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const live = trpc.live.events.useSubscription(undefined, {
    onData: ({ data }) => tellLive(data),
    onError: (error) => {
      handleFailure(error)
      timer.current = setTimeout(() => live.reset(), againMs)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
