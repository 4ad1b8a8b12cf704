import { sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction, RawRow } from '#server/db/client.ts'
import type { zoneMonitors, zones } from '#server/db/schema/index.ts'
import { notify } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { moveOn, walk } from './cursor.policy.ts'

export const monitoringChannel = 'zonedeck_monitoring'
/** Notifies on commit that a check is requested or that monitoring settings have changed. */
export const wakeMonitoring = (db: Queryable, what: 'wanted' | 'settings'): Promise<void> => notify(db, monitoringChannel, what)

const iso = (at: number) => new Date(at).toISOString()
const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`)
const hurriedShare = 0.8
/** Checks handed out this often without a result are halved; a single one, which may have ended the processes, is given up until its next turn. */
const attemptsAtMost = 3

/** A check for a probe, with the expected values. */
export type Job = Pick<typeof zoneMonitors.$inferSelect, 'domainId' | 'ownerId' | 'groupId' | 'intervalSeconds'> &
  Pick<typeof zones.$inferSelect, 'name'> & {
    readonly nameServers: readonly string[] | null
    readonly addresses: { readonly proxied: boolean; readonly values: readonly string[] } | null
    /** Ahead of schedule, because a person or another region waits for the result. */
    readonly hurried: boolean
  }

export interface Claim {
  readonly id: string
  readonly jobs: readonly Job[]
}

interface ClaimRequest {
  readonly region: Region
  readonly probeId: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Number of domains; those of one second stay together, so there may be a few more. */
  readonly limit: number
  readonly leaseMs: number
}

/** Creates a cursor for each interval in use. @returns whether anything is monitored */
export async function ensureCursors(db: Queryable, region: Region, now: number): Promise<boolean> {
  const rows = await db.execute<{ some: boolean }>(sql`
    with recursive used as (
      select min(interval_seconds) as seconds from zone_monitors
      union all select (select min(m.interval_seconds) from zone_monitors m where m.interval_seconds > used.seconds) from used where used.seconds is not null
    ),
    made as (
      insert into probe_cursors (region, interval_seconds, position, claimed_at)
      select ${region}::region, seconds, ${iso(now)}::timestamptz, ${iso(now)}::timestamptz from used where seconds is not null on conflict do nothing
    )
    select exists(select from used where seconds is not null) as some`)
  return rows[0]?.some === true
}

/**
 * Claims domains to check: those of an expired claim, otherwise requested checks, retries and those that are due.
 * @returns null when nothing is due
 */
export async function claimChecks(db: Database, request: ClaimRequest): Promise<Claim | null> {
  return db.orm.transaction(async (tx) => {
    const lapsed = await takeLapsed(tx, request)
    if (lapsed !== null) return { id: lapsed.id, jobs: await listJobs(tx, lapsed.domainIds, new Set(lapsed.domainIds)) }
    // Requested checks get only a share of the limit, so that scheduled ones are not delayed.
    const hurried = await takeHurried(tx, { ...request, limit: Math.ceil(request.limit * hurriedShare) })
    const due = await takeDue(tx, request, request.limit - hurried.length)
    const ids = [...new Set([...hurried, ...due])]
    if (ids.length === 0) return null
    const [claim] = await tx.execute<{ id: string }>(sql`
      insert into probe_claims (region, probe_id, zone_ids, expires_at)
      values (${request.region}::region, ${request.probeId}::uuid, ${sql.param(ids)}::uuid[], ${iso(request.now + request.leaseMs)}::timestamptz) returning id`)
    if (claim === undefined) throw new Error('the claim was not written')
    return { id: claim.id, jobs: await listJobs(tx, ids, new Set(hurried)) }
  })
}

/** The claim gets a new id, so that late results of its former holder, which may be this process, are not taken for results of this attempt. */
async function takeLapsed(
  tx: Transaction,
  { region, probeId, now, leaseMs }: ClaimRequest,
): Promise<{ id: string; domainIds: string[] } | null> {
  const rows = await tx.execute<{ id: string; domainIds: string[]; attempts: number }>(sql`
    with due as (
      select id from probe_claims where region = ${region}::region and expires_at <= ${iso(now)}::timestamptz order by expires_at limit 1 for update skip locked
    )
    update probe_claims c set id = gen_random_uuid(), probe_id = ${probeId}::uuid, expires_at = ${iso(now + leaseMs)}::timestamptz, attempts = c.attempts + 1
    from due where c.id = due.id returning c.id, c.zone_ids, c.attempts`)
  const [row] = rows
  if (row === undefined) return null
  const { id, domainIds, attempts } = row
  if (attempts <= attemptsAtMost) return { id, domainIds }
  if (domainIds.length === 1) {
    await deleteClaims(tx, [id])
    return null
  }
  // Each half is handed out once before it is halved too.
  const half = Math.ceil(domainIds.length / 2)
  const [first, second] = [domainIds.slice(0, half), domainIds.slice(half)]
  await tx.execute(sql`update probe_claims set zone_ids = ${sql.param(first)}::uuid[] where id = ${id}::uuid`)
  await tx.execute(sql`
    insert into probe_claims (region, probe_id, zone_ids, expires_at, attempts)
    values (${region}::region, ${probeId}::uuid, ${sql.param(second)}::uuid[], ${iso(now)}::timestamptz, ${attemptsAtMost - 1})`)
  return { id, domainIds: first }
}

async function takeHurried(tx: Transaction, { region, now, limit }: ClaimRequest): Promise<string[]> {
  const taken: string[] = []
  for (const test of [
    sql`v.wanted_at is not null order by v.wanted_at`,
    sql`v.retry_at is not null and v.retry_at <= ${iso(now)}::timestamptz order by v.retry_at`,
  ]) {
    if (taken.length >= limit) break
    const rows = await tx.execute<{ domainId: string }>(sql`
      with due as (
        select v.zone_id from zone_views v where v.region = ${region}::region and ${test} limit ${limit - taken.length} for update skip locked
      )
      update zone_views v set wanted_at = null, retry_at = null from due where v.zone_id = due.zone_id and v.region = ${region}::region returning v.zone_id`)
    taken.push(...rows.map((row) => row.domainId))
  }
  return taken
}

async function takeDue(tx: Transaction, { region, now }: ClaimRequest, limit: number): Promise<string[]> {
  if (limit <= 0) return []
  const cursors = await tx.execute<{ seconds: number; position: number; claimedAt: number; pace: number }>(sql`
    select interval_seconds as seconds, ${ms('position')} as position, ${ms('claimed_at')} as claimed_at, pace
    from probe_cursors where region = ${region}::region order by position for update`)
  const taken: string[] = []
  for (const { seconds, position, claimedAt, pace } of cursors) {
    const left = limit - taken.length
    if (left <= 0) break
    const cursor = { position, claimedAt, pace }
    const path = walk(cursor, seconds, now)
    if (path.slots.length === 0 && !path.skipped) continue
    const rows = await tx.execute<{ domainId: string; ahead: number }>(sql`
      select m.zone_id, array_position(${sql.param(path.slots)}::int[], m.slot) as ahead from zone_monitors m
      where m.interval_seconds = ${seconds}::int and m.slot = any(${sql.param(path.slots)}::int[]) and ${region}::region = any(m.regions)
        and (m.paused_until is null or m.paused_until <= ${iso(now)}::timestamptz)
      order by ahead fetch first ${sql.raw(String(left))} rows with ties`)
    taken.push(...rows.map((row) => row.domainId))
    const last = rows.length < left ? path.slots.length : (rows.at(-1)?.ahead ?? path.slots.length)
    const next = moveOn(cursor, path, last, now)
    await tx.execute(sql`
      update probe_cursors set position = ${iso(next.position)}::timestamptz, claimed_at = ${iso(next.claimedAt)}::timestamptz, pace = ${next.pace}
      where region = ${region}::region and interval_seconds = ${seconds}::int`)
  }
  return taken
}

type JobRow = RawRow<typeof zoneMonitors, 'domainId' | 'ownerId' | 'groupId'> & {
  name: string
  seconds: number
  nameServers: string[] | null
  addresses: string[] | null
  proxied: boolean | null
}

/** Only domains still monitored. Addresses are not compared when unknown, or when the name is a CNAME. */
async function listJobs(tx: Transaction, ids: readonly string[], hurried: ReadonlySet<string>): Promise<Job[]> {
  const rows = await tx.execute<JobRow>(sql`
    select m.zone_id, m.owner_id, m.group_id, z.name, m.interval_seconds as seconds,
      case when z.type = 'full' and z.status = 'active' and cardinality(z.name_servers) > 1 then z.name_servers end as name_servers,
      case when not a.alias then a.addresses end as addresses, a.proxied
    from unnest(${sql.param([...ids])}::uuid[]) as asked (id) join zone_monitors m on m.zone_id = asked.id join zones z on z.id = m.zone_id
    left join lateral (
      select array_agg(r.content order by r.content) as addresses, bool_or(r.proxied) as proxied, bool_or(r.type = 'CNAME') as alias
      from dns_records r where r.zone_id = z.id and z.records_read_at is not null and r.name = z.name and r.type in ('A', 'AAAA', 'CNAME')
    ) a on true
    where z.gone_at is null`)
  return rows.map((row) => ({
    domainId: row.domainId,
    ownerId: row.ownerId,
    groupId: row.groupId,
    name: row.name,
    intervalSeconds: row.seconds,
    nameServers: row.nameServers?.map((server) => server.toLowerCase()).toSorted() ?? null,
    addresses: row.addresses === null ? null : { proxied: row.proxied === true, values: row.addresses },
    hurried: hurried.has(row.domainId),
  }))
}

export async function deleteClaims(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.execute(sql`delete from probe_claims where id = any(${sql.param([...ids])}::uuid[])`)
}

/** Releases the claims of a stopping process, so that another one can take them immediately. */
export async function returnClaims(db: Queryable, probeId: string, now: number): Promise<void> {
  await db.execute(sql`
    update probe_claims set expires_at = ${iso(now)}::timestamptz, attempts = greatest(0, attempts - 1) where probe_id = ${probeId}::uuid`)
}

/** Delay of a region's slowest cursor, in milliseconds. */
export async function findLagMs(db: Queryable, region: Region, now: number): Promise<number> {
  const [row] = await db.execute<{ position: number | null }>(sql`
    select ${ms('min(position)')} as position from probe_cursors c where region = ${region}::region
      and exists (select from zone_monitors m where m.interval_seconds = c.interval_seconds)`)
  return row?.position == null ? 0 : Math.max(0, Math.round(now - row.position))
}
