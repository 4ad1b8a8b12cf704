import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accounts, reportFeeds } from '#server/db/schema/index.ts'
import type { ChangeFeed } from '#shared/features/provider-changes/schema.ts'

const seconds = (count: number) => sql`${count} * interval '1 second'`

export type ReportFeedKind = (typeof reportFeeds.$inferSelect)['kind']
/** Those that are read. */
const kinds = ['abuse_reports'] as const satisfies readonly ReportFeedKind[]

const ofFeed = (accountId: string, kind: ReportFeedKind) => and(eq(reportFeeds.accountId, accountId), eq(reportFeeds.kind, kind))

/** Adds the feeds of an account whose zones are known; `inSeconds` until their first reading. */
export async function addReportFeeds(db: Queryable, accountId: string, inSeconds: number): Promise<void> {
  await db
    .insert(reportFeeds)
    .values(kinds.map((kind) => ({ accountId, kind, dueAt: sql`now() + ${seconds(inSeconds)}`, readUntil: sql`now()` })))
    .onConflictDoNothing()
}

/** Those of the account that are due. */
export async function listDueFeeds(db: Queryable, accountId: string) {
  return db
    .select()
    .from(reportFeeds)
    .where(and(eq(reportFeeds.accountId, accountId), inArray(reportFeeds.kind, kinds), sql`${reportFeeds.dueAt} <= now()`))
    .orderBy(reportFeeds.dueAt)
}
export type ReportFeed = Awaited<ReturnType<typeof listDueFeeds>>[number]

/**
 * Working credentials of this person with access to an account at the provider, first the one that reads its feed: the one that has read it before,
 * with the permission, with domains, or else the first.
 */
export async function listFeedReaders(db: Queryable, ownerId: string, kind: ReportFeedKind, providerAccountId: string) {
  return db
    .select({ id: accounts.id, providerAccountIds: accounts.providerAccountIds })
    .from(accounts)
    .innerJoin(reportFeeds, and(eq(reportFeeds.accountId, accounts.id), eq(reportFeeds.kind, kind)))
    .where(
      and(
        eq(accounts.ownerId, ownerId),
        sql`${providerAccountId} = any(${accounts.providerAccountIds})`,
        sql`${accounts.health} <> 'auth_error'`,
      ),
    )
    .orderBy(
      sql`${reportFeeds.readAt} is null`,
      sql`${reportFeeds.state} = 'no_permission'`,
      sql`not exists (select from zones z where z.account_id = ${accounts.id} and z.gone_at is null)`,
      accounts.id,
    )
}

/** Another credential reads it. */
export async function updateReportsLeft(db: Queryable, feed: ReportFeed, nextSeconds: number): Promise<void> {
  await db
    .update(reportFeeds)
    .set({ state: 'waiting', errorMessage: null, failures: 0, since: null, page: null, dueAt: sql`now() + ${seconds(nextSeconds)}` })
    .where(ofFeed(feed.accountId, feed.kind))
}

/** Locks the account, so that it is not deleted meanwhile. False if it is gone or has another credential. */
export async function lockAccount(tx: Queryable, account: { readonly id: string; readonly credentialHash: string }): Promise<boolean> {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, account.id), eq(accounts.credentialHash, account.credentialHash)))
    .for('no key update')
  return rows.length > 0
}

/** A page is stored, more follow. */
export async function updateReportPage(
  tx: Queryable,
  feed: ReportFeed,
  { nextSeconds, ...next }: { readonly since: Date; readonly page: number; readonly nextSeconds: number },
): Promise<void> {
  await tx
    .update(reportFeeds)
    .set({ ...next, dueAt: sql`now() + ${seconds(nextSeconds)}` })
    .where(ofFeed(feed.accountId, feed.kind))
}

/** All has been read. */
export async function updateReportsRead(
  tx: Queryable,
  feed: ReportFeed,
  read: { readonly until: Date; readonly isSweep: boolean; readonly nextSeconds: number },
): Promise<void> {
  await tx
    .update(reportFeeds)
    .set({
      since: null,
      page: null,
      state: 'working',
      errorMessage: null,
      failures: 0,
      readUntil: read.until,
      readAt: sql`now()`,
      dueAt: sql`now() + ${seconds(read.nextSeconds)}`,
      ...(read.isSweep ? { sweptAt: sql`now()` } : {}),
    })
    .where(ofFeed(feed.accountId, feed.kind))
}

/** It could not be read. */
export async function updateReportsFailed(
  db: Queryable,
  feed: ReportFeed,
  failure: { readonly state: ChangeFeed['state']; readonly message: string | null; readonly retrySeconds: number },
): Promise<void> {
  await db
    .update(reportFeeds)
    .set({
      state: failure.state,
      errorMessage: failure.message,
      failures: sql`${reportFeeds.failures} + 1`,
      dueAt: sql`now() + ${seconds(failure.retrySeconds)}`,
      // Pages shift, so the next reading starts from where all is known.
      since: null,
      page: null,
    })
    .where(ofFeed(feed.accountId, feed.kind))
}

/** Without an attempt. */
export async function postponeReports(db: Queryable, accountId: string, delaySeconds: number): Promise<void> {
  await db
    .update(reportFeeds)
    .set({ dueAt: sql`now() + ${seconds(delaySeconds)}` })
    .where(and(eq(reportFeeds.accountId, accountId), sql`${reportFeeds.dueAt} <= now()`))
}

/** A person may have added the missing permission. */
export async function advanceRefusedReports(db: Queryable, accountIds: readonly string[]): Promise<void> {
  await db
    .update(reportFeeds)
    .set({ dueAt: sql`least(${reportFeeds.dueAt}, now())` })
    .where(and(inArray(reportFeeds.accountId, [...accountIds]), inArray(reportFeeds.state, ['no_permission', 'account_unclear', 'failed'])))
}
