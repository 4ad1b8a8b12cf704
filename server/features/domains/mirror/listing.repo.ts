import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import type { DomainId, ProviderZoneId } from '#shared/ids.ts'
import type { ZoneRow } from './zone-row.policy.ts'

/**
 * Writes zones of a listing in one statement: adds new ones, updates changed ones, and leaves the rest untouched. A zone held by another
 * account of the owner stays there unless it was removed from that one. Changes of the zone itself (pausing, account, status, name servers)
 * are written to the history as outside changes; a reading right after a change by the panel may be outdated and is ignored. `present` is
 * false if the account no longer exists; then nothing is written.
 */
export function upsertZones(db: Database, accountId: string, rows: readonly ZoneRow[]): Promise<Written> {
  return untilNoDeadlock(() => upsertOnce(db, accountId, rows))
}

interface Written {
  readonly present: boolean
  readonly changed: number
}

/**
 * Other statements lock zones in a different order. Writing a listing twice has the same effect as once, so the deadlock victim retries.
 */
async function untilNoDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let triesLeft = 3; ; triesLeft--) {
    try {
      return await work()
    } catch (error) {
      const deadlock = error instanceof Error && 'code' in error && error.code === '40P01'
      if (!deadlock || triesLeft === 0) throw error
    }
  }
}

/**
 * Of two credentials that see a zone, the one with access to fewer Cloudflare accounts is the zone's own; the other is a colleague's or
 * an agency's.
 */
const isCloser = (sql: Database['sql']) => sql`a.opens between 1 and cardinality(holder.provider_account_ids) - 1`

/** The Cloudflare account that a row's zone is in. */
const providerAccount = (sql: Database['sql'], row: 'old' | 'new') =>
  sql`jsonb_build_object('id', ${sql(row)}.provider_account_id, 'name', coalesce(${sql(row)}.details #>> '{account,name}', ${sql(row)}.provider_account_id))`

/** When the provider last reported the row's zone as modified. */
const modifiedThere = (sql: Database['sql'], row: 'old' | 'z') =>
  sql`coalesce(${sql(row)}.listed_modified_at, ${sql(row)}.provider_modified_at)`

async function upsertOnce(db: Database, accountId: string, rows: readonly ZoneRow[]): Promise<Written> {
  // The account is locked first: a concurrent deletion then waits, or there is nothing left to write to.
  const [result] = await db.sql<Written[]>`
    with account as materialized (select id, owner_id, cardinality(provider_account_ids) as opens from accounts where id = ${accountId} for key share),
    incoming as (
      select * from json_to_recordset(${toJson(rows)}::text::json) as i (
        zone_id text, name text, search text, status zone_status, provider_status text, paused boolean, type text, plan text,
        name_servers text[], details jsonb, provider_account_id text, development_mode integer, phishing boolean,
        provider_created_at timestamptz(3), provider_modified_at timestamptz(3), activated_at timestamptz(3))
    ),
    changed as (
      insert into zones as z (
        owner_id, account_id, zone_id, name, search, status, provider_status, paused, type, plan, name_servers, details,
        provider_account_id, development_mode, phishing, provider_created_at, provider_modified_at, listed_modified_at, activated_at,
        listed_at, records_due_at, settings_due_at)
      select a.owner_id, a.id, i.zone_id, i.name, i.search, i.status, i.provider_status, i.paused, i.type, i.plan, i.name_servers, i.details,
        i.provider_account_id, i.development_mode, i.phishing, i.provider_created_at, i.provider_modified_at, i.provider_modified_at, i.activated_at,
        now(), now(), now()
      from account a cross join incoming i left join zones old on old.owner_id = a.owner_id and old.zone_id = i.zone_id
        left join accounts holder on holder.id = old.account_id
      where old.id is null
        or old.account_id <> a.id and (old.gone_at is not null or ${isCloser(db.sql)})
        or old.account_id = a.id and (
          old.gone_at, old.name, old.status, old.provider_status, old.paused, old.type, old.plan, old.name_servers, old.details,
          old.provider_account_id, old.development_mode, old.phishing, old.provider_created_at, ${modifiedThere(db.sql, 'old')}, old.activated_at
        ) is distinct from (
          null::timestamptz, i.name, i.status, i.provider_status, i.paused, i.type, i.plan, i.name_servers, i.details,
          i.provider_account_id, i.development_mode, i.phishing, i.provider_created_at, i.provider_modified_at, i.activated_at)
      order by i.zone_id
      on conflict (owner_id, zone_id) do update set
        account_id = excluded.account_id, name = excluded.name, search = excluded.search, status = excluded.status,
        provider_status = excluded.provider_status,
        paused = case when exists (select from zone_changes c where c.zone_id = z.id and c.at > now() - interval '1 minute'
          and c.subject = 'zone' and c.key = 'paused' and c.source <> 'outside') then z.paused else excluded.paused end,
        type = excluded.type, plan = excluded.plan,
        name_servers = excluded.name_servers, details = excluded.details, provider_account_id = excluded.provider_account_id,
        development_mode = excluded.development_mode, phishing = excluded.phishing,
        provider_created_at = excluded.provider_created_at, provider_modified_at = greatest(z.provider_modified_at, excluded.provider_modified_at),
        listed_modified_at = excluded.listed_modified_at,
        activated_at = excluded.activated_at, gone_at = null, listed_at = now(),
        records_due_at = case when z.gone_at is not null or ${modifiedThere(db.sql, 'z')} is distinct from excluded.listed_modified_at
          then now() else z.records_due_at end,
        settings_due_at = case when z.gone_at is not null or ${modifiedThere(db.sql, 'z')} is distinct from excluded.listed_modified_at
          then now() else z.settings_due_at end,
        detail_failures = case when ${modifiedThere(db.sql, 'z')} is distinct from excluded.listed_modified_at then 0 else z.detail_failures end
      where z.account_id = excluded.account_id or z.gone_at is not null
        or exists (select from account a join accounts holder on holder.id = z.account_id where ${isCloser(db.sql)})
      returning new.id, new.owner_id, new.name, new.account_email, old.id is null as is_new, old.gone_at is not null as was_gone,
        jsonb_build_object('paused', old.paused, 'account', old.account_email, 'status', old.provider_status, 'name_servers', old.name_servers,
          'cloudflare_account', ${providerAccount(db.sql, 'old')}) as was,
        jsonb_build_object('paused', new.paused, 'account', new.account_email, 'status', new.provider_status, 'name_servers', new.name_servers,
          'cloudflare_account', ${providerAccount(db.sql, 'new')}) as now
    ),
    recorded as (
      insert into zone_changes (zone_id, source, subject, key, label, before, after)
      select id, 'outside'::change_source, 'zone'::change_subject, key, key, jsonb_build_object('value', was -> key), jsonb_build_object('value', now -> key)
      from changed cross join unnest(array['paused', 'account', 'cloudflare_account', 'status', 'name_servers']) as key
      -- Nothing before: the zone was just made, or it was not known.
      where not is_new and was -> key <> now -> key and was -> key not in ('[]', 'null')
        and not (key = 'cloudflare_account' and was -> key ->> 'id' = now -> key ->> 'id')
        -- Name servers in another order are the same ones.
        and not (key = 'name_servers' and was -> key @> (now -> key) and now -> key @> (was -> key))
      union all
      select c.id, 'outside', 'zone', 'account', 'account', jsonb_build_object('value', o.account_email), jsonb_build_object('value', c.account_email)
      from changed c cross join lateral (
        select account_email from zones o where o.owner_id = c.owner_id and o.name = c.name and o.id <> c.id and o.gone_at is not null
        order by o.gone_at desc limit 1) o
      where c.is_new and o.account_email <> c.account_email
      union all
      select id, 'outside'::change_source, 'zone'::change_subject, 'listed', 'listed', jsonb_build_object('value', false), jsonb_build_object('value', true)
      from changed where was_gone
    )
    select exists (select from account) as present, (select count(*)::int from changed) as changed`
  if (result === undefined) throw new Error('the database returned no row')
  return result
}

/** A zone that was read separately is fresh even without changes; a listing leaves such rows untouched. */
export async function updateZoneRead(db: Database, domainId: DomainId): Promise<void> {
  await db.sql`update zones set listed_at = now() where id = ${domainId}`
}

/** The provider's ids of the account's zones that are not among `seen`. */
export async function listUnseen(db: Database, accountId: string, seen: Iterable<ProviderZoneId>): Promise<ProviderZoneId[]> {
  const rows = await db.sql<{ providerZoneId: ProviderZoneId }[]>`
    select zone_id as provider_zone_id from zones z where z.account_id = ${accountId} and z.gone_at is null
      and not exists (select from json_array_elements_text(${toJson([...seen])}::text::json) as s (id) where s.id = z.zone_id)`
  return rows.map((row) => row.providerZoneId)
}

/** How many zones of the account still exist. */
export async function countLive(db: Database, accountId: string): Promise<number> {
  const [row] = await db.sql<{ n: number }[]>`select count(*)::int as n from zones where account_id = ${accountId} and gone_at is null`
  return row?.n ?? 0
}

/** Marks zones as gone at the provider, by its ids, and writes it to their histories. Returns how many there were. */
export async function updateGone(db: Queryable, accountId: string, providerZoneIds: readonly ProviderZoneId[]): Promise<number> {
  if (providerZoneIds.length === 0) return 0
  const rows = await db.execute(sql`
    with missing as materialized (
      select id from zones where account_id = ${accountId} and gone_at is null
        and zone_id in (select json_array_elements_text(${toJson(providerZoneIds)}::text::json))
      order by id for no key update
    ),
    gone as (
      update zones set gone_at = now(), status = 'error', records_due_at = null, settings_due_at = null, rules_due_at = null, wanted_at = null
      where id in (select id from missing) and gone_at is null
      returning id, owner_id, name, account_email
    ),
    written as (
      insert into zone_changes (zone_id, source, subject, key, label, before, after)
      select id, 'outside'::change_source, 'zone'::change_subject, 'listed', 'listed', jsonb_build_object('value', true), jsonb_build_object('value', false)
      from gone
      union all
      -- The same name in another account by now: the domain was moved there, which both of its zones remember.
      select zone.id, 'outside', 'zone', 'account', 'account', jsonb_build_object('value', g.account_email), jsonb_build_object('value', o.account_email)
      from gone g join zones o on o.owner_id = g.owner_id and o.name = g.name and o.id <> g.id and o.gone_at is null
        and o.account_email <> g.account_email
        cross join lateral (values (g.id), (o.id)) as zone (id)
    )
    select id from gone`)
  return rows.length
}
