import { randomBytes, randomUUID } from 'node:crypto'
import type { Actor } from '#server/platform/actor.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import type { Delegation, Registry } from '#server/ports/registry.ts'
import type { DnsHost } from '#server/ports/dns-host.ts'
import type { Messenger } from '#server/ports/messenger.ts'
import type { Registrars } from '#server/ports/registrar.ts'
import type { WebhookSender } from '#server/ports/webhook-sender.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { noMessages, noRegistrars, noRegistry, noTrackers } from '#server/testing/no-providers.ts'

export interface TestServicesOptions {
  /** The real adapter, connected to a simulator; absent: using it fails the test. */
  readonly dnsHost?: DnsHost
  /** Absent: DNS does not respond. */
  readonly delegation?: Delegation
  readonly clock?: Clock
  readonly log?: Log
  /** Absent: a new one in the run's PostgreSQL. */
  readonly database?: TestDatabase
  readonly registration?: 'open' | 'closed'
  readonly registrars?: Registrars
  readonly trackers?: AdTrackers
  readonly messenger?: Messenger
  readonly webhooks?: WebhookSender
  /** Absent: no registry can be queried. */
  readonly registry?: Registry
}

export interface TestServices {
  readonly services: Services
  readonly databaseUrl: string
  /** Like a process that is about to stop. */
  stop(): void
  close(): Promise<void>
}

const noDnsHost: DnsHost = {
  connect: () => {
    throw new Error('this test has no dnsHost')
  },
  readBudgets: (callers) => Promise.resolve(callers.map(() => ({ key: 'none', used: 0, limit: 1, windowMs: 1_000, blockedUntil: null }))),
  close: () => Promise.resolve(),
}

const noAnswer: Delegation = { findNameServers: () => Promise.resolve(null), findDsRecords: () => Promise.resolve(null) }

/** All real services, on a separate database. */
export async function createTestServices(options: TestServicesOptions = {}): Promise<TestServices> {
  const { db, url, close } = options.database ?? (await createTestDatabase())
  const log = options.log ?? createLog('silent')
  const events = await createEvents(db.sql, log)
  const stopping = new AbortController()
  const dnsHost = options.dnsHost ?? noDnsHost
  const registrars = options.registrars ?? noRegistrars
  const trackers = options.trackers ?? noTrackers
  const registry = options.registry ?? noRegistry
  return {
    databaseUrl: url,
    services: {
      db,
      clock: options.clock ?? systemClock,
      log,
      secrets: createSecrets(randomBytes(32)),
      events,
      sessions: createSessions(db),
      limiter: createLimiter(db.sql),
      loops: new Map(),
      dnsHost,
      registrars,
      trackers,
      ...noMessages,
      ...(options.messenger && { messenger: options.messenger }),
      ...(options.webhooks && { webhooks: options.webhooks }),
      registry,
      callBudget: { limit: 1_200, windowMs: 300_000 },
      delegation: options.delegation ?? noAnswer,
      version: 'test',
      registration: options.registration ?? null,
      stopping: stopping.signal,
    },
    stop: () => stopping.abort(),
    async close() {
      stopping.abort()
      await dnsHost.close()
      await registrars.close()
      await trackers.close()
      await options.messenger?.close()
      await options.webhooks?.close()
      await registry.close()
      await events.close()
      await close()
    },
  }
}

/** The context of a use case. */
export const contextOf = <A extends Actor | null>(services: Services, actor: A): Ctx<A> => ({
  ...services,
  actor,
  requestId: randomUUID(),
  address: '192.0.2.1',
  userAgent: 'test',
  origin: null,
})
