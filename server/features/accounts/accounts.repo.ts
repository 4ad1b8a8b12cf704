import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch, personLabelSql } from '#server/db/columns.ts'
import { accounts, changeFeeds, recordDisappearances, reportFeeds, shares, users, zones } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { detailsPendingBit } from '#shared/features/domains/dims.ts'
import type { AccountMissingRecords } from '#shared/features/sync/disappearances/schema.ts'
import type { checkProgress } from '#shared/features/accounts/schema.ts'
import { shownDisappearance } from '#server/db/shown-disappearance.ts'

export { toDisappearance } from '#server/db/shown-disappearance.ts'

/** Restricts to the actor's own accounts; no restriction for an administrator. */
const own = (actor: UserActor): SQL | undefined => (actor.role === 'admin' ? undefined : eq(accounts.ownerId, actor.userId))

const checking = sql<boolean>`(${accounts.checkRequestedAt} is not null and ${accounts.checkRequestedAt} > coalesce(${accounts.checkedAt}, '-infinity'))`
/** From the maintained counts, never from the zones themselves. */
const countOf = (filter: SQL) => sql<number>`(
  select coalesce(sum(n) ${filter}, 0)::int from (
    select c.n, c.dims from zone_counts c where c.owner_id = ${accounts.ownerId} and c.kind = 1 and c.key = ${accounts.id}
    union all
    select c.n, c.dims from zone_count_changes c where c.owner_id = ${accounts.ownerId} and c.kind = 1 and c.key = ${accounts.id}
  ) as counted)`

/**
 * Domains with missing records that nobody has decided about, by account: grouped once, because there may be many of both. Timestamps are as
 * PostgreSQL writes them in JSON.
 */
const heldRecords = (db: Queryable, ofAccounts: SQL | undefined) =>
  db
    .select({
      accountId: zones.accountId,
      shown: sql<AccountMissingRecords>`json_build_object('domains', count(*), 'known', sum(${recordDisappearances.known}),
        'missing', sum(${recordDisappearances.missing}), 'foundAt', max(${recordDisappearances.foundAt}))`.as('shown'),
    })
    .from(recordDisappearances)
    .innerJoin(zones, eq(zones.id, recordDisappearances.domainId))
    .where(and(isNull(zones.goneAt), isNull(recordDisappearances.keptAt), ofAccounts))
    .groupBy(zones.accountId)
    .as('held_records')

const abuseFeeds = alias(reportFeeds, 'abuse_feeds')

/** All columns except the secrets. */
const shownColumns = {
  id: accounts.id,
  ownerId: accounts.ownerId,
  ownerName: personLabelSql,
  name: accounts.name,
  email: accounts.email,
  kind: accounts.kind,
  sharedWith: sql<number>`(select count(*)::int from ${shares} where ${shares.accountId} = ${accounts.id})`,
  hasPassword: sql<boolean>`${accounts.passwordSealed} is not null`,
  zonesCount: countOf(sql``),
  detailsPending: countOf(sql`filter (where dims & ${sql.raw(String(detailsPendingBit))} <> 0)`),
  detailsRefused: sql<'records' | 'settings' | null>`${accounts.detailsRefused}`,
  health: accounts.health,
  healthCode: accounts.healthCode,
  healthMessage: accounts.healthMessage,
  checkedAt: accounts.checkedAt,
  checking,
  syncing: accounts.syncing,
  // Columns round to milliseconds in both directions, so a value set to now() may be slightly in the future.
  syncQueued: sql<boolean>`${accounts.nextSyncAt} <= now() + interval '1 millisecond'`,
  syncDone: accounts.syncDone,
  syncTotal: accounts.syncTotal,
  syncedAt: accounts.syncedAt,
  syncErrorCode: accounts.syncErrorCode,
  syncErrorMessage: accounts.syncErrorMessage,
  nextSyncAt: accounts.nextSyncAt,
  disappearance: shownDisappearance('accountId', accounts.id),
  feedState: changeFeeds.state,
  feedMessage: changeFeeds.errorMessage,
  feedReadAt: changeFeeds.readAt,
  feedDelaySeconds: changeFeeds.delaySeconds,
  feedLongestDelaySeconds: changeFeeds.longestDelaySeconds,
  abuseFeedState: abuseFeeds.state,
  abuseFeedMessage: abuseFeeds.errorMessage,
  abuseFeedReadAt: abuseFeeds.readAt,
  createdAt: accounts.createdAt,
}

/** @param ofAccounts the zones of the accounts that are wanted */
function selectShown(db: Queryable, ofAccounts: SQL | undefined) {
  const held = heldRecords(db, ofAccounts)
  return db
    .select({ ...shownColumns, missingRecords: held.shown })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.ownerId))
    .leftJoin(held, eq(held.accountId, accounts.id))
    .leftJoin(changeFeeds, eq(changeFeeds.accountId, accounts.id))
    .leftJoin(abuseFeeds, and(eq(abuseFeeds.accountId, accounts.id), eq(abuseFeeds.kind, 'abuse_reports')))
}
export type ShownAccount = Awaited<ReturnType<typeof selectShown>>[number]

interface AccountFilter {
  readonly search?: string | undefined
}

export async function listShown(db: Queryable, { owners, shared }: AccessScope, filter: AccountFilter): Promise<ShownAccount[]> {
  const text = filter.search?.trim() ?? ''
  const visible = (ownerId: SQLWrapper, accountId: SQLWrapper) =>
    or(inArray(ownerId, [...owners]), shared === null ? undefined : inArray(accountId, [...shared.accountIds]))
  return selectShown(db, visible(zones.ownerId, zones.accountId))
    .where(
      and(
        visible(accounts.ownerId, accounts.id),
        text === ''
          ? undefined
          : sql`strpos(${normalizeForSearch(sql`concat_ws(e'\n', ${accounts.email}, ${accounts.name})`)}, ${normalizeForSearch(sql`${text}::text`)}) > 0`,
      ),
    )
    .orderBy(accounts.email, accounts.id)
}

/**
 * The owner of the account.
 * @throws AppError not_found
 */
export async function getShown(db: Queryable, id: string): Promise<ShownAccount> {
  const [row] = await selectShown(db, eq(zones.accountId, id)).where(eq(accounts.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** All owners of accounts. */
export async function listOwners(db: Queryable): Promise<string[]> {
  const rows = await db.selectDistinct({ ownerId: accounts.ownerId }).from(accounts)
  return rows.map(({ ownerId }) => ownerId)
}

export type AccountRow = typeof accounts.$inferSelect

/**
 * An account of any owner with its encrypted secrets, locked until the transaction ends.
 * @throws AppError not_found
 */
export async function getAccountForUpdate(tx: Transaction, id: string): Promise<AccountRow> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('update')
  if (row === undefined) throw new AppError('not_found')
  return row
}

export type AccountSummary = Pick<AccountRow, 'id' | 'ownerId' | 'email'> & { readonly zonesCount: number }

const summaryColumns = { id: accounts.id, ownerId: accounts.ownerId, email: accounts.email, zonesCount: countOf(sql``) }

/**
 * These accounts, of any owner.
 * @throws AppError not_found if one does not exist.
 */
export async function listSummaries(db: Queryable, ids: readonly string[]): Promise<AccountSummary[]> {
  const wanted = [...new Set(ids)]
  const rows = await db.select(summaryColumns).from(accounts).where(inArray(accounts.id, wanted)).orderBy(accounts.id)
  if (rows.length !== wanted.length) throw new AppError('not_found')
  return rows
}

/** The actor's own accounts; all accounts for an administrator. */
export const listOwn = (db: Queryable, actor: UserActor): Promise<AccountSummary[]> =>
  db.select(summaryColumns).from(accounts).where(own(actor)).orderBy(accounts.id)

/** Locked in a common order, so that two concurrent deletions of the same accounts cannot deadlock. */
export async function lockAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]))
    .orderBy(accounts.id)
    .for('update')
}

export async function deleteAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  // In the order in which the results of changes lock them, so that neither waits for the other.
  await tx.execute(sql`
    with held as (select id from zones where account_id = any(${sql.param([...ids])}::uuid[]) order by id for update) select count(*) from held`)
  await tx.delete(accounts).where(inArray(accounts.id, [...ids]))
}

type NewAccount = Omit<typeof accounts.$inferInsert, 'id' | 'checkedAt' | 'checkRequestedAt'> & {
  readonly id: string
  /** Whether the provider has just verified the credential; otherwise a check is requested. */
  readonly checked: boolean
}

const rowsPerBatch = 1_000

/** Returns the ids of the inserted rows; accounts that the owner already has are skipped. */
export async function insertNew(tx: Queryable, rows: readonly NewAccount[]): Promise<Set<string>> {
  const inserted = new Set<string>()
  for (let from = 0; from < rows.length; from += rowsPerBatch) {
    const done = await tx
      .insert(accounts)
      .values(
        rows.slice(from, from + rowsPerBatch).map(({ checked, ...row }) => ({
          ...row,
          ...(checked ? { checkedAt: sql`now()` } : { checkRequestedAt: sql`now()` }),
        })),
      )
      .onConflictDoNothing({ target: [accounts.ownerId, accounts.credentialHash] })
      .returning({ id: accounts.id })
    for (const { id } of done) inserted.add(id)
  }
  return inserted
}

/** Which of these credentials the owner already has. */
export async function listKnownCredentials(db: Queryable, ownerId: string, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .select({ hash: accounts.credentialHash })
    .from(accounts)
    .where(and(eq(accounts.ownerId, ownerId), inArray(accounts.credentialHash, [...hashes])))
  return new Set(rows.map((row) => row.hash))
}

/** Emails of the owner's accounts with a global key; a Cloudflare user has only one. */
export async function listKnownEmails(db: Queryable, ownerId: string, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const rows = await db
    .select({ email: accounts.email })
    .from(accounts)
    .where(and(eq(accounts.ownerId, ownerId), eq(accounts.kind, 'global_key'), inArray(accounts.email, [...emails])))
  return new Set(rows.map((row) => row.email))
}

/** False if the owner has another account with this credential; nothing is changed then. */
export async function updateAccountRow(tx: Transaction, row: AccountRow, changes: Partial<AccountRow>): Promise<boolean> {
  if (changes.credentialHash !== undefined && changes.credentialHash !== row.credentialHash) {
    const known = await listKnownCredentials(tx, row.ownerId, [changes.credentialHash])
    if (known.size > 0) return false
  }
  await tx.update(accounts).set(changes).where(eq(accounts.id, row.id))
  return true
}

/** Requests a check of each account; all of them share `runId`. */
export async function updateCheckRequested(tx: Queryable, ids: readonly string[], runId: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ checkRequestedAt: sql`clock_timestamp()`, checkRunId: runId })
    .where(inArray(accounts.id, [...ids]))
}

/** Progress of the runs in progress, or of the last one if there is none. */
export async function getCheckProgress(db: Queryable, actor: UserActor): Promise<z.infer<typeof checkProgress>> {
  const runs = await db
    .select({
      total: sql<number>`count(*)::int`,
      pending: sql<number>`(count(*) filter (where ${checking}))::int`,
      problems: sql<number>`(count(*) filter (where not ${checking} and ${accounts.health} in ('auth_error', 'api_error')))::int`,
    })
    .from(accounts)
    .where(and(own(actor), sql`${accounts.checkRunId} is not null`))
    .groupBy(accounts.checkRunId)
    .orderBy(sql`max(${accounts.checkRequestedAt}) desc`)
  const atWork = runs.filter((run) => run.pending > 0)
  const shown = atWork.length > 0 ? atWork : runs.slice(0, 1)
  const total = shown.reduce((sum, run) => sum + run.total, 0)
  const pending = shown.reduce((sum, run) => sum + run.pending, 0)
  const problems = shown.reduce((sum, run) => sum + run.problems, 0)
  return { total, done: total - pending, problems, running: pending > 0 }
}
