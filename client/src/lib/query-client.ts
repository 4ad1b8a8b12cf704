import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { checkApi } from './api-status.ts'
import { clearAuth } from './auth.ts'
import { failureOf } from './errors.ts'
import { i18next } from './i18n.ts'
import { toast } from './toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The translated title of the toast on failure; `false`: the caller shows the error itself. */
      failure?: string | false
    }
  }
}

const minutesMs = 60_000

let onSignedOut: () => void = () => undefined
/** The router sets the target of a 401 here, because the client does not know the routes. */
export const whenSignedOut = (go: () => void): void => {
  onSignedOut = go
}

let onSecondFactorDue: () => void = () => undefined
/** Like `whenSignedOut`, for a user who must set up a second factor first. */
export const whenSecondFactorDue = (go: () => void): void => {
  onSecondFactorDue = go
}

/** Handles what every failed call triggers (R-AUT-05, R-ERR-02). Returns whether the error is fully reported. */
export function handleFailure(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure.kind === 'no_response') {
    void checkApi()
    toast.error(i18next.t('errors:no_response'), undefined, 'no-response')
    return true
  }
  if (failure.kind === 'answered' && failure.data.code === 'unauthorized') {
    clearAuth()
    onSignedOut()
    return true
  }
  if (failure.kind === 'answered' && failure.data.code === 'second_factor_required') {
    onSecondFactorDue()
    return true
  }
  return failure.kind === 'cancelled'
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && mayHelp(error),
      refetchOnWindowFocus: false,
      staleTime: 5 * minutesMs,
      gcTime: 15 * minutesMs,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: handleFailure }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (handleFailure(error)) return
      const title = mutation.meta?.failure
      if (title !== false) toast.failure(error, title)
    },
  }),
})

/**
 * A first fetch that is in progress when change events arrive may return the state before them, although the library treats it as fresh: it is
 * repeated when it completes.
 */
const stale = new WeakSet<object>()
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query } = event
  if (action.type === 'invalidate' && query.state.data === undefined && query.state.fetchStatus === 'fetching') stale.add(query)
  if (action.type === 'success' && stale.delete(query)) void queryClient.invalidateQueries({ predicate: (each) => each === query })
})

/** The routers whose queries show a resource and are refetched after its change. */
const shownBy = {
  accounts: ['accounts', 'domains'],
  registrars: ['registrars', 'domains'],
  shares: ['sharing', 'groups', 'accounts', 'registrars', 'trackers', 'domains'],
  trackers: ['trackers', 'domains'],
  users: ['users', 'me', 'accounts', 'domains', 'groups'],
} as const

/** After a local change: refetches everything that shows the resource; old data stays visible meanwhile. */
export async function refresh(entity: keyof typeof shownBy): Promise<void> {
  await Promise.all(shownBy[entity].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] })))
}

/** Retrying a rejected call would be rejected again. */
function mayHelp(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'no_response' || (failure.kind === 'answered' && failure.data.retryable)
}
