import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { EventSource } from 'eventsource'
import type { AppRouter } from '#server/transports/trpc/router.ts'
import { auth } from './auth.ts'
import { queryClient } from './query-client.ts'

export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const headers = (): Record<string, string> => {
  const { token } = auth.get()
  const xsrf = cookie('XSRF-TOKEN')
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(xsrf && { 'x-xsrf-token': decodeURIComponent(xsrf) }),
  }
}

const url = '/trpc'

const links: TRPCLink<AppRouter>[] = [
  splitLink({
    condition: ({ type }) => type === 'subscription',
    true: httpSubscriptionLink({
      url,
      EventSource,
      eventSourceOptions: () => ({
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers() } }),
      }),
    }),
    false: httpBatchLink({ url, headers, maxItems: 20, maxURLLength: 4000 }),
  }),
]

/** The panel's calls as hooks. */
export const trpc = createTRPCReact<AppRouter>()
export const trpcHooksClient = trpc.createClient({ links })

/** The same calls outside components, without the cache: sign-in, palette. */
export const api = createTRPCClient<AppRouter>({ links })

/** The same calls outside components, through the cache the hooks read: `utils.accounts.list.ensureData()` in a loader. */
export const utils = createTRPCQueryUtils<AppRouter>({ queryClient, client: trpcHooksClient })
