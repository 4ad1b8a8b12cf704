import { sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { monitorSettings } from '#server/db/schema/index.ts'
import { signalsOf, thresholdsOf } from './health/evaluation.repo.ts'
import type { SettingsRow } from './settings.repo.ts'

const iso = (at: number) => new Date(at).toISOString()

/** `options`: the stored `CheckOptions`. */
export type OwnerSettings = Pick<SettingsRow, 'ownerId' | 'enabled' | 'intervalMinutes' | 'options'> & {
  readonly regions: Readonly<SettingsRow['regions']>
}

export const listOwners = (db: Queryable): Promise<OwnerSettings[]> =>
  db
    .select({
      ownerId: monitorSettings.ownerId,
      enabled: monitorSettings.enabled,
      regions: monitorSettings.regions,
      intervalMinutes: monitorSettings.intervalMinutes,
      options: monitorSettings.options,
    })
    .from(monitorSettings)

/** Domains of an owner (`ids`: only these) that should be monitored, and how: by the settings, or the group's override. */
const wantedOf = (
  { ownerId, enabled, regions, intervalMinutes, options }: OwnerSettings,
  now: number,
  ids: readonly string[] | null = null,
) => sql`
  owners as materialized (select ${JSON.stringify(options)}::text::jsonb as options),
  said as materialized (
    select o.group_id, coalesce((o.override->>'enabled')::boolean, ${enabled}) as enabled,
      coalesce((o.override->>'intervalMinutes')::int, ${intervalMinutes}::int) * 60 as seconds,
      coalesce((select array_agg(r::region) from jsonb_array_elements_text(o.override->'regions') r), ${sql.param([...regions])}::region[]) as regions,
      ${thresholdsOf(sql`(owners.options || o.override)`)} as thresholds
    from monitor_overrides o join groups g on g.id = o.group_id cross join owners where g.owner_id = ${ownerId}::uuid
  ),
  wanted as (
    select z.id, z.group_id, z.health, coalesce(s.seconds, ${intervalMinutes}::int * 60) as seconds,
      coalesce(s.regions, ${sql.param([...regions])}::region[]) as regions, 
      ${signalsOf(now, sql`coalesce(s.thresholds, ${thresholdsOf(sql`owners.options`)})`)} as signals
    from zones z cross join owners left join said s on s.group_id = z.group_id
    where z.owner_id = ${ownerId}::uuid and z.gone_at is null and coalesce(s.enabled, ${enabled})
      ${ids === null ? sql`` : sql`and z.id = any(${sql.param([...ids])}::uuid[])`}
  )`
/** Spreads domains evenly over the interval by a hash, because ids created together share a prefix. */
const slot = (id: string, seconds: string) => sql.raw(`((hashtextextended(${id}::text, 0) & 2147483647) % ${seconds})::int`)

/** `rescheduled`: same regions, but another interval or group. */
type Drift = 'missing' | 'unwanted' | 'changed' | 'rescheduled' | 'evaluate' | 'refresh'

/** Differences between actual and wanted monitoring, changed mirror states, and differing health in the list, in this order; at most `limit`. */
export async function listDrift(
  db: Queryable,
  owner: OwnerSettings,
  now: number,
  limit: number,
): Promise<ReadonlyMap<Drift, readonly string[]>> {
  const rows = await db.execute<{ id: string; drift: Drift }>(sql`
    with ${wantedOf(owner, now)}
    select * from (
      select coalesce(w.id, m.zone_id) as id, case
        when m.zone_id is null then 'missing' when w.id is null then 'unwanted'
        when m.regions <> w.regions then 'changed'
        when m.group_id is distinct from w.group_id or m.interval_seconds <> w.seconds then 'rescheduled'
        when m.signals <> w.signals or (m.health <> 'unknown' and m.paused_until > ${iso(now)}::timestamptz) then 'evaluate'
        when m.health <> w.health then 'refresh' end as drift
      from wanted w full join (select * from zone_monitors where owner_id = ${owner.ownerId}::uuid) m on m.zone_id = w.id
    ) differing where drift is not null order by drift = 'refresh', drift = 'evaluate' limit ${limit}`)
  const ids = new Map<Drift, string[]>()
  for (const { id, drift } of rows) ids.set(drift, [...(ids.get(drift) ?? []), id])
  return ids
}

export async function insertMonitors(tx: Transaction, owner: OwnerSettings, ids: readonly string[], now: number): Promise<void> {
  await tx.execute(sql`
    with ${wantedOf(owner, now, ids)}
    insert into zone_monitors (zone_id, owner_id, group_id, interval_seconds, slot, regions, signals)
    select id, ${owner.ownerId}::uuid, group_id, seconds, ${slot('id', 'seconds')}, regions, signals from wanted order by id on conflict do nothing`)
}

export async function updateMonitors(tx: Transaction, owner: OwnerSettings, ids: readonly string[], now: number): Promise<void> {
  await tx.execute(sql`
    with ${wantedOf(owner, now, ids)},
    held as (select m.zone_id from zone_monitors m where m.zone_id = any(${sql.param([...ids])}::uuid[]) order by m.zone_id for no key update of m)
    update zone_monitors m set group_id = w.group_id, interval_seconds = w.seconds, slot = ${slot('w.id', 'w.seconds')}, regions = w.regions
    from wanted w join held h on h.zone_id = w.id where m.zone_id = w.id`)
}

/**
 * Creates and deletes views to match the wanted regions. New ones are checked soon, one after the other, if that is earlier than their turn.
 * @param first number of domains checked before these
 */
export async function matchViews(
  tx: Transaction,
  ids: readonly string[],
  now: number,
  { first, perSecond }: { readonly first: number; readonly perSecond: number },
): Promise<void> {
  await deleteViews(
    tx,
    sql`v.zone_id = any(${sql.param([...ids])}::uuid[]) and not exists (select from zone_monitors m where m.zone_id = v.zone_id and v.region = any(m.regions))`,
  )
  await tx.execute(sql`
    insert into zone_views (zone_id, region, retry_at)
    select zone_id, region, case when after < seconds then ${iso(now)}::timestamptz + after * interval '1 second' end
    from (
      select m.zone_id, r.region, m.interval_seconds as seconds,
        (row_number() over (partition by r.region order by m.slot) + ${first}::int) / ${perSecond}::float8 as after
      from zone_monitors m cross join lateral unnest(m.regions) r (region) where m.zone_id = any(${sql.param([...ids])}::uuid[])
        and not exists (select from zone_views v where v.zone_id = m.zone_id and v.region = r.region)
    ) missing order by zone_id, region on conflict do nothing`)
}

/** Stores the sums of the current hour. Views are locked in the same order as by checks. */
async function deleteViews(tx: Transaction, which: ReturnType<typeof sql>): Promise<void> {
  await tx.execute(sql`
    with held as (select v.zone_id, v.region from zone_views v where ${which} order by v.zone_id, v.region for update of v)
    delete from zone_views v using held h where v.zone_id = h.zone_id and v.region = h.region`)
}

/** Stops monitoring these domains. */
export async function deleteMonitors(tx: Transaction, ids: readonly string[]): Promise<void> {
  await deleteViews(tx, sql`v.zone_id = any(${sql.param([...ids])}::uuid[])`)
  await tx.execute(sql`
    with held as (select m.zone_id from zone_monitors m where m.zone_id = any(${sql.param([...ids])}::uuid[]) order by m.zone_id for update of m)
    delete from zone_monitors m using held h where m.zone_id = h.zone_id`)
}

/** Owners without settings whose domains are still monitored. */
export async function listFormerOwners(db: Queryable): Promise<string[]> {
  const rows = await db.execute<{ ownerId: string }>(sql`
    with recursive owners as (
      select (select m.owner_id from zone_monitors m order by m.owner_id limit 1) as owner_id
      union all select (select m.owner_id from zone_monitors m where m.owner_id > o.owner_id order by m.owner_id limit 1) from owners o where o.owner_id is not null
    )
    select o.owner_id from owners o where o.owner_id is not null and not exists (select from monitor_settings s where s.owner_id = o.owner_id)`)
  return rows.map((row) => row.ownerId)
}
