import { randomUUID } from 'node:crypto'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import type { RegionProbe } from '#server/ports/region-probe.ts'
import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import { createCheckOptions } from './check-options.ts'
import { createConnectivity } from './connectivity.ts'
import { deleteProbe, upsertProbe } from './probes.repo.ts'
import { claimChecks, ensureCursors, findLagMs, monitoringChannel, returnClaims } from './schedule.repo.ts'
import type { Claim, Job } from './schedule.repo.ts'
import { createResultWriter } from './result-writer.ts'
import type { Checked } from './write-results.ts'
import { createMonitoringPublisher } from '../publish-monitoring.ts'

interface ProbeOptions {
  readonly region: Region
  readonly probe: RegionProbe
  /** Maximum number of checks running or waiting to be written. */
  readonly concurrency?: number
  /** Interval between polls for due checks. */
  readonly pollMs?: number
  /** Unreported claims are handed out again after this time, which is longer than any check may take. */
  readonly leaseMs?: number
}

export interface RunningProbe {
  readonly id: string
  /** Number of checks done since this process started. */
  checked(): number
  /** Aborts running checks and releases them to other processes. */
  stop(): Promise<void>
}

const heartbeatMs = 5_000
const cursorsEveryMs = 15_000
const startsPerPoll = 20

/** The checks running in this process. */
function createChecks(probe: RegionProbe, signal: AbortSignal, onChecked: (claimId: string, checked: Checked) => void) {
  const underWay = new Set<Promise<void>>()
  let count = 0
  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  async function look(claimId: string, job: Job, options: CheckOptions): Promise<void> {
    const { name, nameServers, addresses } = job
    const result = await probe.check({ name, options, expected: { nameServers, addresses } }, signal)
    if (signal.aborted) return
    count += 1
    onChecked(claimId, { job, options, result })
  }
  return {
    track,
    start: (claimId: string, job: Job, options: CheckOptions) => track(look(claimId, job, options)),
    count: () => count,
    ended: () => Promise.all(underWay),
  }
}

/** Reports at startup and every few seconds that the process is alive, with its checks per second. */
async function startHeartbeat(
  say: (checksPerSecond: number) => Promise<void>,
  { checked, onFailure }: { checked(): number; onFailure(error: unknown): void },
): Promise<{ stop(): Promise<void> }> {
  let beatenAt = performance.now()
  let checkedBefore = checked()
  async function sendHeartbeat(): Promise<void> {
    const seconds = Math.max(0.001, (performance.now() - beatenAt) / 1_000)
    beatenAt = performance.now()
    const checksPerSecond = Math.round((checked() - checkedBefore) / seconds)
    checkedBefore = checked()
    await say(checksPerSecond)
  }
  await sendHeartbeat()
  let last = Promise.resolve()
  const timer = setInterval(() => {
    last = sendHeartbeat().catch(onFailure)
  }, heartbeatMs)
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

/**
 * Checks domains from this region when they are due, shared with other processes: each claims some from the region's cursors, and claims of a dead
 * process are taken over.
 */
export async function startProbe(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'loops' | 'events'>,
  given: ProbeOptions,
): Promise<RunningProbe> {
  const { db, clock, log, loops } = services
  const { region, probe } = given
  const { concurrency, pollMs, leaseMs } = { concurrency: 1_000, pollMs: 1_000, leaseMs: 90_000, ...given }
  const id = randomUUID()
  const startedAt = clock.now()
  const stopping = new AbortController()
  const optionsOf = createCheckOptions(services)
  const connectivity = createConnectivity(probe, stopping.signal)
  const publisher = createMonitoringPublisher(services)
  const writer = createResultWriter(services, region, connectivity, {
    onWritten: (owners) => {
      publisher.publish(owners)
      loop.wake()
    },
  })
  const checks = createChecks(probe, stopping.signal, writer.add)
  let cursorsAt = -Infinity
  let watches = false

  const warn = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted && !isDatabaseAway(error)) log.warn({ err: error, region }, message)
  }

  /** Spreads the checks of a second over that second; urgent checks start immediately. */
  async function begin({ id: claimId, jobs }: Claim, spread: boolean, lapsesAtMs: number): Promise<void> {
    writer.expect(claimId, jobs.length, lapsesAtMs)
    const options = await optionsOf(jobs).catch((error: unknown) => {
      writer.forget(claimId)
      throw error
    })
    const perStart = spread ? Math.ceil(jobs.length / startsPerPoll) : jobs.length
    for (const [index, job] of jobs.entries()) {
      if (index > 0 && index % perStart === 0) await clock.sleep(pollMs / startsPerPoll, stopping.signal).catch(() => undefined)
      if (stopping.signal.aborted) return
      const option = options[index]
      if (option !== undefined) checks.start(claimId, job, option)
    }
  }

  /** @returns milliseconds until the next poll; 0 when more may be due already */
  async function takeSome(): Promise<number> {
    const now = clock.now()
    if (now - cursorsAt >= cursorsEveryMs) {
      cursorsAt = now
      watches = await ensureCursors(db.orm, region, now)
    }
    const free = concurrency - writer.open()
    if (free < concurrency / 10) return pollMs
    const lapsesAtMs = performance.now() + leaseMs
    const claim = await claimChecks(db, { region, probeId: id, now, limit: free, leaseMs })
    if (claim === null) return pollMs
    const isFull = claim.jobs.length >= free
    checks.track(begin(claim, !isFull && !claim.jobs.some(({ hurried }) => hurried), lapsesAtMs).catch(warn('failed to start checks')))
    return isFull ? 0 : pollMs
  }

  const heartbeat = await startHeartbeat(
    async (checksPerSecond) => {
      const now = clock.now()
      const lagMs = await findLagMs(db.orm, region, now)
      // Test connectivity only when something is monitored.
      const online = watches ? await connectivity.isOnline() : true
      await upsertProbe(db.orm, { id, region, startedAt, seenAt: now, online, checksPerSecond, lagMs })
    },
    { checked: checks.count, onFailure: warn('failed to send the probe heartbeat') },
  )
  const listening = await db.sql.listen(monitoringChannel, () => {
    cursorsAt = -Infinity
    loop.wake()
  })
  const loop = runLoop({ clock: systemClock, log, loops }, { name: 'probe', everyMs: pollMs, stopping }, takeSome)

  return {
    id,
    checked: checks.count,
    async stop() {
      stopping.abort(new Error('the process is shutting down'))
      await heartbeat.stop()
      await listening.unlisten()
      await loop.stop()
      await checks.ended()
      await writer.close()
      await publisher.close()
      await returnClaims(db.orm, id, clock.now())
      await deleteProbe(db.orm, id)
    },
  }
}
