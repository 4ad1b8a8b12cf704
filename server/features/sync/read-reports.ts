import { listMitigationsDue, storeAbuseReports, updateMitigations, updatePendingDue } from '#server/features/abuse-reports/index.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { backoffSeconds } from './failure.ts'
import { findProviderAccount } from './read-changes.ts'
import { listDueFeeds, lockAccount, updateReportPage, updateReportsFailed, updateReportsRead } from './report-feeds.repo.ts'
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
const mitigationsPerRun = 50
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
    const providerAccountId = await findProviderAccount(run)
    let state: ReportFeed['state'] = 'working'
    if (providerAccountId === null) {
      state = 'account_unclear'
      await updateReportsFailed(services.db.orm, feed, { state, message: null, retrySeconds: refusedSeconds })
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
  const first = feed.page ?? 1
  let calls = 0
  for (let page = first; ; page += 1) {
    const { reports, isLast } = await connection.listAbuseReports(providerAccountId, { since, page }, options)
    calls += 1
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
  calls += await readMitigations({ run, feed, providerAccountId, options })
  const usual = run.options.reportsEverySeconds * (0.8 + Math.random() * 0.4)
  const rest = await listMitigationsDue(services.db.orm, account.id, 1)
  const nextSeconds = Math.max(rest.length > 0 ? 0 : usual, calls * secondsPerCall)
  await updateReportsRead(services.db.orm, feed, { until: new Date(nowMs), isSweep, nextSeconds })
}

/** @returns the number of calls */
async function readMitigations({ run, providerAccountId, options }: Reading): Promise<number> {
  const { services, account, connection, publisher } = run
  const due = await listMitigationsDue(services.db.orm, account.id, mitigationsPerRun)
  for (const reportId of due) {
    const mitigations = await connection.listMitigations(providerAccountId, reportId, options).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'provider_not_found') return null
      throw error
    })
    await updateMitigations(services.db.orm, account.id, reportId, mitigations)
  }
  if (due.length > 0) publisher.publish('reports', account)
  return due.length
}
