import type { Sql, Queryable } from '#server/db/client.ts'
import { z } from 'zod'
import type { LiveEvent, LiveKind } from '#shared/features/live/schema.ts'
import { notify } from '#server/db/notify.ts'
import { liveEvent, mostAccounts } from '#shared/features/live/schema.ts'
import type { Log } from '#server/platform/log.ts'

/** `ownerId` is null when everybody is meant: change events may have been missed. */
type Listener = (ownerId: string | null, event: LiveEvent) => void

/** Change events for people who watch, over PostgreSQL, so that it reaches them whichever process did the work. */
export interface Events {
  /**
   * Inside a transaction it is reported at commit, and not at all after a rollback. `accountIds`: those it is about; none, or more than an event
   * names, means any of them.
   */
  publish(db: Queryable, ownerId: string, kinds: LiveKind | readonly LiveKind[], accountIds?: readonly string[]): Promise<void>
  /**
   * Hears everything; who may see it is decided by the listener. `withRecent`: first what was reported in the last seconds, for anyone who read what
   * they watch before they began to. Returns the end of it.
   */
  subscribe(listener: Listener, options?: { readonly withRecent: boolean }): () => void
  close(): Promise<void>
}

const channel = 'zonedeck_live'
/** From a page's first reading to its stream of change events, on a slow line. */
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
    // A newer process may report what this one does not know yet.
    if (parsed.success) dispatch(payload.slice(0, separator), parsed.data)
  }
  let connected = false
  const listening = await sqlPool.listen(channel, hear, () => {
    // Not the first time: the connection was lost, and what was reported meanwhile with it.
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
