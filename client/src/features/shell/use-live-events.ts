import { useEffect, useRef } from 'react'
import { auth } from '#client/lib/auth.ts'
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
  // Another password ends the token that it listens with.
  const { token } = auth.use()
  const listening = useRef(token)
  useEffect(() => {
    if (listening.current === token) return
    listening.current = token
    live.reset()
  }, [token, live])
}
