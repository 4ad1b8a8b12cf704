import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import type { SecondOpinion } from '#server/ports/second-opinion.ts'
import { followAccounts } from './incidents/account-incidents.ts'
import { followRegions } from './checks/follow-regions.ts'
import { maintainHistory } from './history/maintain-history.ts'
import { reconcile } from './reconcile.ts'
import { monitoringChannel } from './checks/schedule.repo.ts'
import { createSecondOpinions } from './checks/second-opinions.ts'
import { createMonitoringPublisher } from './publish-monitoring.ts'

const everyMs = 15_000
const historyEveryMs = 3_600_000
/** Reconciliation takes at most a twentieth of the time, however many domains there are. */
const restShare = 20
/** Upper bound of the pause, so that new domains do not wait longer. */
const longestRestMs = 60_000
const lock = 'monitoring'

interface RunningMonitoring {
  stop(): Promise<void>
}

/**
 * Keeps monitoring in line with settings, domains, mirror and accounts, handles regions without a probe, and maintains history. One process at a time
 * does this; when it dies, another takes over.
 */
export async function startMonitoring(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'loops' | 'events'>,
  { secondOpinion }: { readonly secondOpinion: SecondOpinion },
): Promise<RunningMonitoring> {
  const { db, clock, log, loops } = services
  const stopping = new AbortController()
  const publisher = createMonitoringPublisher(services)
  const regions = followRegions(services)
  const opinions = createSecondOpinions(services, secondOpinion)
  let locks: AdvisoryLocks | null = null
  let isHeld = false
  let historyAt = -Infinity
  let asking: Promise<void> | null = null

  const failed = (error: unknown) => {
    if (!stopping.signal.aborted && !isDatabaseAway(error)) log.error({ err: error }, 'failed to reconcile monitoring')
  }

  /**
   * Null if another process does this work. A process that was suspended may have lost the lock without noticing, so the connection that
   * holds it is asked before each round, and the round ends when it is lost. The rest of a step may still overlap with the other process,
   * which is harmless: each step compares rows with what they should be and locks what it changes, so the second one finds nothing to do.
   */
  async function lead(): Promise<AbortSignal | null> {
    if (locks === null || locks.lost.aborted) {
      void locks?.close().catch(() => undefined)
      locks = openAdvisoryLocks(db)
      isHeld = false
    }
    const { sql, lost } = locks
    if (isHeld) await sql`select`.catch(() => undefined)
    else isHeld = (await locks.tryLock([lock], 1)).length === 1
    return isHeld && !lost.aborted && !stopping.signal.aborted ? AbortSignal.any([stopping.signal, lost]) : null
  }

  let reconcileAt = -Infinity
  let changed = false
  async function reconcileWhenDue(signal: AbortSignal): Promise<Set<string>> {
    const began = performance.now()
    if (began < reconcileAt) return new Set()
    changed = false
    const owners = await reconcile(services, signal)
    // Settings changed in the meantime need another pass immediately.
    reconcileAt = changed ? -Infinity : performance.now() + Math.min((performance.now() - began) * restShare, longestRestMs)
    return owners
  }

  async function turn(): Promise<void> {
    const signal = await lead()
    if (signal === null) return
    if (clock.now() - historyAt >= historyEveryMs) {
      await maintainHistory(services, signal)
      if (signal.aborted) return
      historyAt = clock.now()
    }
    for (const job of [reconcileWhenDue, () => followAccounts(services), regions.follow]) {
      publisher.publish(await job(signal))
      if (signal.aborted) return
    }
    // External checks run in the background, because they take a long time.
    asking ??= opinions
      .follow(signal)
      .then((owners) => publisher.publish(owners))
      .catch(failed)
      .finally(() => (asking = null))
  }

  const listening = await db.sql.listen(monitoringChannel, (what) => {
    if (what !== 'settings') return
    changed = true
    reconcileAt = -Infinity
    loop.wake()
  })
  const loop = runLoop({ clock: systemClock, log, loops }, { name: 'monitoring', everyMs, stopping }, turn)

  return {
    async stop() {
      stopping.abort(new Error('the process is shutting down'))
      await listening.unlisten()
      await loop.stop()
      await asking
      await publisher.close()
      await locks?.close()
    },
  }
}
