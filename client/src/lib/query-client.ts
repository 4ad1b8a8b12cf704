import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { checkApi } from './api-status.ts'
import { clearAuth } from './auth.ts'
import { failureOf } from './errors.ts'
import { i18next } from './i18n.ts'
import { toast } from './toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Title of the toast when it fails, translated; `false`: the caller shows the error itself. */
      failure?: string | false
    }
  }
}

const minutesMs = 60_000

let onSignedOut: () => void = () => undefined
/** The router sets here where a 401 leads; the client itself knows no routes. */
export const whenSignedOut = (go: () => void): void => {
  onSignedOut = go
}

let onSecondFactorDue: () => void = () => undefined
/** As `whenSignedOut`, for somebody who has to set up a second factor before anything else. */
export const whenSecondFactorDue = (go: () => void): void => {
  onSecondFactorDue = go
}

/** What every failed call sets in motion, no matter who made it (R-AUT-05, R-ERR-02). Answers whether all has been said. */
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
 * What is read for the first time when change events of it arrive may have been read by the server before them, and the library takes that reading for
 * a new one: it is read once more when it is here.
 */
const stale = new WeakSet<object>()
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query } = event
  if (action.type === 'invalidate' && query.state.data === undefined && query.state.fetchStatus === 'fetching') stale.add(query)
  if (action.type === 'success' && stale.delete(query)) void queryClient.invalidateQueries({ predicate: (each) => each === query })
})

/** What shows a resource, so that a change of it is a change there. */
const shownBy = {
  accounts: ['accounts', 'domains'],
  registrars: ['registrars', 'domains'],
  shares: ['sharing', 'groups', 'accounts', 'registrars', 'trackers', 'domains'],
  trackers: ['trackers', 'domains'],
  users: ['users', 'me', 'accounts', 'domains', 'groups'],
} as const

/** After a change that was made here: everything that shows it is read again; old answers stay meanwhile. */
export async function refresh(entity: keyof typeof shownBy): Promise<void> {
  await Promise.all(shownBy[entity].map((part) => queryClient.invalidateQueries({ queryKey: [[part]] })))
}

/** Asking again for what was refused gives the same refusal. */
function mayHelp(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'no_response' || (failure.kind === 'answered' && failure.data.retryable)
}
