import { isDatabaseAway } from '#server/platform/database-away.ts'
import type { Services } from '#server/platform/context.ts'

const everyMs = 1_000

/** Publishes changes to users, at most once a second per owner. */
interface MonitoringPublisher {
  publish(owners: Iterable<string>): void
  /** Publishes pending changes. */
  close(): Promise<void>
}

export function createMonitoringPublisher({ db, events, log }: Pick<Services, 'db' | 'events' | 'log'>): MonitoringPublisher {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  async function flush(): Promise<void> {
    timer = null
    const owners = [...waiting]
    waiting.clear()
    try {
      for (const ownerId of owners) await events.publish(db.orm, ownerId, ['monitoring', 'domains'])
    } catch (error) {
      if (!isDatabaseAway(error)) log.warn({ err: error }, 'failed to publish a monitoring change')
    }
  }
  return {
    publish(owners) {
      for (const owner of owners) waiting.add(owner)
      if (waiting.size > 0) timer ??= setTimeout(() => void flush(), everyMs)
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      await flush()
    },
  }
}
