import { httpSubscriptionLink, type TRPCLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import type { AnyTRPCRouter } from '@trpc/server'

/** Subscriptions over server-sent events, through `fetch` so that they carry the bearer token. */
export const subscriptionLink = (url: string, headers: () => Record<string, string>): TRPCLink<AnyTRPCRouter> =>
  httpSubscriptionLink({
    url,
    EventSource,
    eventSourceOptions: () => ({
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers() } }),
    }),
  })
