import { createTRPCClient, httpBatchLink, splitLink, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '#server/transports/trpc/router.ts'
import { auth } from './auth.ts'
import { confirmationLink } from './confirmation-link.ts'
import { queryClient } from './query-client.ts'

export type { AppRouter }
export type Inputs = inferRouterInputs<AppRouter>
export type Outputs = inferRouterOutputs<AppRouter>

const url = '/trpc'

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

declare global {
  interface Window {
    /** The early queries of `boot.js`, by path and input, until the page takes their answers. */
    zonedeckFirst?: Record<string, Promise<{ readonly result?: { readonly data: unknown } } | undefined>>
    /** The ID of the user who sent them: another may have signed in in another tab meanwhile. */
    zonedeckFirstBy?: string
  }
}

/** The early queries serve only the first view, and only the user who asked. */
export const dropEarlyAnswers = (): void => {
  delete window.zonedeckFirst
}
auth.subscribe(dropEarlyAnswers)

/** Takes the answer of a query that `boot.js` already sent; sends it again if that failed. */
const earlyLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const key = JSON.stringify([op.path, op.input])
    const early = window.zonedeckFirst?.[key]
    if (early === undefined || window.zonedeckFirstBy !== auth.get().user?.id) return next(op)
    delete window.zonedeckFirst?.[key]
    return observable((observer) => {
      let wanted = true
      let stop = (): void => {
        wanted = false
      }
      const send = (): void => {
        if (!wanted) return
        const sent = next(op).subscribe(observer)
        stop = () => sent.unsubscribe()
      }
      early.then((answer) => {
        // A batch that was refused as a whole has no answers.
        if (answer?.result === undefined) return send()
        if (!wanted) return
        observer.next({ result: { type: 'data', data: answer.result.data } })
        observer.complete()
      }, send)
      return () => stop()
    })
  }

/** Subscriptions start after the sign-in, so their code is loaded with the first one. */
const lateSubscriptionLink: TRPCLink<AppRouter> =
  (runtime) =>
  ({ op, next }) =>
    observable((observer) => {
      let wanted = true
      let stop = (): void => {
        wanted = false
      }
      import('./subscription-link.ts').then(
        ({ subscriptionLink }) => {
          if (!wanted) return
          const running = subscriptionLink(url, headers)(runtime)({ op, next }).subscribe(observer)
          stop = () => running.unsubscribe()
        },
        () => observer.complete(),
      )
      return () => stop()
    })

const links: TRPCLink<AppRouter>[] = [
  confirmationLink(),
  earlyLink,
  splitLink({
    condition: ({ type }) => type === 'subscription',
    true: lateSubscriptionLink,
    false: splitLink({
      // A batch is as slow as its slowest call; `trpc: { context: { unbatched: true } }` keeps a slow call out of it.
      condition: ({ context }) => context['unbatched'] === true,
      true: httpBatchLink({ url, headers, maxItems: 1, methodOverride: 'POST' }),
      false: httpBatchLink({ url, headers, maxItems: 20, methodOverride: 'POST' }),
    }),
  }),
]

/** The panel's procedures as hooks. */
export const trpc = createTRPCReact<AppRouter>()
export const trpcHooksClient = trpc.createClient({ links })

/** The procedures outside components, without the cache: sign-in, palette. */
export const api = createTRPCClient<AppRouter>({ links })

/** The procedures outside components, through the cache of the hooks: `utils.accounts.list.ensureData()` in a loader. */
export const utils = createTRPCQueryUtils<AppRouter>({ queryClient, client: trpcHooksClient })
