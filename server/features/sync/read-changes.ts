import { updateChangedDue } from '#server/features/domains/mirror/index.ts'
import { changesKeptDays, storeChanges } from '#server/features/provider-changes/index.ts'
import type { HostedChange, HostedChangePage } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { backoffSeconds } from './failure.ts'
import { findProviderAccount } from './provider-account.ts'
import {
  advanceAccountDetails,
  advanceList,
  findFeed,
  lockFeed,
  resetFeedWindow,
  updateFeedDelay,
  updateFeedFailed,
  updateFeedPage,
  updateFeedRead,
} from './change-feeds.repo.ts'
import type { Feed } from './change-feeds.repo.ts'
import type { SyncRun } from './sync-run.ts'
import { wakeSync } from './sync.repo.ts'

const minuteMs = 60_000
/** Entries appear late, so the last hour is read again each time; what is stored already is skipped. */
const overlapMs = 60 * minuteMs
/** The provider's clock may be ahead. */
const aheadMs = 5 * minuteMs
/** A run yields to other accounts after this many pages and continues with the cursor. */
const pagesPerRun = 50
/** Pages of busy accounts use at most a twentieth of the usual budget. */
const secondsPerPage = 5
/** The delay of a change is measured only if the previous reading is not older. */
const regularMs = 5 * minuteMs
/** A person has to act first. */
const refusedSeconds = 6 * 3_600

interface Window {
  readonly since: Date
  readonly before: Date
  readonly cursor: string | null
}

function windowOf(feed: Feed, nowMs: number): Window {
  if (feed.since !== null && feed.before !== null) return { since: feed.since, before: feed.before, cursor: feed.cursor }
  const sinceMs = Math.max(feed.readUntil.getTime() - overlapMs, nowMs - changesKeptDays * 24 * 60 * minuteMs)
  return { since: new Date(sinceMs), before: new Date(nowMs + aheadMs), cursor: null }
}

/** The longest time between a change and its appearance, among those that could not be read before; null without such changes. */
function delayOf(feed: Feed, changes: readonly HostedChange[], nowMs: number): number | null {
  if (feed.readAt === null || nowMs - feed.readAt.getTime() > regularMs) return null
  const delays = changes.map(({ changedAt }) => Math.max(0, nowMs - changedAt.getTime()))
  return delays.length === 0 ? null : Math.round(delays.reduce((longest, each) => Math.max(longest, each)) / 1_000)
}

/** Stores a page together with the position after it and with what has to be read again. False if the account is gone or changed. */
async function storePage(run: SyncRun, feed: Feed, window: Window, page: HostedChangePage, pages: number): Promise<boolean> {
  const { services, account, options, publisher } = run
  const nowMs = services.clock.now()
  const stored = await services.db.orm.transaction(async (tx) => {
    if (!(await lockFeed(tx, account))) return null
    const added = await storeChanges(tx, account, page.changes)
    await markDue(run, tx, added)
    const delay = delayOf(feed, added, nowMs)
    if (delay !== null) await updateFeedDelay(tx, account.id, delay)
    if (page.cursor !== null) {
      const [first, last] = [page.changes.at(0)?.changedAt, page.changes.at(-1)?.changedAt]
      const readUntil = first !== undefined && last !== undefined && first <= last ? first : null
      await updateFeedPage(tx, account.id, { ...window, cursor: page.cursor, readUntil })
    } else {
      const usual = options.changesEverySeconds * (0.8 + Math.random() * 0.4)
      const nextSeconds = Math.max(usual, pages * secondsPerPage)
      await updateFeedRead(tx, account.id, { until: new Date(window.before.getTime() - aheadMs), nextSeconds })
    }
    return added.length
  })
  if (stored !== null && stored > 0) publisher.publish('provider_changes', account)
  return stored !== null
}

/** What others changed is read again; what the panel changed it has written already. */
async function markDue({ account }: SyncRun, tx: Parameters<typeof storeChanges>[0], added: readonly HostedChange[]): Promise<void> {
  const outside = added.filter(({ isOwn }) => !isOwn)
  const parts = outside.flatMap(({ zone, kind, changedAt }) =>
    zone !== null && (kind === 'records' || kind === 'settings' || kind === 'rules')
      ? [{ providerZoneId: zone.providerZoneId, part: kind, changedAt }]
      : [],
  )
  const ofZones = outside.filter(({ kind }) => kind === 'zone').map(({ changedAt }) => changedAt)
  const newest = ofZones.reduce<Date | null>((latest, each) => (latest === null || each > latest ? each : latest), null)
  if (parts.length > 0 && (await updateChangedDue(tx, account.id, parts)) > 0) await advanceAccountDetails(tx, account.id)
  if (newest !== null) await advanceList(tx, account.id, newest)
  if (parts.length > 0 || newest !== null) await wakeSync(tx)
}

async function recordFailure({ services, account }: SyncRun, feed: Feed, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || !error.code.startsWith('provider_')) throw error
  const isForbidden = error.code === 'provider_forbidden'
  const asked = Number(error.params['retryAfterSeconds'] ?? 0)
  const retrySeconds = isForbidden ? refusedSeconds : Math.max(asked, backoffSeconds(feed.failures, 60, 3_600))
  services.log.info({ accountId: account.id, code: error.code, retrySeconds }, 'failed to read the audit log of an account')
  await updateFeedFailed(services.db.orm, account.id, {
    state: isForbidden ? 'no_permission' : 'failed',
    message: error.provider?.message ?? null,
    retrySeconds,
  })
}

/** Reads the changes in the account from the provider's audit log, from where the last reading ended. */
export async function readChanges(run: SyncRun): Promise<void> {
  const { services, account, connection, publisher, signal } = run
  const feed = await findFeed(services.db.orm, account.id)
  if (feed === null) return
  const providerAccountId = await findProviderAccount(services.db.orm, account)
  if (providerAccountId === null) {
    await updateFeedFailed(services.db.orm, account.id, { state: 'account_unclear', message: null, retrySeconds: refusedSeconds })
    if (feed.state !== 'account_unclear') publisher.publish('accounts', account)
    return
  }
  let window = windowOf(feed, services.clock.now())
  try {
    for (let pages = 1; pages <= pagesPerRun && !run.yielding(); pages += 1) {
      const page = await connection.listChanges(providerAccountId, window, { priority: 'sync', signal })
      if (!(await storePage(run, feed, window, page, pages)) || page.cursor === null) break
      window = { ...window, cursor: page.cursor }
    }
  } catch (error) {
    if (signal.aborted) throw error
    const isExpired = window.cursor !== null && error instanceof AppError && error.code === 'provider_rejected'
    if (isExpired) await resetFeedWindow(services.db.orm, account.id)
    await recordFailure(run, feed, error)
  }
  const after = await findFeed(services.db.orm, account.id)
  // Not after each reading, because lists of domains and accounts are then read again.
  if (after !== null && (after.state !== feed.state || after.errorMessage !== feed.errorMessage)) publisher.publish('accounts', account)
}
