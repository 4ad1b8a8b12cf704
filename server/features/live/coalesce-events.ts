import { mostAccounts } from '#shared/features/live/schema.ts'
import type { LiveEvent, LiveKind } from '#shared/features/live/schema.ts'

/** Pending change events: one entry per kind, which becomes "any" when there are too many ids to list. */
interface PendingEvents {
  add(event: LiveEvent): void
  /** Returns and clears the pending events, oldest kind first. */
  take(): LiveEvent[]
}

export function createPendingEvents(): PendingEvents {
  const waiting = new Map<LiveKind, Set<string> | 'any'>()
  return {
    add({ kind, accountIds }) {
      const known = waiting.get(kind) ?? new Set()
      if (known === 'any') return
      for (const id of accountIds) known.add(id)
      waiting.set(kind, accountIds.length === 0 || known.size > mostAccounts ? 'any' : known)
    },
    take() {
      const events = [...waiting].map(([kind, ids]): LiveEvent => ({ kind, accountIds: ids === 'any' ? [] : [...ids] }))
      waiting.clear()
      return events
    },
  }
}
