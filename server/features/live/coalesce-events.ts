import { mostAccounts } from '#shared/features/live/schema.ts'
import type { LiveEvent, LiveKind } from '#shared/features/live/schema.ts'

/** Change events that wait to be reported: one entry a kind, and "any of them" once there are too many to name. */
interface PendingEvents {
  add(event: LiveEvent): void
  /** What waits, oldest kind first; then nothing waits any more. */
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
