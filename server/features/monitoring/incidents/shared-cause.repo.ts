import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { causeStart, readCause } from '#shared/features/monitoring/cause.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { firstIdOf } from './incidents.repo.ts'

const iso = (at: number) => new Date(at).toISOString()

export interface OwnedCause {
  readonly ownerId: string
  readonly cause: string
}

/** Incidents of a cause that begin within this time are one outage. */
export const outageMs = 5 * 60_000
/** A check this recent already shows the outage, or its end. */
const freshMs = 30_000
/** The second check of a domain, when the cause it shares is known to be down. */
const confirmAfterMs = 10_000
/** A hundred checks a second from each region, as for new domains; domains beyond a minute of them wait for their turn. */
const apartMs = 10
const mostWaiting = 6_000
/** Further causes are left to scheduled checks: each takes a search of the owner's domains. */
export const mostCauses = 50

/** Whether domains can have the cause in common: a symptom says nothing about others. */
export const isShared = ({ cause }: Pick<OwnedCause, 'cause'>): boolean => readCause(cause).kind !== 'code'

/** Whether the domain `z` has this cause in common; null if a cause cannot be shared. */
function sharesCause(stored: string, now: number): SQL | null {
  const cause = readCause(stored)
  switch (cause.kind) {
    case 'origin':
      // Uses the index `zones_addresses`.
      return sql`address_terms(z.origin_ips) @@ ${`'${cause.address.replaceAll(/['\\]/g, String.raw`\$&`)}'`}::tsquery`
    case 'name_servers': {
      const servers = sql`${sql.param([...cause.nameServers])}::text[]`
      return sql`z.name_servers @> ${servers} and z.name_servers <@ ${servers}`
    }
    case 'account':
      return sql`z.account_id = ${cause.id}::uuid`
    case 'registrar':
      // Expiry is a date of each domain, so others than the expired ones have nothing in common with it.
      return sql`z.registrar_id = ${cause.id}::uuid and z.paid_until < ${iso(now)}::timestamptz`
    case 'tracker':
      return sql`exists (select from tracker_bindings b where b.zone_id = z.id and b.tracker_id = ${cause.id}::uuid)`
    case 'code':
      return null
  }
}

const nameServersOf = sql`(select ${causeStart.name_servers}::text || string_agg(lower(s), ',' order by lower(s) collate "C") from unnest(z.name_servers) s)`

/** Monitored domains of the owner with this cause in common. */
const sharersOf = (ownerId: string, shares: SQL, now: number) => sql`
  select m.zone_id from zone_monitors m join zones z on z.id = m.zone_id
  where m.owner_id = ${ownerId}::uuid and z.gone_at is null and ${shares}
    and (m.paused_until is null or m.paused_until <= ${iso(now)}::timestamptz)`

/** Incidents of these causes that began since then, open or not; without those of which there are none. */
export async function countRecent(
  tx: Transaction,
  causes: readonly OwnedCause[],
  since: number,
): Promise<readonly (OwnedCause & { readonly n: number })[]> {
  if (causes.length === 0) return []
  return tx.execute<{ ownerId: string; cause: string; n: number }>(sql`
    select owner_id, cause, count(*)::int as n from incidents
    where owner_id = any(${sql.param([...new Set(causes.map(({ ownerId }) => ownerId))])}::uuid[]) and id >= ${firstIdOf(since)}::uuid
      and opened_at >= ${iso(since)}::timestamptz and cause = any(${sql.param([...new Set(causes.map(({ cause }) => cause))])}::text[])
      and health = 'critical' group by owner_id, cause`)
}

/**
 * Makes views due one after another, in all regions. Those that are being written now are skipped: they are being checked.
 * @returns the number of views
 */
async function makeDue(tx: Transaction, which: SQL, now: number): Promise<number> {
  const rows = await tx.execute(sql`
    with held as materialized (
      select v.zone_id, v.region, v.failures, v.checked_at from zone_views v
      where ${which} and v.wanted_at is null and (v.retry_at is null or v.retry_at > ${iso(now)}::timestamptz)
      order by v.zone_id, v.region for no key update of v skip locked
    ), waiting as (
      select b.region, count(*)::int as n from zone_views b where b.region in (select region from held) and b.retry_at > ${iso(now)}::timestamptz group by b.region
    ), placed as (
      select h.zone_id, h.region, coalesce(w.n, 0) + row_number() over (partition by h.region order by h.zone_id) as place,
        case when h.failures > 0 then h.checked_at + ${confirmAfterMs}::int * interval '1 millisecond' end as earliest
      from held h left join waiting w on w.region = h.region
    )
    update zone_views v set retry_at = least(v.retry_at, greatest(p.earliest, ${iso(now)}::timestamptz + p.place * ${apartMs}::int * interval '1 millisecond'))
    from placed p where v.zone_id = p.zone_id and v.region = p.region and p.place <= ${mostWaiting}::int returning 1`)
  return rows.length
}

/** Makes the domains with this cause in common due that are not down yet and were not checked just now. */
export async function scheduleSharers(tx: Transaction, { ownerId, cause }: OwnedCause, now: number): Promise<number> {
  const shares = sharesCause(cause, now)
  if (shares === null) return 0
  return makeDue(
    tx,
    sql`v.zone_id in (${sharersOf(ownerId, shares, now)}) and v.state <> 'down'
      and (v.failures > 0 or v.checked_at is null or v.checked_at < ${iso(now - freshMs)}::timestamptz)`,
    now,
  )
}

/** Makes the domains due that are down for the same cause and were not checked just now. */
export async function scheduleDownSharers(tx: Transaction, { ownerId, cause }: OwnedCause, now: number): Promise<number> {
  const shares = sharesCause(cause, now)
  if (shares === null) return 0
  return makeDue(
    tx,
    sql`v.zone_id in (select i.zone_id from incidents i where i.owner_id = ${ownerId}::uuid and i.cause = ${cause} and i.closed_at is null)
      and v.zone_id in (${sharersOf(ownerId, shares, now)}) and v.state = 'down' and v.successes = 0
      and (v.checked_at is null or v.checked_at < ${iso(now - freshMs)}::timestamptz)`,
    now,
  )
}

/** Confirms sooner what failed once in this region, if a cause that the domain shares has just been found down. */
export async function hurryRetries(tx: Transaction, region: Region, domainIds: readonly string[], now: number): Promise<void> {
  if (domainIds.length === 0) return
  await tx.execute(sql`
    update zone_views v set retry_at = ${iso(now + confirmAfterMs)}::timestamptz
    from zones z join zone_monitors m on m.zone_id = z.id
    where v.zone_id = z.id and v.region = ${region}::region and v.zone_id = any(${sql.param([...domainIds])}::uuid[])
      and v.retry_at > ${iso(now + confirmAfterMs)}::timestamptz
      and exists (
        select from incidents i where i.owner_id = m.owner_id and i.closed_at is null and i.health = 'critical'
          and i.id >= ${firstIdOf(now - outageMs)}::uuid and i.opened_at >= ${iso(now - outageMs)}::timestamptz and i.cause in (
          ${causeStart.origin}::text || z.origin_ips[1], ${nameServersOf},
          (select ${causeStart.tracker}::text || b.tracker_id from tracker_bindings b where b.zone_id = z.id)))`)
}

/** Causes that only a check can find. */
const isChecked = (stored: string) => ['origin', 'name_servers', 'tracker'].includes(readCause(stored).kind)

/** Of these causes of an owner, those with domains that were not checked, from every one of these regions, since the start of the outage. */
export async function listUnchecked(
  tx: Queryable,
  ownerId: string,
  causes: ReadonlyMap<string, number>,
  live: readonly Region[],
  now: number,
): Promise<Set<string>> {
  const each = [...causes]
    .flatMap(([cause, since]) => {
      const shares = isChecked(cause) ? sharesCause(cause, now) : null
      return shares === null ? [] : [{ cause, since, shares }]
    })
    .slice(0, mostCauses)
    .map(
      ({ cause, since, shares }) => sql`
        select ${cause}::text as cause where exists (
          select from zone_views v where v.zone_id in (${sharersOf(ownerId, shares, now)}) and v.state <> 'down'
            and v.region = any(${sql.param([...live])}::region[])
            and (v.failures > 0 or v.checked_at is null or v.checked_at < ${iso(since - freshMs)}::timestamptz))`,
    )
  if (each.length === 0) return new Set()
  const rows = await tx.execute<{ cause: string }>(sql.join(each, sql` union all `))
  return new Set(rows.map(({ cause }) => cause))
}
