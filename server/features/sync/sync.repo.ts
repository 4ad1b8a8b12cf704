import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { notify, toJson } from '#server/db/client.ts'
import { accounts, changeFeeds, reportFeeds } from '#server/db/schema/index.ts'
import type { Identity } from '#server/ports/dns-host.ts'
import { postponeFeed } from './change-feeds.repo.ts'
import { advanceRefusedReports, postponeReports } from './report-feeds.repo.ts'

/** Wakes the schedulers of every process. */
export const syncChannel = 'zonedeck_sync'
export const wakeMessages = {
  /** Some work is due. */
  due: 'due',
  /** Accounts were deleted or got another credential: their work must stop. */
  accountsChanged: 'accounts-changed',
  /** Followed by the account's id: a user looks at zones with unread details. */
  wanted: 'wanted ',
} as const

const seconds = (count: number) => sql`${count} * interval '1 second'`
const checkPending = sql<boolean>`(${accounts.checkRequestedAt} is not null and ${accounts.checkRequestedAt} > coalesce(${accounts.checkedAt}, '-infinity'))`
const listDue = sql<boolean>`(${accounts.nextSyncAt} <= now() and not ${checkPending})`
const detailsDue = sql<boolean>`(${accounts.detailsDueAt} is not null and ${accounts.detailsDueAt} <= now() and not ${checkPending})`

/** A credential that the provider refuses is not tried. */
const changesDue = sql<boolean>`(${accounts.health} <> 'auth_error'
  and exists (select from change_feeds f where f.account_id = ${accounts.id} and f.due_at <= now()))`
const reportsDue = sql<boolean>`(${accounts.health} <> 'auth_error'
  and exists (select from report_feeds f where f.account_id = ${accounts.id} and f.due_at <= now()))`

/** The earliest due time of an account's details; null if there is none. */
const earliestDetails = (accountId: string) => sql`(
  select min(due) from (
    (select records_due_at as due from zones where account_id = ${accountId} and records_due_at is not null order by 1 limit 1)
    union all
    (select settings_due_at from zones where account_id = ${accountId} and settings_due_at is not null order by 1 limit 1)
    union all
    (select greatest(z.rules_due_at, a.rules_next_at) from zones z join accounts a on a.id = z.account_id
      where z.account_id = ${accountId} and z.rules_due_at is not null order by z.rules_due_at limit 1)) as d)`

/** Large enough that accounts locked by other processes do not hide the rest. */
const candidates = 300
const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id)

/**
 * The position of an account among those of its owner: owners take turns, so that one with thousands of accounts does not delay the others.
 */
const turn = (order: SQL) => sql`row_number() over (partition by ${accounts.ownerId} order by ${order})`
const listOrder = sql`not ${accounts.syncAsked}, ${accounts.syncedAt} is not null, ${accounts.nextSyncAt}`

/** Due work, longest waiting first per owner; some of it may already be in progress. */
export async function listDueWork(
  db: Database,
): Promise<{ checks: string[]; lists: string[]; details: string[]; changes: string[]; reports: string[]; asked: ReadonlySet<string> }> {
  const [checks, lists, details, changes, reports] = await Promise.all([
    db.orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(checkPending)
      .orderBy(turn(sql`${accounts.checkRequestedAt}`), accounts.checkRequestedAt)
      .limit(candidates),
    // Requested ones first, then accounts that were never synced.
    db.orm
      .select({ id: accounts.id, asked: accounts.syncAsked })
      .from(accounts)
      .where(listDue)
      .orderBy(turn(listOrder), listOrder)
      .limit(candidates),
    db.orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(detailsDue)
      .orderBy(turn(sql`${accounts.detailsDueAt}`), accounts.detailsDueAt)
      .limit(candidates),
    db.orm
      .select({ id: accounts.id })
      .from(changeFeeds)
      .innerJoin(accounts, eq(accounts.id, changeFeeds.accountId))
      .where(and(sql`${changeFeeds.dueAt} <= now()`, sql`${accounts.health} <> 'auth_error'`))
      .orderBy(turn(sql`${changeFeeds.dueAt}`), changeFeeds.dueAt)
      .limit(candidates),
    db.orm
      .select({ id: accounts.id })
      .from(reportFeeds)
      .innerJoin(accounts, eq(accounts.id, reportFeeds.accountId))
      .where(and(sql`${reportFeeds.dueAt} <= now()`, sql`${accounts.health} <> 'auth_error'`))
      .orderBy(turn(sql`${reportFeeds.dueAt}`), reportFeeds.dueAt)
      .limit(candidates),
  ])
  const asked = new Set(idsOf(lists.filter((list) => list.asked)))
  return { checks: idsOf(checks), lists: idsOf(lists), details: idsOf(details), changes: idsOf(changes), reports: idsOf(reports), asked }
}

const jobColumns = {
  id: accounts.id,
  ownerId: accounts.ownerId,
  email: accounts.email,
  kind: accounts.kind,
  apiKeySealed: accounts.apiKeySealed,
  credentialHash: accounts.credentialHash,
  providerUserId: accounts.providerUserId,
  providerAccountIds: accounts.providerAccountIds,
  health: accounts.health,
  syncedAt: accounts.syncedAt,
  syncAsked: accounts.syncAsked,
  nextSyncAt: accounts.nextSyncAt,
  syncFailures: accounts.syncFailures,
  detailsRefused: accounts.detailsRefused,
  mayReadRules: sql<boolean>`(${accounts.rulesNextAt} is null or ${accounts.rulesNextAt} <= now())`,
  checkPending,
  listDue,
  detailsDue,
  changesDue,
  reportsDue,
}

/** The account with the data that a job needs; null if it was deleted. */
export async function findSyncAccount(db: Database, id: string) {
  const [row] = await db.orm.select(jobColumns).from(accounts).where(eq(accounts.id, id))
  return row ?? null
}
export type SyncAccount = NonNullable<Awaited<ReturnType<typeof findSyncAccount>>>

/** Which of these accounts still have the same credential; the rest were deleted or changed. */
export async function listUnchanged(db: Database, running: readonly Pick<SyncAccount, 'id' | 'credentialHash'>[]): Promise<Set<string>> {
  const rows = await db.sql<{ id: string }[]>`
    select a.id from accounts a
    join json_to_recordset(${toJson(running)}::text::json) as r (id uuid, "credentialHash" text)
      on r.id = a.id and r."credentialHash" = a.credential_hash`
  return new Set(idsOf(rows))
}

export type SyncWork = 'check' | 'list' | 'details' | 'changes' | 'reports'

/** Postpones work that failed with an internal error, so that it is not retried constantly. */
export async function postponeWork(db: Database, id: string, work: SyncWork): Promise<void> {
  if (work === 'changes') return postponeFeed(db.orm, id, 60)
  if (work === 'reports') return postponeReports(db.orm, id, 60)
  const later = sql`now() + interval '1 minute'`
  const changes = {
    check: { checkedAt: sql`clock_timestamp()`, health: 'unknown' as const, healthCode: 'internal', healthMessage: null },
    list: { syncing: false, nextSyncAt: later, syncErrorCode: 'internal', syncErrorMessage: null },
    details: { detailsDueAt: later },
  }
  await db.orm.update(accounts).set(changes[work]).where(eq(accounts.id, id))
}

// ---- the health check

/** Only if the credential is still the one that was checked. */
const sameAccount = (account: SyncAccount) => and(eq(accounts.id, account.id), eq(accounts.credentialHash, account.credentialHash))

export async function updateHealthy(db: Queryable, account: SyncAccount, { userId, accounts: opened }: Identity): Promise<void> {
  await db
    .update(accounts)
    .set({
      health: 'working',
      healthCode: null,
      healthMessage: null,
      checkedAt: sql`clock_timestamp()`,
      providerUserId: userId,
      providerAccountIds: opened.map(({ id }) => id),
      // Work that failed for lack of a valid credential need not wait any longer.
      ...(account.health === 'auth_error' ? { nextSyncAt: sql`now()` } : {}),
    })
    .where(sameAccount(account))
}

export interface Failure {
  readonly health: 'auth_error' | 'api_error'
  readonly code: string | null
  readonly message: string | null
  readonly retrySeconds: number
}

export async function updateUnhealthy(db: Queryable, account: SyncAccount, failure: Failure): Promise<void> {
  await db
    .update(accounts)
    .set({
      health: failure.health,
      healthCode: failure.code,
      healthMessage: failure.message,
      checkedAt: sql`clock_timestamp()`,
      // Without a valid credential the listing would fail as well.
      ...(failure.health === 'auth_error'
        ? {
            nextSyncAt: sql`greatest(${accounts.nextSyncAt}, now() + ${seconds(failure.retrySeconds)})`,
            syncErrorCode: failure.code,
            syncErrorMessage: failure.message,
          }
        : {}),
    })
    .where(sameAccount(account))
}

// ---- the zone list

export async function updateListingStarted(db: Database, account: SyncAccount): Promise<void> {
  await db.orm
    .update(accounts)
    .set({ syncing: true, syncStartedAt: sql`now()`, syncDone: 0, syncTotal: null })
    .where(eq(accounts.id, account.id))
}

export async function updateListingProgress(db: Database, accountId: string, done: number, total: number): Promise<void> {
  await db.orm
    .update(accounts)
    .set({ syncDone: done, syncTotal: total })
    .where(and(eq(accounts.id, accountId), eq(accounts.syncing, true)))
}

export async function updateListingStopped(db: Database, accountId: string): Promise<void> {
  await db.orm
    .update(accounts)
    .set({ syncing: false })
    .where(and(eq(accounts.id, accountId), eq(accounts.syncing, true)))
}

export async function updateListed(
  db: Queryable,
  account: SyncAccount,
  listing: { readonly total: number; readonly whole: boolean; readonly nextSeconds: number },
): Promise<boolean> {
  // Requested again while it ran, so the next one stays due.
  const askedAgain = sql`${accounts.nextSyncAt} is distinct from ${account.nextSyncAt.toISOString()}::timestamptz`
  const rows = await db
    .update(accounts)
    .set({
      syncing: false,
      ...(listing.whole ? { syncedAt: sql`now()` } : {}),
      syncDone: listing.total,
      syncTotal: listing.total,
      syncFailures: 0,
      syncErrorCode: null,
      syncErrorMessage: null,
      health: 'working',
      healthCode: null,
      healthMessage: null,
      checkedAt: sql`case when ${checkPending} then ${accounts.checkedAt} else now() end`,
      // The credential's user could not be determined when it was added, but the budget depends on it.
      checkRequestedAt: sql`case when ${accounts.providerUserId} is null and ${accounts.health} = 'api_error'
        then now() + interval '1 millisecond' else ${accounts.checkRequestedAt} end`,
      nextSyncAt: sql`case when ${askedAgain} then ${accounts.nextSyncAt} else now() + ${seconds(listing.nextSeconds)} end`,
      syncAsked: sql`${askedAgain} and ${accounts.syncAsked}`,
      detailsDueAt: earliestDetails(account.id),
    })
    .where(sameAccount(account))
    .returning({ id: accounts.id })
  return rows.length > 0
}

export async function updateListingFailed(db: Queryable, account: SyncAccount, failure: Failure): Promise<void> {
  const askedAgain = sql`${accounts.nextSyncAt} is distinct from ${account.nextSyncAt.toISOString()}::timestamptz`
  await db
    .update(accounts)
    .set({
      syncing: false,
      syncFailures: sql`${accounts.syncFailures} + 1`,
      syncErrorCode: failure.code,
      syncErrorMessage: failure.message,
      health: failure.health,
      healthCode: failure.code,
      healthMessage: failure.message,
      checkedAt: sql`case when ${checkPending} then ${accounts.checkedAt} else now() end`,
      nextSyncAt: sql`case when ${askedAgain} then ${accounts.nextSyncAt} else now() + ${seconds(failure.retrySeconds)} end`,
      syncAsked: sql`${askedAgain} and ${accounts.syncAsked}`,
    })
    .where(sameAccount(account))
}

export async function requestCheck(db: Queryable, accountId: string): Promise<void> {
  await db
    .update(accounts)
    .set({ checkRequestedAt: sql`clock_timestamp()` })
    .where(eq(accounts.id, accountId))
}

// ---- the details

/** The credential may not read this part. */
export async function updateRefused(db: Queryable, accountId: string, part: 'records' | 'settings'): Promise<void> {
  await db.update(accounts).set({ detailsRefused: part }).where(eq(accounts.id, accountId))
}

/** The credential may read everything again. */
export async function clearRefusal(db: Database, accountId: string): Promise<void> {
  await db.orm.update(accounts).set({ detailsRefused: null }).where(eq(accounts.id, accountId))
}

/** Updates when the next details of the account are due; `pauseSeconds` postpones all of them. */
export async function updateDetailsDue(db: Database, accountId: string, pauseSeconds: number): Promise<void> {
  const earliest = earliestDetails(accountId)
  await db.orm
    .update(accounts)
    .set({
      detailsDueAt: pauseSeconds === 0 ? earliest : sql`greatest(${earliest}, now() + ${seconds(pauseSeconds)})`,
    })
    .where(eq(accounts.id, accountId))
}

/** Makes the details of a zone's account due no later than the zone's records. */
export async function advanceDetails(db: Database, domainId: string): Promise<void> {
  await db.sql`
    update accounts a set details_due_at = z.records_due_at from zones z
    where z.id = ${domainId} and a.id = z.account_id and (a.details_due_at is null or a.details_due_at > z.records_due_at)
      and z.records_due_at > now()`
}

type Sharing = Pick<SyncAccount, 'id' | 'providerUserId'>

/** Locks all accounts that share the budget of this one. */
const lockSharing = (tx: Queryable, { id, providerUserId }: Sharing) =>
  tx
    .select({ id: accounts.id, isWaiting: sql<boolean>`coalesce(${accounts.rulesNextAt} > now(), false)` })
    .from(accounts)
    .where(or(eq(accounts.id, id), providerUserId === null ? undefined : eq(accounts.providerUserId, providerUserId)))
    .orderBy(accounts.id)
    .for('no key update')

/**
 * Reserves the rules' share of the budget for one run, so that no other run of an account that shares it gets any, also if this one is killed.
 * @returns until when; null if it is reserved or used up already
 */
export const reserveRules = ({ orm }: Database, account: Sharing, forSeconds: number): Promise<Date | null> =>
  orm.transaction(async (tx) => {
    const sharing = await lockSharing(tx, account)
    const waiting = sharing.filter(({ isWaiting }) => isWaiting)
    // Accounts that share the budget wait for the same time, also one that was added since then: otherwise each would block the other.
    const until =
      waiting.length === 0
        ? sql`now() + ${seconds(forSeconds)}`
        : sql`(select max(a.rules_next_at) from accounts a where a.id = any(${sql.param(idsOf(waiting))}::uuid[]))`
    const [row] = await tx
      .update(accounts)
      .set({ rulesNextAt: until })
      .where(inArray(accounts.id, idsOf(sharing)))
      .returning({ until: accounts.rulesNextAt })
    return waiting.length > 0 ? null : (row?.until ?? null)
  })

/** Postpones the next rules of all accounts that share the budget of this one, in place of its reservation. */
export const postponeRules = ({ orm }: Database, account: Sharing, reservedUntil: Date, pauseSeconds: number): Promise<void> =>
  orm.transaction(async (tx) => {
    const ids = idsOf(await lockSharing(tx, account))
    // The reservation of a long run may have ended, and another run may have followed it.
    const others = sql`(select max(nullif(a.rules_next_at, ${reservedUntil.toISOString()}::timestamptz)) from accounts a where a.id = any(${sql.param(ids)}::uuid[]))`
    await tx
      .update(accounts)
      .set({ rulesNextAt: sql`greatest(now(), ${others}) + ${seconds(pauseSeconds)}` })
      .where(inArray(accounts.id, ids))
  })

// ---- for other features

/** Wakes the schedulers, when in a transaction at its commit. */
export const wakeSync = (db: Queryable) => notify(db, syncChannel, wakeMessages.due)

/** Stops work on accounts that this transaction deletes or changes the credential of, and wakes the schedulers. */
export const interruptSync = (db: Queryable) => notify(db, syncChannel, wakeMessages.accountsChanged)

/** Makes the next listing of these accounts due immediately. */
export async function updateSyncAsked(db: Queryable, accountIds: readonly string[]): Promise<void> {
  await db
    .update(accounts)
    .set({ nextSyncAt: sql`now()`, syncAsked: true, detailsRefused: null })
    .where(inArray(accounts.id, [...accountIds]))
  // A person may have added the missing permission.
  await db
    .update(changeFeeds)
    .set({ dueAt: sql`least(${changeFeeds.dueAt}, now())` })
    .where(and(inArray(changeFeeds.accountId, [...accountIds]), inArray(changeFeeds.state, ['no_permission', 'account_unclear', 'failed'])))
  await advanceRefusedReports(db, accountIds)
}

/** Marks the details of these accounts as waited for. */
export async function updateDetailsWanted(db: Queryable, accountIds: readonly string[]): Promise<void> {
  await db
    .update(accounts)
    .set({ detailsDueAt: sql`now()` })
    .where(inArray(accounts.id, [...accountIds]))
  for (const accountId of accountIds) await notify(db, syncChannel, wakeMessages.wanted + accountId)
}
