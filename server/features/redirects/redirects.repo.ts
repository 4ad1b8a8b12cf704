import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { dnsRecords, redirectLists, redirects, zoneRulesets, zones } from '#server/db/schema/index.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import type { HostedRedirect } from '#server/ports/dns-host.ts'
import { mostHops } from '#shared/features/redirects/graph.ts'
import { domainRuleRef } from '#shared/features/redirects/own-list.ts'
import { parseSource, parseTarget } from '#shared/features/redirects/redirect-url.ts'
import { redirectStatus } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'

export type ListRow = typeof redirectLists.$inferSelect

/** Null before the first reading. */
export async function findList(db: Queryable, accountId: string): Promise<ListRow | null> {
  const [row] = await db.select().from(redirectLists).where(eq(redirectLists.accountId, accountId))
  return row ?? null
}

export async function updateList(db: Queryable, accountId: string, to: Partial<Pick<ListRow, 'listId' | 'rule'>>): Promise<void> {
  await db.update(redirectLists).set(to).where(eq(redirectLists.accountId, accountId))
}

const shown = {
  source: redirects.source,
  target: redirects.target,
  status: redirects.status,
  preserveQueryString: redirects.preserveQueryString,
  includeSubdomains: redirects.includeSubdomains,
  subpathMatching: redirects.subpathMatching,
  preservePathSuffix: redirects.preservePathSuffix,
}
const toRedirect = <T extends { readonly status: number }>(row: T) => ({ ...row, status: redirectStatus.parse(row.status) })

const order = sql`left(${redirects.source}, 200) collate "C"`

/** `searches`: any of them. */
const matching = (accountId: string, searches: readonly string[]) =>
  and(
    eq(redirects.accountId, accountId),
    or(...searches.map((search) => sql`strpos(lower(${redirects.source} || ' ' || ${redirects.target}), lower(${search})) > 0`)),
  )

/** By source; `after` is the key of the last one of the page before. */
export async function listPage(
  db: Queryable,
  accountId: string,
  {
    searches,
    after,
    limit,
  }: {
    readonly searches: readonly string[]
    readonly after: { readonly source: string; readonly key: string } | null
    readonly limit: number
  },
): Promise<(Redirect & { readonly key: string })[]> {
  const rows = await db
    .select({ ...shown, key: redirects.key })
    .from(redirects)
    .where(
      and(
        matching(accountId, searches),
        after === null ? undefined : sql`(${order}, ${redirects.key}) > (left(${after.source}, 200) collate "C", ${after.key})`,
      ),
    )
    .orderBy(order, redirects.key)
    .limit(limit)
  return rows.map(toRedirect)
}

export async function countMatching(db: Queryable, accountId: string, searches: readonly string[] = []): Promise<number> {
  return db.$count(redirects, matching(accountId, searches))
}

export async function listAll(db: Queryable, accountId: string): Promise<Redirect[]> {
  return (await db.select(shown).from(redirects).where(eq(redirects.accountId, accountId)).orderBy(order, redirects.key)).map(toRedirect)
}

/** The redirects with these sources. */
export async function listBySource(
  db: Queryable,
  accountId: string,
  sources: readonly string[],
): Promise<(Redirect & { readonly itemId: string | null })[]> {
  const rows = await db
    .select({ ...shown, itemId: redirects.itemId })
    .from(redirects)
    .where(and(eq(redirects.accountId, accountId), keyIn(sources)))
  return rows.map(toRedirect)
}

const onHosts = (accountId: string, hosts: readonly string[]) =>
  and(eq(redirects.accountId, accountId), sql`${redirects.sourceHost} = any(${sql.param([...hosts])}::text[])`)

/** The sources that are one of these hosts, without a scheme and a path, as they are written. */
export async function listHostSources(db: Queryable, accountId: string, hosts: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ source: redirects.source })
    .from(redirects)
    .where(and(onHosts(accountId, hosts), sql`strpos(rtrim(${redirects.source}, '/'), '/') = 0`))
  return rows.map(({ source }) => source)
}

/** The redirects whose sources are on one of these hosts. */
export async function listOnHosts(
  db: Queryable,
  accountId: string,
  hosts: readonly string[],
): Promise<(Redirect & { readonly host: string })[]> {
  const rows = await db
    .select({ ...shown, host: sql<string>`${redirects.sourceHost}` })
    .from(redirects)
    .where(onHosts(accountId, hosts))
  return rows.map(toRedirect)
}

const keyIn = (sources: readonly string[]) =>
  sql`${redirects.key} = any(array(select md5(source) from unnest(${sql.param([...sources])}::text[]) source))`

const rowsPerStatement = 5_000

function hostsOf({ source, target }: Redirect): { readonly sourceHost: string | null; readonly targetHost: string | null } {
  const [from, to] = [parseSource(source), parseTarget(target)]
  return { sourceHost: 'issue' in from ? null : from.host, targetHost: 'issue' in to ? null : to.host }
}

/** Writes redirects; those that the panel has just sent have no id yet. */
export async function putRedirects(
  db: Queryable,
  accountId: string,
  all: readonly (Redirect & Partial<Pick<HostedRedirect, 'itemId'>>)[],
): Promise<void> {
  // PostgreSQL refuses a statement that writes a row twice.
  const rows = [...new Map(all.map((redirect) => [redirect.source, redirect])).values()]
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = JSON.stringify(rows.slice(start, start + rowsPerStatement).map((redirect) => ({ ...redirect, ...hostsOf(redirect) })))
    // Written by hand: drizzle would use thousands of parameters.
    await db.execute(sql`
      insert into redirects (account_id, source, target, source_host, target_host, status, preserve_query_string, include_subdomains,
        subpath_matching, preserve_path_suffix, item_id)
      select ${accountId}::uuid, source, target, "sourceHost", "targetHost", status, "preserveQueryString", "includeSubdomains",
        "subpathMatching", "preservePathSuffix", "itemId"
      from json_to_recordset(${some}::text::json) as r (source text, target text, "sourceHost" text, "targetHost" text, status smallint,
        "preserveQueryString" boolean, "includeSubdomains" boolean, "subpathMatching" boolean, "preservePathSuffix" boolean, "itemId" text)
      on conflict (account_id, key) do update set target = excluded.target, source_host = excluded.source_host,
        target_host = excluded.target_host, status = excluded.status,
        preserve_query_string = excluded.preserve_query_string, include_subdomains = excluded.include_subdomains,
        subpath_matching = excluded.subpath_matching, preserve_path_suffix = excluded.preserve_path_suffix, item_id = excluded.item_id`)
  }
}

export async function deleteRedirects(db: Queryable, accountId: string, sources: readonly string[]): Promise<void> {
  if (sources.length > 0) await db.delete(redirects).where(and(eq(redirects.accountId, accountId), keyIn(sources)))
}

/** Replaces what is stored of the account. */
export async function replaceMirror(db: Queryable, list: ListRow, all: readonly HostedRedirect[]): Promise<void> {
  const { accountId, ...rest } = list
  await db.insert(redirectLists).values(list).onConflictDoUpdate({ target: redirectLists.accountId, set: rest })
  await db.delete(redirects).where(eq(redirects.accountId, accountId))
  await putRedirects(db, accountId, all)
}

/** The domains of the account. */
export async function listZones(db: Queryable, accountId: string) {
  return db
    .select({ id: zones.id, name: zones.name, plan: zones.plan, isRead: sql<boolean>`${zones.recordsReadAt} is not null` })
    .from(zones)
    .where(and(eq(zones.accountId, accountId), isNull(zones.goneAt)))
}

/** The records of a name. A delegated subdomain is answered for by its own name servers. */
export interface AnsweredName {
  readonly isProxied: boolean
  readonly isDelegated: boolean
}

/** Those of these names that a record of the account answers for. */
export async function listAnswered(db: Queryable, accountId: string, names: readonly string[]): Promise<Map<string, AnsweredName>> {
  const rows = await db
    .select({
      name: dnsRecords.name,
      isProxied: sql<boolean>`bool_or(${dnsRecords.proxied})`,
      isDelegated: sql<boolean>`bool_or(${dnsRecords.type} = 'NS')`,
    })
    .from(dnsRecords)
    .innerJoin(zones, eq(zones.id, dnsRecords.domainId))
    .where(
      and(
        eq(zones.accountId, accountId),
        isNull(zones.goneAt),
        sql`${dnsRecords.name} = any(${sql.param([...names])}::text[])`,
        sql`(${dnsRecords.type} in ('A', 'AAAA', 'CNAME') or (${dnsRecords.type} = 'NS' and ${dnsRecords.name} <> ${zones.name}))`,
      ),
    )
    .groupBy(dnsRecords.name)
  return new Map(rows.map(({ name, ...records }) => [name, records]))
}

/** Those of these domains with a stored single redirect of the panel. */
export async function listDomainsWithRule(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const wanted = JSON.stringify([{ phase: 'http_request_dynamic_redirect', rules: [{ ref: domainRuleRef }] }])
  const rows = await db
    .select({ id: zoneRulesets.domainId })
    .from(zoneRulesets)
    .where(
      and(
        sql`${zoneRulesets.domainId} = any(${sql.param([...domainIds])}::uuid[])`,
        sql`${zoneRulesets.rulesets} @> ${wanted}::text::jsonb`,
      ),
    )
  return rows.map(({ id }) => id)
}

/** Whose accounts are meant: of this user and those shared with them; null: all accounts. */
export type AccountOwners = { readonly userId: string; readonly shared: SharedScope | null } | null

/** A bound for what is checked with one change. */
const mostReachable = 10_000

/**
 * The redirects of these owners' accounts that a visit of one of these hosts can go through, one after another. Only those that redirect:
 * their domain is in the account, and their list is not switched off. Empty if none is of another account than `except`.
 */
export async function listReachable(
  db: Queryable,
  owners: AccountOwners,
  hosts: readonly string[],
  except: string | null,
): Promise<(Redirect & { readonly accountId: string })[]> {
  const { userId, shared } = owners ?? { userId: null, shared: null }
  const isVisible = sql`(${userId}::uuid is null or a.owner_id = ${userId}::uuid or
    (a.id = any(${sql.param([...(shared?.accountIds ?? [])])}::uuid[]) and a.owner_id = any(${sql.param([...(shared?.owners ?? [])])}::uuid[])))`
  const parentsOf = (
    host: SQL,
  ) => sql`(select array_to_string((string_to_array(${host}, '.'))[at:], '.') collate "C" as name, at = 1 as is_host
    from generate_series(1, cardinality(string_to_array(${host}, '.')) - 1) at)`
  const matching = sql`on s.host = parent.name and (parent.is_host or s.include_subdomains)`
  // Written by hand: drizzle has no recursive queries.
  const rows = await db.execute<Omit<Redirect, 'status'> & { readonly status: number; readonly accountId: string }>(sql`
    with recursive stored as materialized (
      select r.account_id, r.key, r.include_subdomains, split_part(r.source, '/', case when r.source like 'http://%' or r.source like 'https://%' then 3 else 1 end) collate "C" as host,
        lower(split_part(split_part(split_part(split_part(r.target, '/', 3), '?', 1), '#', 1), ':', 1)) as target_host
      from redirects r join redirect_lists l on l.account_id = r.account_id join accounts a on a.id = r.account_id
      where l.rule <> 'disabled' and ${isVisible} and exists (
        select from accounts a where a.id is distinct from ${except}::uuid and ${isVisible} and exists (select from redirects r where r.account_id = a.id)
      )
    ), reached as (
      select s.account_id, s.key, s.host, s.target_host, 1 as hops
      from unnest(${sql.param([...hosts])}::text[]) start cross join lateral ${parentsOf(sql`start`)} parent join stored s ${matching}
      union
      select s.account_id, s.key, s.host, s.target_host, reached.hops + 1
      from reached cross join lateral ${parentsOf(sql`reached.target_host`)} parent join stored s ${matching}
      where reached.hops < ${mostHops}
    )
    select r.account_id, r.source, r.target, r.status, r.preserve_query_string, r.include_subdomains, r.subpath_matching,
      r.preserve_path_suffix
    from (select distinct account_id, key, host from reached) found join redirects r on r.account_id = found.account_id and r.key = found.key
    where exists (select from zones z where z.account_id = r.account_id and z.gone_at is null
      and z.name = any(array(select name from ${parentsOf(sql`found.host`)} parent)))
    order by r.account_id, r.key limit ${mostReachable}`)
  return rows.map(toRedirect)
}
