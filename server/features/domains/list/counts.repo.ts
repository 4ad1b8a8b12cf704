import { detailsPendingBit } from '#shared/features/domains/dims.ts'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import type { Database } from '#server/db/client.ts'
import { countsSql, dimTest, protectionTests, registrarTests, statement, textConditions } from './filter-conditions.ts'
import { isoOf } from './domain-view.ts'
import type { Place } from './filter-conditions.ts'
import type { AccessScope, SharedScope } from '#server/platform/access-scope.ts'

/** How many zones share these packed values; `kind` says which of the counts it belongs to. */
export interface CountRow {
  /** 0: by `dims`, with the filters on accounts, groups and text applied. 1: by account. 2: by group. 3: everything, without filters. */
  kind: 0 | 1 | 2 | 3
  key: string | null
  dims: number | null
  n: number
}

/** Shared zones, each once. Accounts and groups are read separately, so that each half uses only its own index. */
function sharedRows({ accountIds, groupIds }: SharedScope, withTexts: boolean, place: Place): string {
  const columns = `z.dims, z.account_id, z.group_id${
    withTexts
      ? ', z.search, z.addresses, z.protection, z.origin_soon_at, z.origin_expires_at, z.requests, z.activated_at, z.provider_created_at, z.created_at'
      : ''
  }`
  const accounts = `${place(accountIds)}::uuid[]`
  return `select ${columns} from zones z where z.account_id = any(${accounts})
    union all select ${columns} from zones z where z.group_id = any(${place(groupIds)}::uuid[]) and z.account_id <> all(${accounts})`
}

const behindGroups = (groups: string) =>
  `id = any(array(select distinct z.account_id from zones z where z.group_id = any(${groups}::uuid[])))`

/**
 * All counts of a summary in one statement. `filter.accountIds` already includes the accounts of an email filter; null means no filter on
 * accounts. Unless `narrowed`, kind 3 also serves as kind 0. Without text the maintained counts are used; with text the matches are
 * scanned.
 */
export async function listCounts(
  db: Database,
  { owners, shared }: AccessScope,
  filter: DomainFilter,
  accountIds: readonly string[] | null,
): Promise<{ rows: CountRow[]; narrowed: boolean }> {
  const { parameters, place } = statement()
  const mine = `any(${place(owners)}::uuid[])`
  const owned = `z.owner_id = ${mine}`
  const groupIds = filter.groupIds === undefined || filter.groupIds.length === 0 ? null : filter.groupIds
  const accounts = accountIds === null ? null : `${place(accountIds)}::uuid[]`
  const groups = groupIds === null ? null : `${place(groupIds)}::uuid[]`
  // Registrar filters, and those for bots, DNSSEC, Origin CA and traffic, are counted like text filters, from the matching rows.
  const texts = [
    ...textConditions(filter, 'indexed', owners.length === 1 ? `(${place(owners)}::uuid[])[1]` : null, place),
    ...registrarTests(filter, null, place),
  ]
  // The index of the latter begins with the owner.
  const ownerLeads = texts.length === 0
  const protection = protectionTests(filter, ownerLeads ? 'indexed' : 'row')
  texts.push(...protection)
  const test = dimTest(filter, 'z')
  const byDims = test === '' ? 'true' : test
  const byAccount = accounts === null ? 'true' : `z.account_id = any(${accounts})`
  const byGroup = groups === null ? 'true' : `z.group_id = any(${groups})`

  /** Counts from the rows in one pass for all kinds. `is true` makes the planner use the index of the test instead of the owner's. */
  const scanned = (tests: string) => {
    const which = 'grouping(z.dims, z.account_id, z.group_id)'
    return `select kind, key, dims, n from (
      select case ${which} when 3 then 0 when 5 then 1 else 2 end as kind, coalesce(z.account_id, z.group_id) as key, z.dims,
        (case ${which} when 3 then count(*) filter (where ${byAccount} and ${byGroup}) when 5 then count(*) filter (where ${byGroup} and ${byDims})
          else count(*) filter (where ${byAccount} and ${byDims}) end)::int as n
      from zones z where ${ownerLeads && protection.length > 0 ? owned : `(${owned}) is true`} and ${tests} group by grouping sets ((z.dims), (z.account_id), (z.group_id))
    ) read where n > 0 and (kind = 0 or key is not null)`
  }
  /** Counts from the rows of some accounts or groups; an index-only scan is enough. */
  const read = (kind: 1 | 2, by: 'account_id' | 'group_id', tests: string) =>
    `select ${kind} as kind, z.${by} as key, null::int as dims, count(*)::int as n
    from zones z where (${owned}) is true and ${tests} and ${byDims} and z.${by} is not null group by z.${by}`
  /** The same from the maintained counts of one kind, by their key or by `dims`. */
  const kept = (kind: CountRow['kind'], by: 'key' | 'dims', from: number, tests: string) =>
    `select ${kind} as kind, ${by === 'key' ? 'key, null::int as dims' : 'null::uuid as key, dims'}, sum(n)::int as n
    from ${countsSql(mine, from, tests)} c group by ${by} having sum(n) > 0`
  const counted = test === '' ? '' : ` and ${dimTest(filter, 'c')}`
  const perAccount = kept(1, 'key', test === '' ? 3 : 1, counted)
  const perGroup = kept(2, 'key', test === '' ? 4 : 2, counted)

  const narrowed = texts.length > 0 || accounts !== null || groups !== null
  const readings =
    texts.length > 0
      ? [scanned(texts.join(' and '))]
      : accounts !== null && groups !== null
        ? [scanned(`(${byAccount} or ${byGroup})`)]
        : accounts !== null
          ? [kept(0, 'dims', 1, ` and c.key = any(${accounts})`), perAccount, read(2, 'group_id', byAccount)]
          : groups !== null
            ? [kept(0, 'dims', 2, ` and c.key = any(${groups})`), read(1, 'account_id', byGroup), perGroup]
            : [perAccount, perGroup]
  /** Shared zones are counted from their rows; without text, index-only scans are enough. */
  const ofOthers = (from: SharedScope): string[] => {
    const rows = sharedRows(from, texts.length > 0, place)
    const rowTests = [
      ...textConditions(filter, 'row', null, place),
      ...registrarTests(filter, from, place),
      ...protectionTests(filter, 'row'),
    ]
    const tested = [byAccount, byGroup, ...rowTests].join(' and ')
    const plain = rowTests.length > 0 ? rowTests.join(' and ') : 'true'
    return [
      `select case grouping(z.dims, z.account_id, z.group_id) when 3 then 3 when 5 then 1 else 2 end as kind, coalesce(z.account_id, z.group_id) as key,
        z.dims, (case grouping(z.dims, z.account_id, z.group_id) when 3 then count(*) when 5 then count(*) filter (where ${byGroup} and ${byDims} and ${plain})
          else count(*) filter (where ${byAccount} and ${byDims} and ${plain}) end)::int as n
      from (${rows}) z group by grouping sets ((z.dims), (z.account_id), (z.group_id))`,
      ...(narrowed
        ? [`select 0 as kind, null::uuid as key, z.dims, count(*)::int as n from (${rows}) z where ${tested} group by z.dims`]
        : []),
    ]
  }
  const text = [kept(3, 'dims', 0, ''), ...readings, ...(shared === null ? [] : ofOthers(shared))].join(' union all ')
  const rows = await db.sql.unsafe<CountRow[]>(text, parameters as never[], { prepare: true })
  return { rows, narrowed }
}

/** When the zone lists of these accounts were last read completely, and how many are being read. */
export async function findFreshness(db: Database, { owners, shared }: AccessScope, accountIds: readonly string[] | null) {
  const [row] = await db.sql.unsafe<{ oldest: string | null; newest: string | null; syncing: number; refused: string[] | null }[]>(
    `select min(synced_at) as oldest, max(synced_at) as newest, (count(*) filter (where syncing))::int as syncing,
      array_agg(id) filter (where details_refused is not null) as refused
    from accounts where (owner_id = any($1::uuid[])${shared === null ? '' : ` or id = any($3::uuid[]) or ${behindGroups('$4')}`})
      and ($2::uuid[] is null or id = any($2::uuid[]))`,
    [owners, accountIds, ...(shared === null ? [] : [shared.accountIds, shared.groupIds])] as never[],
    { prepare: true },
  )
  return {
    oldest: row?.oldest == null ? null : isoOf(row.oldest),
    newest: row?.newest == null ? null : isoOf(row.newest),
    syncing: row?.syncing ?? 0,
    /** Accounts whose credential may not read all details. */
    refused: row?.refused ?? [],
  }
}

/** Zones of these accounts whose details have not been read. */
export async function countUnreadable(db: Database, accountIds: readonly string[]): Promise<number> {
  if (accountIds.length === 0) return 0
  const [row] = await db.sql.unsafe<{ n: number }[]>(
    `select count(*)::int as n from zones where account_id = any($1::uuid[]) and dims & ${detailsPendingBit} <> 0`,
    [accountIds] as never[],
    { prepare: true },
  )
  return row?.n ?? 0
}

/** Number of zones per owner, account and group. */
export async function listSizes(db: Database, owners: readonly string[]): Promise<Map<string, number>> {
  if (owners.length === 0) return new Map()
  const rows = await db.sql.unsafe<{ key: string; n: number }[]>(
    `select key, sum(n)::int as n from (${countsSql('any($1::uuid[])', 0, '')} union all ${countsSql('any($1::uuid[])', 3, '')} union all ${countsSql('any($1::uuid[])', 4, '')}) c group by key having sum(n) > 0`,
    [owners] as never[],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.key, row.n]))
}

/** Number of shared zones per account and group. */
export async function listSharedSizes(
  db: Database,
  shared: SharedScope,
): Promise<{ accounts: Map<string, number>; groups: Map<string, number> }> {
  const { parameters, place } = statement()
  const rows = await db.sql.unsafe<{ accountId: string | null; groupId: string | null; n: number }[]>(
    `select z.account_id, z.group_id, count(*)::int as n from (${sharedRows(shared, false, place)}) z group by grouping sets ((z.account_id), (z.group_id))`,
    parameters as never[],
    { prepare: true },
  )
  const by = (key: 'accountId' | 'groupId') => new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key], row.n] as const])))
  return { accounts: by('accountId'), groups: by('groupId') }
}

export const compactedPerBatch = 20_000

/**
 * Moves appended differences into the counts, so that reads sum only a few rows. Safe to run at any time and in several processes; if
 * another one is running it does nothing.
 * @returns how many differences were moved; `compactedAtOnce` if there may be more.
 */
export async function compactCounts(db: Database): Promise<number> {
  return db.sql.begin(async (sql) => {
    const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(7201540312) as taken`
    if (lock?.taken !== true) return 0
    const [moved] = await sql<{ moved: number }[]>`
      with moved as (
        delete from zone_count_changes where ctid = any(array(select ctid from zone_count_changes limit ${compactedPerBatch}))
        returning owner_id, kind, key, dims, n
      ), added as (
        insert into zone_counts as c (owner_id, kind, key, dims, n)
        select owner_id, kind, key, dims, sum(n) from moved group by 1, 2, 3, 4 having sum(n) <> 0
        on conflict (owner_id, kind, key, dims) do update set n = c.n + excluded.n
      )
      select count(*)::int as moved from moved`
    await sql`delete from zone_counts where n = 0`
    return moved?.moved ?? 0
  })
}
