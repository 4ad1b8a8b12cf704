import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import { dnsRecords, redirectLists, redirects, zoneRulesets, zones } from '#server/db/schema/index.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import type { HostedRedirect } from '#server/ports/dns-host.ts'
import { domainRuleRef, redirectPhase } from '#shared/features/redirects/own-list.ts'
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
  const missing = await db.execute<{ name: string; isProxied: boolean; isDelegated: boolean }>(sql`
    select m.record ->> 'name' as name, bool_or((m.record ->> 'proxied')::boolean) as "isProxied", bool_or(m.record ->> 'type' = 'NS') as "isDelegated"
    from missing_records m join zones z on z.id = m.zone_id
    where z.account_id = ${accountId}::uuid and z.gone_at is null and m.record ->> 'name' = any(${sql.param([...names])}::text[])
      and (m.record ->> 'type' in ('A', 'AAAA', 'CNAME') or (m.record ->> 'type' = 'NS' and m.record ->> 'name' <> z.name))
    group by 1`)
  return new Map([...missing, ...rows].map(({ name, isProxied, isDelegated }) => [name, { isProxied, isDelegated }]))
}

/** Those of these domains with a stored single redirect of the panel. */
export async function listDomainsWithRule(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const wanted = JSON.stringify([{ phase: redirectPhase, rules: [{ ref: domainRuleRef }] }])
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

/** Of accounts `a`. */
function visibleTo(owners: AccountOwners): SQL {
  const { userId, shared } = owners ?? { userId: null, shared: null }
  return sql`(${userId}::uuid is null or a.owner_id = ${userId}::uuid or
    (a.id = any(${sql.param([...(shared?.accountIds ?? [])])}::uuid[]) and a.owner_id = any(${sql.param([...(shared?.owners ?? [])])}::uuid[])))`
}

/** A name that redirects are looked up by. */
export interface RequestedHost {
  readonly name: string
  /** Requests are of the host itself; if false, of a subdomain. */
  readonly isHost: boolean
}

/**
 * The lists with redirects on these hosts that take effect: visible to these owners, not switched off, and with the domain of the host in
 * their account. By hosts and accounts first, so that a host with many redirects costs one look-up.
 */
function placesOn(owners: AccountOwners, hosts: readonly RequestedHost[], ofAccount: SQL): SQL {
  const names = sql.param(hosts.map(({ name }) => name))
  // The driver (postgres 3.4.9) writes no arrays of booleans.
  const areHosts = sql.param(hosts.map(({ isHost }) => String(isHost)))
  return sql`
    with host as materialized (
      select name, is_host from unnest(${names}::text[], ${areHosts}::text[]::boolean[]) as host (name, is_host)
    ), stored as materialized (
      select distinct r.account_id, r.source_host from host join redirects r on r.source_host = host.name where ${ofAccount}
    ), place as materialized (
      select s.account_id, host.name, host.is_host from stored s join host on host.name = s.source_host
      join redirect_lists l on l.account_id = s.account_id join accounts a on a.id = s.account_id
      where l.rule <> 'disabled' and ${visibleTo(owners)} and exists (select from zones z where z.account_id = s.account_id and z.gone_at is null
        and z.name = any(array(select array_to_string((string_to_array(s.source_host, '.'))[at:], '.')
          from generate_series(1, cardinality(string_to_array(s.source_host, '.'))) at)))
    )`
}
const ofPlace = sql`from place join redirects r on r.account_id = place.account_id and r.source_host = place.name
  and (place.is_host or r.include_subdomains)`

/** The redirects that take effect on these hosts, of accounts other than `except`, and the hosts that they lead to. */
export async function listEffective(
  db: Queryable,
  owners: AccountOwners,
  hosts: readonly RequestedHost[],
  except: string | null,
  limit: number,
): Promise<(Redirect & { readonly accountId: string; readonly targetHost: string | null })[]> {
  // Written by hand: drizzle has no unnest.
  const rows = await db.execute<Redirect & { readonly accountId: string; readonly targetHost: string | null }>(sql`
    ${placesOn(owners, hosts, sql`r.account_id is distinct from ${except}::uuid`)}
    select r.account_id, r.source, r.target, r.status, r.preserve_query_string, r.include_subdomains, r.subpath_matching,
      r.preserve_path_suffix, r.target_host
    ${ofPlace} limit ${limit}`)
  return rows.map(toRedirect)
}

/** The hosts that the redirects of an account on these hosts lead to. */
export async function listTargetHosts(db: Queryable, accountId: string, hosts: readonly RequestedHost[], limit: number): Promise<string[]> {
  const rows = await db.execute<{ readonly host: string }>(sql`
    ${placesOn(null, hosts, sql`r.account_id = ${accountId}::uuid`)}
    select distinct r.target_host as host ${ofPlace} where r.target_host is not null limit ${limit}`)
  return rows.map(({ host }) => host)
}

/** The stored single redirects of those of these domains that have some, with the rules of others; one entry for each account of a domain. */
export async function listRedirectRules(
  db: Queryable,
  owners: AccountOwners,
  domains: readonly string[],
  limit: number,
): Promise<{ readonly domain: string; readonly rules: unknown }[]> {
  const withRules = JSON.stringify([{ phase: redirectPhase, rules: [{}] }])
  const rows = await db.execute<{ readonly domain: string; readonly rules: unknown }>(sql`
    select z.name as domain, (select phase -> 'rules' from jsonb_array_elements(s.rulesets) phase where phase ->> 'phase' = ${redirectPhase} limit 1) as rules
    from zones z join accounts a on a.id = z.account_id join zone_rulesets s on s.zone_id = z.id
    where z.name = any(${sql.param([...domains])}::text[]) and z.gone_at is null and ${visibleTo(owners)}
      and s.rulesets @> ${withRules}::text::jsonb
    limit ${limit}`)
  return [...rows]
}
