import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { accounts, changeFeeds, zones } from '#server/db/schema/index.ts'
import type { ChangeFeed } from '#shared/features/provider-changes/schema.ts'

const seconds = (count: number) => sql`${count} * interval '1 second'`

/** The log is read from this time before the account's first zone list on. */
const firstSeconds = 24 * 3_600

/** Adds the feed of an account whose zones are known; `inSeconds` until its first reading. */
export async function addFeed(db: Queryable, accountId: string, inSeconds: number): Promise<void> {
  await db
    .insert(changeFeeds)
    .values({ accountId, dueAt: sql`now() + ${seconds(inSeconds)}`, readUntil: sql`now() - ${seconds(firstSeconds)}` })
    .onConflictDoNothing()
}

export async function findFeed(db: Queryable, accountId: string) {
  const [row] = await db.select().from(changeFeeds).where(eq(changeFeeds.accountId, accountId))
  return row ?? null
}
export type Feed = NonNullable<Awaited<ReturnType<typeof findFeed>>>

/** Those with zones of this account; only they can have changes that matter to the panel. */
export async function listProviderAccountsWithZones(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: zones.providerAccountId })
    .from(zones)
    .where(and(eq(zones.accountId, accountId), isNull(zones.goneAt)))
    .limit(100)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** Locks the account and its feed, so that neither is deleted meanwhile. False if the account is gone or has another credential. */
export async function lockFeed(tx: Queryable, account: { readonly id: string; readonly credentialHash: string }): Promise<boolean> {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, account.id), eq(accounts.credentialHash, account.credentialHash)))
    .for('no key update')
  if (rows.length === 0) return false
  const feeds = await tx.select({ id: changeFeeds.accountId }).from(changeFeeds).where(eq(changeFeeds.accountId, account.id)).for('update')
  return feeds.length > 0
}

interface Window {
  readonly since: Date
  readonly before: Date
}

/** A page is stored, more follow. `readUntil` is the time of its first change if they are in order. */
export async function updateFeedPage(
  tx: Queryable,
  accountId: string,
  page: Window & { readonly cursor: string | null; readonly readUntil: Date | null },
): Promise<void> {
  const { readUntil, ...progress } = page
  const reached = readUntil === null ? {} : { readUntil: sql`greatest(${changeFeeds.readUntil}, ${readUntil.toISOString()}::timestamptz)` }
  await tx
    .update(changeFeeds)
    .set({ ...progress, ...reached })
    .where(eq(changeFeeds.accountId, accountId))
}

const noWindow = { since: null, before: null, cursor: null }

/** The log has been read to its end. */
export async function updateFeedRead(tx: Queryable, accountId: string, read: { readonly until: Date; readonly nextSeconds: number }) {
  await tx
    .update(changeFeeds)
    .set({
      ...noWindow,
      state: 'working',
      errorMessage: null,
      failures: 0,
      readUntil: read.until,
      readAt: sql`now()`,
      dueAt: sql`now() + ${seconds(read.nextSeconds)}`,
    })
    .where(eq(changeFeeds.accountId, accountId))
}

export async function updateFeedDelay(tx: Queryable, accountId: string, delaySeconds: number): Promise<void> {
  await tx
    .update(changeFeeds)
    .set({ delaySeconds, longestDelaySeconds: sql`greatest(${changeFeeds.longestDelaySeconds}, ${delaySeconds})` })
    .where(eq(changeFeeds.accountId, accountId))
}

/** The log could not be read. */
export async function updateFeedFailed(
  db: Queryable,
  accountId: string,
  failure: { readonly state: ChangeFeed['state']; readonly message: string | null; readonly retrySeconds: number },
): Promise<void> {
  await db
    .update(changeFeeds)
    .set({
      state: failure.state,
      errorMessage: failure.message,
      failures: sql`${changeFeeds.failures} + 1`,
      dueAt: sql`now() + ${seconds(failure.retrySeconds)}`,
    })
    .where(eq(changeFeeds.accountId, accountId))
}

/** The reading starts again from where all changes are known. */
export async function resetFeedWindow(db: Queryable, accountId: string): Promise<void> {
  await db.update(changeFeeds).set(noWindow).where(eq(changeFeeds.accountId, accountId))
}

/** Without an attempt. */
export async function postponeFeed(db: Queryable, accountId: string, delaySeconds: number): Promise<void> {
  await db
    .update(changeFeeds)
    .set({ dueAt: sql`now() + ${seconds(delaySeconds)}` })
    .where(eq(changeFeeds.accountId, accountId))
}

/** Makes the account's next zone list due, but no earlier than its size permits after the last one. */
export async function advanceList(tx: Queryable, accountId: string, changedAt: Date): Promise<void> {
  const since = sql`${accounts.syncedAt} + least(300, coalesce(${accounts.syncTotal}, 0) / 50 * 1.5) * interval '1 second'`
  await tx
    .update(accounts)
    .set({ nextSyncAt: sql`least(${accounts.nextSyncAt}, greatest(now(), ${since}))` })
    .where(and(eq(accounts.id, accountId), sql`${accounts.syncedAt} - interval '1 minute' < ${changedAt.toISOString()}::timestamptz`))
}

/** Makes details of the account due now. */
export async function advanceAccountDetails(tx: Queryable, accountId: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ detailsDueAt: sql`least(${accounts.detailsDueAt}, now())` })
    .where(eq(accounts.id, accountId))
}
