import type { Services } from '#server/platform/context.ts'
import { mostAccounts } from '#shared/features/live/schema.ts'

const kinds = ['accounts', 'domains', 'provider_changes', 'reports'] as const
type Kind = (typeof kinds)[number]

/** Publishes change events in batches: at most four times a second per account. */
export interface ChangePublisher {
  publish(kind: Kind, account: { readonly id: string; readonly ownerId: string }): void
  /** Runs before the next publication; for one key only the last one runs. For data that must be correct only when it is viewed. */
  before(key: string, work: () => Promise<void>): void
  /** Publishes the remaining events. */
  close(): Promise<void>
}

const intervalMs = 250

export function createChangePublisher(services: Pick<Services, 'db' | 'events' | 'log'>): ChangePublisher {
  const waiting: Record<Kind, Map<string, Set<string>>> = {
    accounts: new Map(),
    domains: new Map(),
    provider_changes: new Map(),
    reports: new Map(),
  }
  const works = new Map<string, () => Promise<void>>()
  let timer: NodeJS.Timeout | null = null
  let publishing = Promise.resolve()

  async function flush(): Promise<void> {
    try {
      const due = [...works.values()]
      works.clear()
      await Promise.all(due.map((work) => work()))
      for (const kind of kinds) {
        const byOwner = [...waiting[kind]]
        waiting[kind].clear()
        for (const [ownerId, ids] of byOwner) {
          const accountIds = [...ids]
          for (let from = 0; from < accountIds.length; from += mostAccounts) {
            await services.events.publish(services.db.orm, ownerId, kind, accountIds.slice(from, from + mostAccounts))
          }
        }
      }
    } catch (error) {
      services.log.warn({ err: error }, 'failed to publish a change event')
    }
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null
      publishing = publishing.then(flush)
    }, intervalMs)
  }

  return {
    publish(kind, account) {
      const ids = waiting[kind].get(account.ownerId) ?? new Set()
      waiting[kind].set(account.ownerId, ids.add(account.id))
      schedule()
    },
    before(key, work) {
      works.set(key, work)
      schedule()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      publishing = publishing.then(flush)
      await publishing
    },
  }
}
