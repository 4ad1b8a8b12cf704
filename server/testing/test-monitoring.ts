import { randomUUID } from 'node:crypto'
import type { users, zones } from '#server/db/schema/index.ts'
import { monitorSettings } from '#server/db/schema/index.ts'
import { createCheckOptions } from '#server/features/monitoring/checks/check-options.ts'
import { preparePartitions } from '#server/features/monitoring/history/partitions.repo.ts'
import { upsertProbe } from '#server/features/monitoring/checks/probes.repo.ts'
import { reconcile } from '#server/features/monitoring/reconcile.ts'
import { claimChecks } from '#server/features/monitoring/checks/schedule.repo.ts'
import { writeResults } from '#server/features/monitoring/checks/write-results.ts'
import { createRegionProbe } from '#server/integrations/probe/create-region-probe.ts'
import { createLog } from '#server/platform/log.ts'
import type { Services } from '#server/platform/context.ts'
import type { RegionProbe } from '#server/ports/region-probe.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import type { Targets, TargetsOptions } from '#server/simulators/targets/simulator.ts'
import { insertAccount, insertUser, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import { defaultRegions } from '#shared/features/monitoring/regions.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'

type Zone = typeof zones.$inferSelect

export interface TestMonitoring {
  readonly services: Services
  readonly databaseUrl: string
  readonly clock: FakeClock
  readonly targets: Targets
  readonly probe: RegionProbe
  readonly owner: typeof users.$inferSelect
  readonly accountId: string
  readonly zones: readonly Zone[]
  zone(name: string): Zone
  reconcile(): Promise<Set<string>>
  /** Sends a heartbeat of the region's probe. */
  live(region: Region, online?: boolean): Promise<void>
  /**
   * Checks these now (none: all that are due) from the region, over real sockets, and stores the results.
   * @returns the checked names
   */
  look(region: Region, names?: readonly string[]): Promise<string[]>
  close(): Promise<void>
}

export interface TestMonitoringOptions {
  readonly names: readonly string[]
  readonly sites?: TargetsOptions['sites']
  readonly regions?: readonly Region[]
  readonly intervalMinutes?: number
  readonly options?: Partial<CheckOptions>
  readonly zone?: (name: string) => Partial<typeof zones.$inferInsert>
}

/** A person with monitored domains: their own database and simulated internet, a clock that only moves on request, a real probe. */
export async function createTestMonitoring(options: TestMonitoringOptions): Promise<TestMonitoring> {
  const clock = createFakeClock(Date.parse('2026-11-20T10:30:00Z'))
  const { services, databaseUrl, close } = await createTestServices({ clock })
  const { db } = services
  const targets = await startTargetsSimulator({ sites: options.sites ?? (() => ({})) })
  const probe = createRegionProbe({
    dnsServers: [targets.dnsServer],
    outboundAllow: [],
    connectivityHosts: ['online.example'],
    via: targets.via,
    roots: [targets.root],
    log: createLog('silent'),
  })
  const owner = await insertUser(db)
  const { id: accountId } = await insertAccount(db, { ownerId: owner.id })
  const rows = await insertZones(db, { ownerId: owner.id, accountId }, options.names.length, (index) => {
    const name = options.names[index] ?? ''
    return { name, nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], ...options.zone?.(name) }
  })
  await db.orm.insert(monitorSettings).values({
    ownerId: owner.id,
    enabled: true,
    regions: [...(options.regions ?? defaultRegions)],
    intervalMinutes: options.intervalMinutes ?? 5,
    options: { ...defaultCheckOptions, ...options.options },
    notices: { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true },
  })
  await preparePartitions(db, clock.now())
  await reconcile(services, new AbortController().signal)
  const byName = new Map(rows.map((row) => [row.name, row]))
  const optionsOf = createCheckOptions(services)
  const probeIds = new Map<Region, string>()
  const idOf = (region: Region) => {
    const id = probeIds.get(region) ?? randomUUID()
    probeIds.set(region, id)
    return id
  }
  const zone = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`${name} is none of the domains`)
    return found
  }
  async function live(region: Region, online = true): Promise<void> {
    const now = clock.now()
    await upsertProbe(db.orm, { id: idOf(region), region, startedAt: now, seenAt: now, online, checksPerSecond: 0, lagMs: 0 })
  }

  return {
    services,
    databaseUrl,
    clock,
    targets,
    probe,
    owner,
    accountId,
    zones: rows,
    zone,
    live,
    reconcile: () => reconcile(services, new AbortController().signal),
    async look(region, names) {
      await live(region)
      if (names !== undefined) {
        const ids = names.map((name) => zone(name).id)
        await db.sql`update zone_views set retry_at = null where region = ${region}`
        await db.sql`update zone_views set wanted_at = now() where region = ${region} and zone_id = any(${ids}::uuid[])`
      }
      // Four fifths of a claim are for checks that a person is waiting for.
      const limit = Math.max(1, Math.floor((names?.length ?? 10_000) / 0.8))
      const claim = await claimChecks(db, { region, probeId: idOf(region), now: clock.now(), limit, leaseMs: 60_000 })
      if (claim === null) return []
      const asked = await optionsOf(claim.jobs)
      const checked = await Promise.all(
        claim.jobs.map(async (job, index) => {
          const given = asked[index] ?? defaultCheckOptions
          const expected = { nameServers: job.nameServers, addresses: job.addresses }
          return { job, options: given, result: await probe.check({ name: job.name, options: given, expected }) }
        }),
      )
      await writeResults(services, region, checked, [claim.id])
      return claim.jobs.map(({ name }) => name).toSorted()
    },
    async close() {
      await probe.close()
      await targets.close()
      await close()
    },
  }
}
