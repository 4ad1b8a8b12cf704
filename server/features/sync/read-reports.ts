import { listMitigationsDue, storeAbuseReports, updateMitigations, updatePendingDue } from '#server/features/abuse-reports/index.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { backoffSeconds } from './failure.ts'
import { findProviderAccount } from './provider-account.ts'
import {
  listDueFeeds,
  listFeedReaders,
  lockAccount,
  postponeReports,
  updateReportPage,
  updateReportsFailed,
  updateReportsLeft,
  updateReportsRead,
} from './report-feeds.repo.ts'
import type { ReportFeed } from './report-feeds.repo.ts'
import type { SyncRun } from './sync-run.ts'

const hourMs = 3_600_000
/** Reports may appear late, so the last day is always read again; what is stored already stays. */
const overlapMs = 24 * hourMs
/** Earlier reports change too. All of this time are read again every six hours. */
const keptMs = 180 * 24 * hourMs
const sweepMs = 6 * hourMs
/** A run yields to other accounts after this many pages and continues with the next one. */
const pagesPerRun = 20
/** Of one reading: an endpoint that ignores the page would never end. */
const mostPages = 1_000
const mitigationsPerRun = 50
/** Of one run: more are not the fault of single reports. */
const mostFailures = 3
/** An account with many reports uses at most a twentieth of the usual budget. */
const secondsPerCall = 5
/** A person has to act first. */
const refusedSeconds = 6 * 3_600
const retrySeconds = 60

interface Reading {
  readonly run: SyncRun
  readonly feed: ReportFeed
  readonly providerAccountId: string
  readonly options: CallOptions
}

/** Reads the reports of the account that are due, from where the last reading ended. */
export async function readReports(run: SyncRun): Promise<void> {
  const { services, account, publisher, signal } = run
  for (const feed of await listDueFeeds(services.db.orm, account.id)) {
    const providerAccountId = await findProviderAccount(services.db.orm, account)
    let state: ReportFeed['state'] = 'working'
    if (providerAccountId === null) {
      state = 'account_unclear'
      await updateReportsFailed(services.db.orm, feed, { state, message: null, retrySeconds: refusedSeconds })
    } else if (await isReadByOther(run, feed, providerAccountId)) {
      state = 'waiting'
      await updateReportsLeft(services.db.orm, feed, run.options.reportsEverySeconds)
    } else {
      try {
        await readAbuseReports({ run, feed, providerAccountId, options: { priority: 'sync', signal } })
      } catch (error) {
        if (signal.aborted) throw error
        state = await recordFailure(run, feed, error)
      }
    }
    if (state !== feed.state) publisher.publish('accounts', account)
  }
}

/** Several credentials of one account at the provider would read and report the same twice, so one reads. */
async function isReadByOther({ services: { db }, account }: SyncRun, { kind }: ReportFeed, providerAccountId: string): Promise<boolean> {
  for (const each of await listFeedReaders(db.orm, account.ownerId, kind, providerAccountId)) {
    if (each.id === account.id) return false
    if ((await findProviderAccount(db.orm, each)) === providerAccountId) return true
  }
  return false
}

async function recordFailure({ services, account }: SyncRun, feed: ReportFeed, error: unknown): Promise<ReportFeed['state']> {
  if (!(error instanceof AppError) || !error.code.startsWith('provider_')) throw error
  const isForbidden = error.code === 'provider_forbidden'
  const state = isForbidden ? 'no_permission' : 'failed'
  const asked = Number(error.params['retryAfterSeconds'] ?? 0)
  const waits = isForbidden ? refusedSeconds : Math.max(asked, backoffSeconds(feed.failures, retrySeconds, 3_600))
  services.log.info(
    { accountId: account.id, feed: feed.kind, code: error.code, retrySeconds: waits },
    'failed to read the reports of an account',
  )
  await updateReportsFailed(services.db.orm, feed, { state, message: error.provider?.message ?? null, retrySeconds: waits })
  return state
}

async function readAbuseReports({ run, feed, providerAccountId, options }: Reading): Promise<void> {
  const { services, account, connection, publisher } = run
  const nowMs = services.clock.now()
  const isSweepDue = feed.sweptAt === null || nowMs - feed.sweptAt.getTime() > sweepMs
  const usualSinceMs = feed.readUntil.getTime() - overlapMs
  const since = feed.since ?? new Date(isSweepDue ? nowMs - keptMs : usualSinceMs)
  const isSweep = since.getTime() < usualSinceMs
  const seen = new Set<string>()
  let calls = 0
  for (let page = feed.page ?? 1; ; page += 1) {
    const { reports, isLast: isLastPage } = await connection.listAbuseReports(providerAccountId, { since, page }, options)
    calls += 1
    const isRepeated = reports.length > 0 && reports.every(({ reportId }) => seen.has(reportId))
    for (const { reportId } of reports) seen.add(reportId)
    const isLast = isLastPage || isRepeated || page >= mostPages
    const stops = !isLast && (calls >= pagesPerRun || run.yielding())
    const stored = await services.db.orm.transaction(async (tx) => {
      if (!(await lockAccount(tx, account))) return null
      const changed = await storeAbuseReports(tx, account, reports)
      if (!isLast) await updateReportPage(tx, feed, { since, page: page + 1, nextSeconds: stops ? calls * secondsPerCall : 0 })
      else if (isSweep) await updatePendingDue(tx, account.id)
      return changed
    })
    if (stored === null) return
    if (stored > 0) publisher.publish('reports', account)
    if (stops) return
    if (isLast) break
  }
  // The list is done, whatever happens to the mitigations. It stays due until they are read.
  await updateReportsRead(services.db.orm, feed, { until: new Date(nowMs), isSweep, nextSeconds: 0 })
  const mitigations = await readMitigations({ run, feed, providerAccountId, options })
  calls += mitigations.calls
  const usual = run.options.reportsEverySeconds * (0.8 + Math.random() * 0.4)
  const rest = mitigations.isDone ? await listMitigationsDue(services.db.orm, account.id, 1) : []
  await postponeReports(services.db.orm, account.id, Math.max(rest.length > 0 ? 0 : usual, calls * secondsPerCall))
}

/** Those of a report that cannot be read wait until the reports are read from the beginning, and hide no others. */
async function readMitigations(reading: Reading): Promise<{ readonly calls: number; readonly isDone: boolean }> {
  const { services, account, publisher } = reading.run
  const due = await listMitigationsDue(services.db.orm, account.id, mitigationsPerRun)
  let [calls, failures, isDone] = [0, 0, true]
  for (const each of due) {
    calls += 1
    const read = await readMitigationsOf(reading, each.reportId)
    if (read === 'failed') failures += 1
    if (read === 'refused' || failures > mostFailures) {
      isDone = false
      break
    }
    await updateMitigations(services.db.orm, each, read)
  }
  if (calls > 0) publisher.publish('reports', account)
  return { calls, isDone }
}

/** `refused`: none of the account can be read now. */
async function readMitigationsOf({ run, providerAccountId, options }: Reading, reportId: string) {
  try {
    return await run.connection.listMitigations(providerAccountId, reportId, options)
  } catch (error) {
    if (run.signal.aborted || !(error instanceof AppError) || !error.code.startsWith('provider_')) throw error
    if (error.code === 'provider_not_found') return 'gone'
    run.services.log.info({ accountId: run.account.id, reportId, code: error.code }, 'failed to read the mitigations of an abuse report')
    return refusals.has(error.code) ? 'refused' : 'failed'
  }
}
const refusals: ReadonlySet<string> = new Set(['provider_auth', 'provider_forbidden', 'provider_rate_limited'])
