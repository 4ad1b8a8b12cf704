import type { Sql, Queryable } from '#server/db/client.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'
import { notify } from '#server/db/notify.ts'
import { liveEvent } from '#shared/features/live/schema.ts'
import type { Log } from '#server/platform/log.ts'

type Listener = (ownerId: string, event: LiveEvent) => void

/** News for people who watch, over PostgreSQL, so that it reaches them whichever process did the work. */
export interface Events {
  /** Inside a transaction it is told at commit, and not at all after a rollback. */
  publish(db: Queryable, ownerId: string, event: LiveEvent): Promise<void>
  /** Hears everything; who may see it is decided by the listener. Returns the end of it. */
  subscribe(listener: Listener): () => void
  close(): Promise<void>
}

const channel = 'zonedeck_live'

export async function createEvents(sqlPool: Sql, log: Log): Promise<Events> {
  const listeners = new Set<Listener>()
  const listening = await sqlPool.listen(channel, (payload) => {
    const separator = payload.indexOf(' ')
    const parsed = liveEvent.safeParse(JSON.parse(payload.slice(separator + 1)))
    // A newer process may tell what this one does not know yet.
    if (!parsed.success) return
    for (const listener of listeners) listener(payload.slice(0, separator), parsed.data)
  })
  log.debug('listening for live events')
  return {
    publish: (db, ownerId, event) => notify(db, channel, `${ownerId} ${JSON.stringify(event)}`),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => listening.unlisten(),
  }
}
