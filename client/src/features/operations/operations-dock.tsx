import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import type { Operation } from '#shared/features/operations/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'
import { awaitedOperations } from './awaited-operations.ts'
import { isTrialOver } from './operation-progress.ts'

const DockView = lazyPart(async () => (await import('./dock-view.tsx')).DockView, 'operations', 'security')

/** Watches for operations on every page; the code of the dock is loaded when there is one. */
export function OperationsDock() {
  useLiveQueries('operations')
  const list = trpc.operations.list.useQuery({ state: 'active', limit: 50 }, { staleTime: 0 })
  const known = useKnownDecisions(list.data?.operations)
  const active = list.data?.operations ?? []
  const awaited = awaitedOperations.use()
  const [seen, setSeen] = useState<readonly string[] | null>(null)
  if (seen === null && active.length + awaited.length > 0) setSeen(active.map(({ id }) => id))
  return seen === null ? null : <DockView seen={seen} known={known} />
}

const none: ReadonlySet<string> = new Set()

/** The operations that were already waiting for a decision when the page was opened; not when the dock was loaded, which may be after the decision came up. */
function useKnownDecisions(operations: readonly Operation[] | undefined): ReadonlySet<string> {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [known, setKnown] = useState({ path: '', ids: none })
  if (operations !== undefined && known.path !== path) setKnown({ path, ids: new Set(operations.filter(isTrialOver).map(({ id }) => id)) })
  return known.ids
}
