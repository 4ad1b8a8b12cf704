import { addRulesDue, updateGone, upsertZones, zoneRowOf } from '#server/features/domains/mirror/index.ts'
import { addFeed } from './change-feeds.repo.ts'
import { addReportFeeds } from './report-feeds.repo.ts'
import { takeHeld } from './disappearances/disappearances.repo.ts'
import { audit } from '#server/platform/audit.ts'
import type { ZonePage } from '#server/ports/dns-host.ts'
import { failureOf } from './failure.ts'
import { reconcileMissing } from './reconcile-missing.ts'
import type { Pass } from './reconcile-missing.ts'
import type { SyncRun } from './sync-run.ts'
import { updateListed, updateListingFailed, updateListingProgress, updateListingStarted, updateListingStopped } from './sync.repo.ts'
import { system, recordHealthChange } from './record-health-change.ts'

const soonSeconds = 60

class AccountGone extends Error {}

/** The first page contains the total; the others are read concurrently, and each is written while the next ones arrive. */
async function readPages(run: SyncRun): Promise<Pass> {
  const { services, account, connection, publisher, signal, options, semaphore } = run
  const call = { priority: account.syncAsked || account.syncedAt === null ? ('bulk' as const) : ('sync' as const), signal }
  const seen = new Set<string>()
  let consistent = true
  let total = 0

  const take = async (page: ZonePage) => {
    const fresh = new Map(page.zones.filter((zone) => !seen.has(zone.providerZoneId)).map((zone) => [zone.providerZoneId, zone]))
    for (const id of fresh.keys()) seen.add(id)
    if (fresh.size > 0) {
      const rows = [...fresh.values()].map(zoneRowOf)
      const written = await semaphore(() => upsertZones(services.db, account.id, rows))
      if (!written.present) throw new AccountGone()
      if (written.changed > 0) publisher.publish('domains', account)
    }
    publisher.before(`progress ${account.id}`, () => updateListingProgress(services.db, account.id, seen.size, total))
    publisher.publish('accounts', account)
  }

  const first = await connection.listZones(1, call)
  total = first.totalCount
  const writes = [take(first)]
  let next = 2
  let last = first.totalPages
  let failed = false
  const reader = async () => {
    while (!failed && next <= last) {
      const page = await connection.listZones(next++, call)
      if (page.totalCount !== total) consistent = false
      last = Math.max(last, page.totalPages)
      const write = take(page)
      write.catch(() => (failed = true))
      // Each reader holds one page: it reads the next while this one is written, and no more accumulate.
      await writes.at(-options.callsPerAccount)
      writes.push(write)
    }
  }
  const guarded = () =>
    reader().catch((error: unknown) => {
      failed = true
      throw error
    })
  const readers = Array.from({ length: Math.min(options.callsPerAccount, first.totalPages - 1) }, guarded)
  // Waits for everything, also after a failure: nothing may still write when the lock is released.
  const ended = [...(await Promise.allSettled(readers)), ...(await Promise.allSettled(writes))]
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return { seen, consistent: consistent && seen.size === total }
}

/** Seconds between listings per page, so that listings use at most a sixth of the usual budget. */
const secondsPerPage = 1.5

function nextSeconds({ least, most }: SyncRun['options']['intervalSeconds'], zones: number): number {
  return Math.round(Math.max(least + Math.random() * (most - least), (zones / 50) * secondsPerPage))
}

/** Updates the account's zones in the panel from the provider's list. */
export async function syncZoneList(run: SyncRun): Promise<void> {
  const { services, account, publisher, signal, options } = run
  const isReported = account.syncAsked || account.syncedAt === null
  const entry = {
    action: 'sync',
    entityType: 'account',
    entityId: account.id,
    entityName: account.email,
    ownerId: account.ownerId,
  } as const
  try {
    await updateListingStarted(services.db, account)
    publisher.publish('accounts', account)
    const pass = await readPages(run)
    const { whole, gone, held } = await reconcileMissing(run, pass, () => readPages(run))
    const usualSeconds = nextSeconds(options.intervalSeconds, pass.seen.size)
    const listing = {
      total: pass.seen.size,
      whole: whole && (held === null || held.isKept),
      nextSeconds: whole ? Math.min(usualSeconds, held?.nextSeconds ?? usualSeconds) : soonSeconds,
    }
    await addRulesDue(services.db.orm, account.id)
    await services.db.orm.transaction(async (tx) => {
      const there = await updateListed(tx, account, listing)
      if (!there) return
      await addFeed(tx, account.id, options.changesEverySeconds)
      // Sooner than the next time, but after the zones' details of a small account.
      await addReportFeeds(tx, account.id, options.reportsEverySeconds / 6)
      const ended = held === null && whole ? await takeHeld(tx, { kind: 'account', id: account.id }) : null
      await updateGone(tx, account.id, gone)
      const details = { zones: pass.seen.size, gone: gone.length, ...(held?.isNew === true ? { missing: held.missing } : {}) }
      if (isReported || gone.length > 0 || held?.isNew === true || ended !== null) await audit(tx, system, { ...entry, details })
      await recordHealthChange(tx, account, 'working')
    })
    publisher.publish('domains', account)
  } catch (error) {
    const failure = failureOf(error, account.syncFailures)
    if (error instanceof AccountGone) return
    if (signal.aborted || failure === null) {
      await updateListingStopped(services.db, account.id).catch(() => undefined)
      throw error
    }
    services.log.info({ accountId: account.id, code: failure.code, retrySeconds: failure.retrySeconds }, 'failed to read the zone list')
    await services.db.orm.transaction(async (tx) => {
      await updateListingFailed(tx, account, failure)
      if (account.syncAsked) await audit(tx, system, { ...entry, details: { error: failure.code } })
      await recordHealthChange(tx, account, failure.health)
    })
  } finally {
    publisher.publish('accounts', account)
  }
}
