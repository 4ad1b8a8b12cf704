import type { Sql, Queryable } from '#server/db/client.ts'
import { z } from 'zod'
import type { LiveEvent, LiveKind } from '#shared/features/live/schema.ts'
import { notify } from '#server/db/client.ts'
import { liveEvent, mostAccounts } from '#shared/features/live/schema.ts'
import type { Log } from '#server/platform/log.ts'

/** `ownerId` is null if everyone is affected because change events may have been missed. */
type Listener = (ownerId: string | null, event: LiveEvent) => void

/** Change events for connected people, sent over PostgreSQL so that they arrive regardless of the process that made the change. */
export interface Events {
  /**
   * Inside a transaction the event is published at commit, and not after a rollback. `accountIds`: the affected accounts; none, or more
   * than an event can list, means any of them.
   */
  publish(db: Queryable, ownerId: string, kinds: LiveKind | readonly LiveKind[], accountIds?: readonly string[]): Promise<void>
  /**
   * Receives every event; the listener checks permissions. `withRecent` first delivers events of the last seconds, for callers that loaded
   * their data before subscribing. Returns the function that unsubscribes.
   */
  subscribe(listener: Listener, options?: { readonly withRecent: boolean }): () => void
  close(): Promise<void>
}

const channel = 'zonedeck_live'
/** Maximum time between a page's first request and its event stream, on a slow connection. */
const recentMs = 10_000
const recentAtMost = 1_000
const jsonText = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    ctx.addIssue('not JSON')
    return z.NEVER
  }
})
const message = jsonText.pipe(liveEvent)

export async function createEvents(sqlPool: Sql, log: Log): Promise<Events> {
  const listeners = new Set<Listener>()
  const recent: { readonly at: number; readonly ownerId: string | null; readonly event: LiveEvent }[] = []
  const dispatch = (ownerId: string | null, event: LiveEvent) => {
    const at = performance.now()
    recent.push({ at, ownerId, event })
    const fresh = recent.findIndex((each) => at - each.at < recentMs)
    recent.splice(0, Math.max(fresh, recent.length - recentAtMost))
    for (const listener of listeners) listener(ownerId, event)
  }
  const hear = (payload: string) => {
    const separator = payload.indexOf(' ')
    const parsed = message.safeParse(payload.slice(separator + 1))
    // A newer process may publish events that this version does not know.
    if (parsed.success) dispatch(payload.slice(0, separator), parsed.data)
  }
  let connected = false
  const listening = await sqlPool.listen(channel, hear, () => {
    // After a reconnect: events published in the meantime are lost.
    if (connected) for (const kind of ['accounts', 'domains'] as const) dispatch(null, { kind, accountIds: [] })
    connected = true
  })
  log.debug('listening for live events')
  return {
    async publish(db, ownerId, kinds, ids = []) {
      const accountIds = ids.length > mostAccounts ? [] : [...ids]
      for (const kind of typeof kinds === 'string' ? [kinds] : kinds) {
        await notify(db, channel, `${ownerId} ${JSON.stringify({ kind, accountIds } satisfies LiveEvent)}`)
      }
    },
    subscribe: (listener, options) => {
      const now = performance.now()
      if (options?.withRecent === true) for (const { at, ownerId, event } of recent) if (now - at < recentMs) listener(ownerId, event)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => listening.unlisten(),
  }
}
