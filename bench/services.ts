import { randomBytes } from 'node:crypto'
import type { Database } from '#server/db/client.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { noMessages, noRegistrars, noRegistry, noTrackers } from '#server/testing/no-providers.ts'

export interface BenchLimits {
  /** Concurrent calls per account. */
  readonly concurrentCalls: number
  /** Null if there is no limit. */
  readonly budget: { readonly limit: number; readonly windowMs: number } | null
}

/** The panel's services with a simulated Cloudflare and no other provider. */
export async function createBenchServices(db: Database, url: string, { concurrentCalls, budget }: BenchLimits): Promise<Services> {
  const log = createLog('warn')
  return {
    db,
    clock: systemClock,
    log,
    secrets: createSecrets(randomBytes(32)),
    events: await createEvents(db.sql, log),
    sessions: createSessions(db),
    limiter: createLimiter(db.sql),
    loops: new Map(),
    dnsHost: createCloudflare({
      baseUrl: url,
      budget: budget ?? { limit: 100_000_000, windowMs: 300_000 },
      sql: db.sql,
      clock: systemClock,
      log,
      addressLimitPerSecond: null,
      concurrencyPerUser: concurrentCalls,
      userAgent: 'zonedeck-bench',
    }),
    registrars: noRegistrars,
    trackers: noTrackers,
    ...noMessages,
    registry: noRegistry,
    callBudget: budget ?? { limit: 1_200, windowMs: 300_000 },
    delegation: createDelegation([]),
    version: 'bench',
    registration: 'open',
    stopping: new AbortController().signal,
  }
}
