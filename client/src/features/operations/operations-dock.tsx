import { useState } from 'react'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'
import { awaitedOperations } from './awaited-operations.ts'

const DockView = lazyPart(async () => (await import('./dock-view.tsx')).DockView, 'operations', 'security')

/** Watches for operations on every page; the code of the dock is loaded when there is one. */
export function OperationsDock() {
  useLiveQueries('operations')
  const active = trpc.operations.list.useQuery({ state: 'active', limit: 50 }, { staleTime: 0 }).data?.operations ?? []
  const awaited = awaitedOperations.use()
  const [seen, setSeen] = useState<readonly string[] | null>(null)
  if (seen === null && active.length + awaited.length > 0) setSeen(active.map(({ id }) => id))
  return seen === null ? null : <DockView seen={seen} />
}
