import { eq } from 'drizzle-orm'
import type { Database, RawRow } from '#server/db/client.ts'
import { accounts } from '#server/db/schema/index.ts'
import type { providerChanges } from '#server/db/schema/index.ts'
import type { ChangeKind } from '#shared/features/provider-changes/schema.ts'

/** The database's time, which `read_at` has. */
export async function readClock({ sql }: Database): Promise<Date> {
  const [row] = await sql<{ now: string }[]>`select now()`
  return new Date(row?.now ?? 0)
}

/** Null for an unknown account. */
export async function findAccountOwner({ orm }: Database, id: string): Promise<string | null> {
  const [row] = await orm.select({ ownerId: accounts.ownerId }).from(accounts).where(eq(accounts.id, id))
  return row?.ownerId ?? null
}

/** Of these accounts and all accounts of these people. */
export interface ReviewScope {
  readonly accountIds: readonly string[]
  readonly owners: readonly string[]
}
export type WholeScope = ReviewScope | { readonly everybody: true }
/** Whose changes: of one domain, perhaps only those in one account, or of several accounts. */
export type ChangeScope = { readonly domainId: string; readonly accountId: string | undefined } | WholeScope

interface ChangeFilter {
  readonly actor?: string | undefined
  readonly kind?: ChangeKind | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
  readonly outside: boolean
  readonly critical: boolean
  readonly unreviewed: boolean
  /** The last one of the previous page. */
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

type Columns =
  | 'id'
  | 'ownerId'
  | 'accountId'
  | 'changedAt'
  | 'readAt'
  | 'kind'
  | 'action'
  | 'actor'
  | 'tokenName'
  | 'via'
  | 'address'
  | 'product'
  | 'subject'
  | 'zoneName'
  | 'isOwn'
  | 'critical'
  | 'reviewedAt'
  | 'isAllowed'
export type ChangeRow = RawRow<typeof providerChanges, Columns> & {
  readonly accountName: string
  readonly domainId: string | null
  readonly domainName: string | null
}

/** Newest first. Each person or account has an index in this order, and their newest are merged. */
export async function listChanges({ sql }: Database, scope: ChangeScope, filter: ChangeFilter): Promise<ChangeRow[]> {
  const { actor, kind, since, before, outside, critical, unreviewed, after, limit } = filter
  const matches = sql`
    ${actor === undefined ? sql`` : sql`and c.actor = ${actor}`}
    ${kind === undefined ? sql`` : sql`and c.kind = ${kind}`}
    ${since === undefined ? sql`` : sql`and c.changed_at >= ${since}::timestamptz`}
    ${before === undefined ? sql`` : sql`and c.changed_at < ${before}::timestamptz`}
    ${outside ? sql`and not c.is_own` : sql``}
    ${critical ? sql`and c.critical is not null` : sql``}
    ${unreviewed ? sql`and not c.is_own and c.reviewed_at is null` : sql``}
    ${after === null ? sql`` : sql`and (c.changed_at, c.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}`
  const newest = sql`order by c.changed_at desc, c.id desc limit ${limit}`
  const found =
    'domainId' in scope
      ? sql`select c.* from zones d join provider_changes c on c.owner_id = d.owner_id and c.provider_zone_id = d.zone_id
          where d.id = ${scope.domainId} ${scope.accountId === undefined ? sql`` : sql`and c.account_id = ${scope.accountId}`}
            ${matches} ${newest}`
      : 'everybody' in scope
        ? sql`select c.* from provider_changes c where true ${matches} ${newest}`
        : sql`
          select c.* from unnest(${[...scope.owners]}::uuid[]) as o (id)
            cross join lateral (select c.* from provider_changes c where c.owner_id = o.id ${matches} ${newest}) as c
          union
          select c.* from unnest(${[...scope.accountIds]}::uuid[]) as a (id)
            cross join lateral (select c.* from provider_changes c where c.account_id = a.id ${matches} ${newest}) as c`
  return sql<ChangeRow[]>`
    select c.id, c.owner_id, c.account_id, c.changed_at, c.read_at, c.kind, c.action, c.actor, c.token_name, c.via, c.address, c.product, c.subject,
      c.zone_name, c.is_own, c.critical, c.reviewed_at, c.is_allowed, coalesce(nullif(a.name, ''), a.email) as account_name, z.id as domain_id, z.name as domain_name
    from (${found}) as c
    join accounts a on a.id = c.account_id
    left join zones z on z.owner_id = c.owner_id and z.zone_id = c.provider_zone_id
    ${newest}`
}

/** A change with the domain that it concerns, if that is in the panel, and whether the changed part of it was read since. */
export type FoundChange = RawRow<
  typeof providerChanges,
  'ownerId' | 'accountId' | 'changedAt' | 'readAt' | 'kind' | 'action' | 'product' | 'subject' | 'providerZoneId' | 'isOwn' | 'critical'
> & {
  readonly domainId: string | null
  readonly domainName: string | null
  readonly domainAccountId: string | null
  readonly groupId: string | null
  readonly isRead: boolean
}

/** Null for an unknown change. */
export async function findChange({ sql }: Database, id: string): Promise<FoundChange | null> {
  const isReadSince = (readAt: string, isCurrent: string) =>
    sql.unsafe(`${readAt} >= c.changed_at and (${isCurrent} or ${readAt} >= c.read_at)`)
  const [row] = await sql<FoundChange[]>`
    select c.owner_id, c.account_id, c.changed_at, c.read_at, c.kind, c.action, c.product, c.subject, c.provider_zone_id, c.is_own, c.critical,
      z.id as domain_id, z.name as domain_name, z.account_id as domain_account_id, z.group_id,
      coalesce(case c.kind
        when 'records' then ${isReadSince('z.records_read_at', 'z.records_due_at is null')}
        when 'settings' then ${isReadSince('z.settings_read_at', 'z.settings_due_at is null')}
        when 'rules' then ${isReadSince('r.read_at', 'coalesce(z.rules_due_at > now(), true)')}
        else z.listed_at >= c.changed_at end, false) as is_read
    from provider_changes c
    left join zones z on z.owner_id = c.owner_id and z.zone_id = c.provider_zone_id
    left join zone_rulesets r on r.zone_id = z.id
    where c.id = ${id}`
  return row ?? null
}

const mostActors = 500
/** Of an account of somebody else, only the authors of its newest changes are listed, because no index finds the others. */
const newestOfShared = 1_000

/** Who made changes, by name. The index is read author by author, not change by change. */
export async function listActors({ sql }: Database, scope: WholeScope): Promise<string[]> {
  const [owners, accountIds] = 'everybody' in scope ? [null, []] : [scope.owners, scope.accountIds]
  const rows = await sql<{ actor: string }[]>`
    with recursive people as (
      select ${owners === null ? sql`distinct a.owner_id as id from accounts a` : sql`o.id from unnest(${[...owners]}::uuid[]) as o (id)`}
    ), found as (
      select p.id as owner_id, first.actor from people p
        cross join lateral (select c.actor from provider_changes c where c.owner_id = p.id order by c.actor limit 1) as first
      union all
      select f.owner_id, next.actor from found f
        cross join lateral (select c.actor from provider_changes c where c.owner_id = f.owner_id and c.actor > f.actor order by c.actor limit 1) as next
    )
    select actor from (
      (select actor from found limit ${mostActors})
      union
      select c.actor from unnest(${[...accountIds]}::uuid[]) as a (id)
        cross join lateral (select c.actor from provider_changes c where c.account_id = a.id order by c.changed_at desc, c.id desc
          limit ${newestOfShared}) as c
    ) as named
    order by actor limit ${mostActors}`
  return rows.map(({ actor }) => actor)
}

/** Changes by others that nobody has reviewed, at most `limit`. Only their index is read. */
export async function countUnreviewed({ sql }: Database, scope: ReviewScope, limit: number): Promise<number> {
  const unreviewed = sql`not c.is_own and c.reviewed_at is null`
  const found = sql`
        (select from provider_changes c where c.owner_id = any(${[...scope.owners]}::uuid[]) and ${unreviewed} limit ${limit})
        union all
        (select from provider_changes c where c.account_id = any(${[...scope.accountIds]}::uuid[])
          and c.owner_id in (select a.owner_id from accounts a where a.id = any(${[...scope.accountIds]}::uuid[]))
          and c.owner_id <> all(${[...scope.owners]}::uuid[]) and ${unreviewed} limit ${limit})`
  const [row] = await sql<{ changes: number }[]>`select count(*)::int as changes from (${found} limit ${limit}) as c`
  return row?.changes ?? 0
}
