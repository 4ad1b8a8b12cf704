import { TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { TRPCErrorResponse } from '@trpc/server/rpc'
import { retryableRpcCodes, sseStreamConsumer } from '@trpc/server/unstable-core-do-not-import'
import { EventSource } from 'eventsource'

interface Stream {
  EventSource: typeof EventSource
  /** As sent by the server: tracked events have an id. */
  data: { id?: string; data: unknown }
  error: TRPCErrorResponse['error']
}

/**
 * Subscriptions over server-sent events, through `fetch`, so that they carry the bearer token. Replaces `httpSubscriptionLink`, which shares a
 * module with the client and would add the stream reader to the first load.
 */
export const subscriptionLink =
  (url: string, headers: () => Record<string, string>): TRPCLink<AnyTRPCRouter> =>
  () =>
  ({ op }) =>
    observable((observer) => {
      const stopped = new AbortController()
      let lastEventId: string | undefined
      const events = sseStreamConsumer<Stream>({
        EventSource,
        signal: stopped.signal,
        url: () => `${url}/${op.path}${lastEventId === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ lastEventId }))}`}`,
        init: () => ({ fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers() } }) }),
      })
      const read = async (): Promise<void> => {
        for await (const event of events) {
          if (event.type === 'data') {
            lastEventId = event.data.id ?? lastEventId
            // A tracked event is returned with its id.
            observer.next({ result: event.data.id === undefined ? { data: event.data.data } : { id: event.data.id, data: event.data } })
          } else if (event.type === 'serialized-error' && !retryableRpcCodes.includes(event.error.code)) {
            throw TRPCClientError.from({ error: event.error })
          }
        }
        observer.complete()
      }
      read().catch((error: unknown) => observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error)))))
      return () => stopped.abort()
    })
