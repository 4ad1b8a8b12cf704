import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import type { zoneMonitors, zones, zoneViews } from '#server/db/schema/index.ts'
import type { Finding } from '#server/ports/region-probe.ts'
import type { Reason, Region } from '#shared/features/monitoring/schema.ts'
import { resolveOptions } from '../resolve-options.policy.ts'
import type { Health, SeenView, Signals, Thresholds } from './evaluate-health.policy.ts'

const iso = (at: number) => new Date(at).toISOString()
const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`)
/** How long a probe counts as working without a sign of life. */
export const liveForMs = 60_000

/** Grace period for a zone that Cloudflare has not activated yet. */
const pendingGraceHours = 24
/** Grace period after activation, until resolvers drop the old name servers and the first certificate is issued. */
const activeGraceHours = 2

/** Whether `z` was created or activated so recently that it may not work yet. */
const isRecent = (now: number) => sql`coalesce(case when z.status in ('pending', 'initializing')
  then coalesce(z.provider_created_at, z.created_at) > ${iso(now)}::timestamptz - make_interval(hours => ${pendingGraceHours})
  else coalesce(z.activated_at, z.provider_created_at) > ${iso(now)}::timestamptz - make_interval(hours => ${activeGraceHours}) end, false)`

/** The thresholds used by the evaluation, as a number of 13 bits. @param options `CheckOptions`, possibly incomplete */
export const thresholdsOf = (options: SQL) =>
  sql`(hashtext(concat(${options} ->> 'expiryDays', ' ', ${options} ->> 'expiryDaysAutoRenew', ' ', ${options} ->> 'downRegions')) & 8191)`

/** A number for each day around the expiry of the domain's certificates of Origin CA, and 0 until one expires soon. */
const originDays = (now: number) => sql`(case when z.origin_soon_at < ${iso(now)}::timestamptz
  then 31 + greatest(-30, floor(extract(epoch from z.origin_expires_at - ${iso(now)}::timestamptz) / 86400))::int else 0 end)`

/**
 * The mirrored state of a domain `z` packed into a number that changes whenever the state changes, including each day closer to expiry.
 * @param thresholds `thresholdsOf`
 */
export const signalsOf = (now: number, thresholds: SQL) => sql`(
  ((z.traffic_problems & 3) << 5) | ((z.traffic_problems & 4) << 28)
  | (case when z.paused then 1 else 0 end) | (case when z.provider_status in ('moved', 'deactivated') then 2 else 0 end)
  | (case when z.status in ('pending', 'initializing') then 4 else 0 end) | (case when z.phishing then 8 else 0 end)
  | (case when ${isRecent(now)} then 16 else 0 end) | (case when z.auto_renew then 128 else 0 end)
  | (case when z.paid_until is null then 0
      else 31 + greatest(-30, least(366, floor(extract(epoch from z.paid_until - ${iso(now)}::timestamptz) / 86400)))::int end << 8)
  | (((${thresholds} + ${originDays(now)}) & 8191) << 17))`

type WatchedZone = Pick<typeof zones.$inferSelect, 'accountId' | 'registrarId' | 'nameServers' | 'name'> &
  Pick<typeof zoneMonitors.$inferSelect, 'domainId' | 'ownerId' | 'groupId' | 'health'> & {
    readonly originIp: string | null
    readonly trackerId: string | null
    readonly reasons: readonly Reason[]
    readonly since: number | null
    readonly isPaused: boolean
    /** Its traffic was never read, or could not be read for a week. */
    readonly isTrafficUnknown: boolean
    /** The packed mirror state, now and at the last evaluation. */
    readonly packed: number
    readonly packedBefore: number
  }

export type Watched = WatchedZone & {
  readonly changes: readonly number[]
  readonly signals: Signals
  readonly thresholds: Thresholds
}

/** The options needed for evaluation, from the group or else the owner. */
const options = sql`jsonb_build_object(${sql.join(
  (['expiryDays', 'expiryDaysAutoRenew', 'downRegions'] as const).map(
    (key) => sql`${sql.raw(`'${key}'`)}, (coalesce(s.options, '{}') || coalesce(o.override, '{}')) -> ${sql.raw(`'${key}'`)}`,
  ),
  sql`, `,
)})`

/** Domains with their current health, locked in order, so that evaluations run one after another. */
export async function lockWatched(tx: Transaction, domainIds: readonly string[], now: number): Promise<Watched[]> {
  const rows = await tx.execute<WatchedZone & Pick<Signals, keyof Signals> & { changes: string[] | number[]; options: unknown }>(sql`
    select m.zone_id, m.owner_id, m.group_id, z.account_id, z.registrar_id, z.name_servers, z.name, z.origin_ips[1] as origin_ip,
      (select b.tracker_id from tracker_bindings b where b.zone_id = z.id) as tracker_id, m.health, m.reasons, m.changes,
      ${ms('m.since')} as since, coalesce(m.paused_until > ${iso(now)}::timestamptz, false) as is_paused, z.requests is null as is_traffic_unknown, ${signalsOf(now, thresholdsOf(options))} as packed,
      m.signals as packed_before, z.status, z.provider_status, z.paused, z.phishing, ${ms('z.paid_until')} as paid_until, z.auto_renew,
      ${ms("nullif(z.origin_expires_at, 'infinity')")} as origin_expires_at,
      ${ms("nullif(z.origin_soon_at, 'infinity')")} as origin_soon_at,
      case when z.traffic_problems = 0 then '[]' else coalesce((select t.problems from zone_traffic t where t.zone_id = z.id), '[]') end as traffic_problems,
      ${isRecent(now)} as recent, ${options} as options
    from zone_monitors m join zones z on z.id = m.zone_id
      left join monitor_settings s on s.owner_id = m.owner_id left join monitor_overrides o on o.group_id = z.group_id
    where m.zone_id = any(${sql.param([...domainIds])}::uuid[]) order by m.zone_id for no key update of m`)
  return rows.map(
    ({
      status,
      providerStatus,
      paused,
      phishing,
      paidUntil,
      autoRenew,
      originExpiresAt,
      originSoonAt,
      trafficProblems,
      recent,
      options: given,
      changes,
      ...zone
    }) => ({
      ...zone,
      changes: changes.map(Number),
      signals: { status, providerStatus, paused, phishing, paidUntil, autoRenew, originExpiresAt, originSoonAt, trafficProblems, recent },
      thresholds: resolveOptions(given, null),
    }),
  )
}

type SeenRow = Pick<typeof zoneViews.$inferSelect, 'domainId' | 'region' | 'state' | 'failures'> & {
  since: number | null
  checkedAt: number | null
  reasons: Finding[]
}

/** Must be called after `lockWatched`, so that results of other regions are included. */
export async function listViews(tx: Transaction, domainIds: readonly string[]): Promise<Map<string, SeenView[]>> {
  const rows = await tx.execute<SeenRow>(sql`
    select zone_id, region, state, ${ms('since')} as since, failures, ${ms('checked_at')} as checked_at, reasons
    from zone_views where zone_id = any(${sql.param([...domainIds])}::uuid[]) order by zone_id, region`)
  return Map.groupBy(
    rows.map(({ checkedAt, domainId, ...row }) => ({ ...row, domainId, checkedAt })),
    ({ domainId }) => domainId,
  )
}

export async function listLiveRegions(db: Queryable, now: number): Promise<Set<Region>> {
  const rows = await db.execute<{ region: Region }>(
    sql`select distinct region from probes where online and seen_at > ${iso(now - liveForMs)}::timestamptz`,
  )
  return new Set(rows.map(({ region }) => region))
}

export interface EvaluatedZone {
  readonly domainId: string
  readonly health: Health
  readonly reasons: readonly Reason[]
  readonly changes: readonly number[]
  readonly since: number | null
  readonly packed: number
}

/** Writes the health of domains; `updateHealth` then updates their rows in the list. */
export async function updateEvaluated(tx: Transaction, evaluated: readonly EvaluatedZone[]): Promise<void> {
  if (evaluated.length === 0) return
  const rows = evaluated.map(({ domainId, since, changes, ...row }) => ({
    ...row,
    zone_id: domainId,
    changes,
    since: since === null ? null : iso(since),
  }))
  await tx.execute(sql`
    update zone_monitors m set health = r.health, reasons = r.reasons, changes = r.changes, since = r.since, signals = r.packed
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (zone_id uuid, health health, reasons jsonb, changes bigint[], since timestamptz, packed int)
    where m.zone_id = r.zone_id`)
}
