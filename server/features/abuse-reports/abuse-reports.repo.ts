import { eq } from 'drizzle-orm'
import type { Database, Queryable, RawRow } from '#server/db/client.ts'
import { personLabelText } from '#server/db/columns.ts'
import { abuseReports, accounts } from '#server/db/schema/index.ts'
import type { AbuseKind, AbuseState } from '#shared/features/abuse-reports/schema.ts'

/** Null for an unknown account. */
export async function findAccountOwner({ orm }: Database, id: string): Promise<string | null> {
  const [row] = await orm.select({ ownerId: accounts.ownerId }).from(accounts).where(eq(accounts.id, id))
  return row?.ownerId ?? null
}

/** Reports of one domain, of these accounts and all accounts of these people, or of everybody. */
export type AbuseScope =
  | { readonly domainId: string; readonly accountId: string | undefined }
  | { readonly accountIds: readonly string[]; readonly owners: readonly string[] }
  | { readonly everybody: true }

interface AbuseFilter {
  readonly search?: string | undefined
  readonly kind?: AbuseKind | undefined
  readonly state?: AbuseState | undefined
  /** The last one of the previous page. */
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

type Columns =
  | 'id'
  | 'ownerId'
  | 'accountId'
  | 'reportId'
  | 'reportedAt'
  | 'domain'
  | 'kind'
  | 'status'
  | 'acceptedUrls'
  | 'active'
  | 'pending'
  | 'inReview'
  | 'state'
  | 'assigneeId'
  | 'dueOn'
  | 'note'
export type AbuseRow = RawRow<typeof abuseReports, Columns> & {
  readonly accountName: string
  readonly domainId: string | null
  readonly groupId: string | null
  readonly assigneeName: string | null
}

const shown = ({ sql }: Database) => sql`
  r.id, r.owner_id, r.account_id, r.report_id, r.reported_at, r.domain, r.kind, r.status, r.accepted_urls, r.active, r.pending, r.in_review, r.state,
  r.assignee_id, r.due_on::text as due_on, r.note, coalesce(nullif(a.name, ''), a.email) as account_name, z.id as domain_id, z.group_id,
  ${sql.unsafe(personLabelText('u'))} as assignee_name`
/** Of zones with the same name, one was removed and added again: the present one, or else the last. */
const presentFirst = ({ sql }: Database) => sql`order by z.gone_at is not null, z.id desc limit 1`
const joined = (db: Database) => db.sql`
  join accounts a on a.id = r.account_id
  left join lateral (select z.id, z.group_id from zones z
    where z.owner_id = r.owner_id and z.account_id = r.account_id and z.name = r.zone_name ${presentFirst(db)}) z on true
  left join users u on u.id = r.assignee_id`

/** Newest first. Each person or account has an index in this order, and their newest are merged. */
export async function listReports(db: Database, scope: AbuseScope, filter: AbuseFilter): Promise<AbuseRow[]> {
  const { sql } = db
  const { search, kind, state, after, limit } = filter
  const matches = sql`
    ${search === undefined || search === '' ? sql`` : sql`and strpos('.' || r.domain || '.', ${search}) > 0`}
    ${kind === undefined ? sql`` : sql`and r.kind = ${kind}`}
    ${state === undefined ? sql`` : sql`and r.state = ${state}`}
    ${after === null ? sql`` : sql`and (r.reported_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}`
  const newest = sql`order by r.reported_at desc, r.id desc limit ${limit}`
  const found =
    'domainId' in scope
      ? sql`select r.id from zones d
          join abuse_reports r on r.owner_id = d.owner_id and r.zone_name = d.name and r.account_id = d.account_id
          where d.id = ${scope.domainId} and d.id = (select z.id from zones z
              where z.owner_id = d.owner_id and z.account_id = d.account_id and z.name = d.name ${presentFirst(db)})
            ${scope.accountId === undefined ? sql`` : sql`and r.account_id = ${scope.accountId}`}
            ${matches} ${newest}`
      : 'everybody' in scope
        ? sql`select r.id from abuse_reports r where true ${matches} ${newest}`
        : sql`
          select n.id from unnest(${[...scope.owners]}::uuid[]) as o (id)
            cross join lateral (select r.id from abuse_reports r where r.owner_id = o.id ${matches} ${newest}) as n
          union
          select n.id from unnest(${[...scope.accountIds]}::uuid[]) as s (id)
            cross join lateral (select r.id from abuse_reports r where r.account_id = s.id ${matches} ${newest}) as n`
  return sql<AbuseRow[]>`
    select ${shown(db)} from (${found}) as f join abuse_reports r on r.id = f.id ${joined(db)} ${newest}`
}

export async function findReport(db: Database, id: string): Promise<AbuseRow | null> {
  const [row] = await db.sql<AbuseRow[]>`select ${shown(db)} from abuse_reports r ${joined(db)} where r.id = ${id}`
  return row ?? null
}

/** The provider's text, and what it did. */
export async function findDetails({ orm }: Database, id: string) {
  const { justification, originalWork, submitter, urls, hostNotified, mitigations, mitigationsReadAt } = abuseReports
  const [row] = await orm
    .select({ justification, originalWork, submitter, urls, hostNotified, mitigations, mitigationsReadAt })
    .from(abuseReports)
    .where(eq(abuseReports.id, id))
  return row ?? null
}

/** Who may work on reports of the account: its owner, those with whom it is shared for that, and this person. */
export async function listAssignees({ sql }: Database, account: { readonly id: string; readonly ownerId: string }, userId: string) {
  return sql<{ id: string; name: string }[]>`
    select u.id, ${sql.unsafe(personLabelText('u'))} as name from users u
    where u.disabled_at is null and (u.id in (${account.ownerId}, ${userId})
      or u.id in (select s.grantee_id from shares s where s.account_id = ${account.id} and s.level <> 'view'))
    order by u.id <> ${account.ownerId}, name, u.id`
}

/** Locked until the transaction ends; null if it is gone. */
export async function findReportForUpdate(tx: Queryable, id: string) {
  const [row] = await tx.select().from(abuseReports).where(eq(abuseReports.id, id)).for('no key update')
  return row ?? null
}

type Noted = Partial<Pick<typeof abuseReports.$inferInsert, 'state' | 'assigneeId' | 'dueOn' | 'note'>>

export async function updateReport(tx: Queryable, id: string, noted: Noted): Promise<void> {
  await tx.update(abuseReports).set(noted).where(eq(abuseReports.id, id))
}
