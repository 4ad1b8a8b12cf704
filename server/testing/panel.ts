import { startSync } from '#server/features/sync/index.ts'
import type { SyncOptions, SyncScheduler } from '#server/features/sync/index.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { createLog } from '#server/platform/log.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import type { Log } from '#server/platform/log.ts'
import type { DnsHost } from '#server/ports/dns-host.ts'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import type { CloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { publishedDs } from '#server/simulators/cloudflare/dnssec.ts'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials, World, WorldOptions } from '#server/simulators/world.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { createTestServices } from '#server/testing/services.ts'
import { startTestRegistrars } from '#server/testing/test-registrars.ts'
import type { TestRegistrars } from '#server/testing/test-registrars.ts'
import { startTestTrackers } from '#server/testing/test-trackers.ts'
import type { TestTrackers } from '#server/testing/test-trackers.ts'

export interface TestPanelOptions {
  readonly world: Partial<WorldOptions>
  readonly sync?: Partial<SyncOptions>
  readonly log?: Log
  readonly latencyMs?: number
  readonly clock?: Clock
  /** Absent: a new one in the run's PostgreSQL. */
  readonly database?: TestDatabase
  /** With registrars; Porkbun's one customer has these names. */
  readonly registrarNames?: readonly string[]
  /** With a tracker of each kind. */
  readonly trackers?: boolean
  /** Wraps the adapter, to intervene at a chosen moment. */
  readonly around?: (host: DnsHost, panel: { readonly simulator: CloudflareSimulator }) => DnsHost
}

export interface TestPanel {
  readonly services: Services
  readonly databaseUrl: string
  readonly simulator: CloudflareSimulator
  readonly world: World
  /** Null without `registrarNames`. */
  readonly registrars: TestRegistrars | null
  /** Null without `trackers`. */
  readonly trackers: TestTrackers | null
  /** A second scheduler, as in another process: separate locks, the same database. */
  startSync(): Promise<SyncScheduler>
  /** The world's account at that index. */
  credential(index: number): AccountCredentials
  close(): Promise<void>
}

const noLimit = { limit: 1_000_000, windowMs: 300_000 }

/** A panel on its own database with its own Cloudflare simulator, both without call limits. */
export async function createTestPanel(options: TestPanelOptions): Promise<TestPanel> {
  const world = buildWorld({ zones: 60, accounts: 1, seed: 7, recordsPerZone: 4, plain: true, ...options.world })
  const simulator = await startCloudflareSimulator({
    world,
    budget: null,
    addressLimitPerSecond: null,
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
  })
  const log = options.log ?? createLog('silent')
  const clock = options.clock ?? systemClock
  const hosts: DnsHost[] = []
  const ready = (): DnsHost => {
    const host = hosts[0]
    if (host === undefined) throw new Error('not ready')
    return host
  }
  const dnsHost: DnsHost = {
    connect: (credential, userId) => ready().connect(credential, userId),
    readBudgets: (callers) => ready().readBudgets(callers),
    close: async () => {
      for (const host of hosts) await host.close()
    },
  }
  const dns = await startDnsSimulator((name) => simulator.state.registered(name), {
    dsRecords: (name) => publishedDs(simulator.state, name),
  })
  const database = options.database ?? (await createTestDatabase())
  const registrars = options.registrarNames === undefined ? null : await startTestRegistrars(database, options.registrarNames, log)
  const trackers = options.trackers === true ? await startTestTrackers(database, log) : null
  const test = await createTestServices({
    dnsHost,
    database,
    log,
    clock,
    delegation: createDelegation([dns.address]),
    ...(registrars === null ? {} : { registrars: registrars.registrars }),
    ...(trackers === null ? {} : { trackers: trackers.trackers }),
  })
  const real = createCloudflare({
    baseUrl: simulator.url,
    budget: noLimit,
    sql: test.services.db.sql,
    clock,
    log,
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-test',
    installation: 'test',
  })
  hosts.push(options.around === undefined ? real : { ...options.around(real, { simulator }), close: real.close })
  const schedulers: SyncScheduler[] = []
  return {
    services: test.services,
    databaseUrl: test.databaseUrl,
    simulator,
    world,
    registrars,
    trackers,
    async startSync() {
      const scheduler = await startSync(test.services, {
        pollMs: 200,
        changesEverySeconds: 3_600,
        reportsEverySeconds: 3_600,
        ...options.sync,
      })
      schedulers.push(scheduler)
      return scheduler
    },
    credential(index) {
      const found = world.credentials[index]
      if (found === undefined) throw new Error(`the world has no account ${index}`)
      return found
    },
    async close() {
      await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
      await test.close()
      await dns.close()
      await simulator.close()
    },
  }
}
