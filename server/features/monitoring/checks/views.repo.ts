import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/client.ts'
import type { zoneViews } from '#server/db/schema/index.ts'
import type { Finding, SeenCertificate } from '#server/ports/region-probe.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import type { HourOfChecks, View } from './view.policy.ts'

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`)
const json = (rows: readonly unknown[]) => sql`json_to_recordset(${JSON.stringify(rows)}::text::json)`

type ViewRow = Omit<typeof zoneViews.$inferSelect, 'region' | 'wantedAt' | 'since' | 'checkedAt' | 'retryAt' | 'hour' | 'reasons'> & {
  since: number | null
  checkedAt: number | null
  retryAt: number | null
  hour: number | null
  reasons: Finding[]
  health: string
  fingerprint: string | null
}

interface LockedView {
  readonly view: View
  /** The domain's current overall health, independent of this region. */
  readonly health: string
  /** Of the stored certificate. */
  readonly fingerprint: string | null
}

/** Views of a region, locked in zone order; domains no longer monitored are left out. */
export async function lockViews(tx: Transaction, region: Region, domainIds: readonly string[]): Promise<Map<string, LockedView>> {
  const rows = await tx.execute<ViewRow>(sql`
    select v.zone_id, v.state, ${ms('v.since')} as since, v.failures, v.successes, v.reasons, v.pending, ${ms('v.checked_at')} as checked_at,
      ${ms('v.retry_at')} as retry_at, v.beats, v.status, v.dns_ms, v.connect_ms, v.tls_ms, v.first_byte_ms, v.total_ms, ${ms('v.hour')} as hour,
      v.checks, v.failed, v.sum_dns_ms, v.sum_connect_ms, v.sum_tls_ms, v.sum_first_byte_ms, v.sum_total_ms, v.max_total_ms,
      m.health, m.certificate->>'fingerprint' as fingerprint
    from zone_views v join zone_monitors m on m.zone_id = v.zone_id
    where v.region = ${region}::region and v.zone_id = any(${sql.param([...domainIds])}::uuid[]) order by v.zone_id for no key update of v`)
  return new Map(rows.map((row) => [row.domainId, { view: viewOf(row), health: row.health, fingerprint: row.fingerprint }]))
}

const viewOf = (row: ViewRow): View => ({
  state: row.state,
  since: row.since,
  failures: row.failures,
  successes: row.successes,
  reasons: row.reasons,
  pending: row.pending,
  checkedAt: row.checkedAt,
  retryAt: row.retryAt,
  beats: row.beats,
  status: row.status,
  timings: { dnsMs: row.dnsMs, connectMs: row.connectMs, tlsMs: row.tlsMs, firstByteMs: row.firstByteMs, totalMs: row.totalMs },
  hour: row.hour,
  sums: {
    checks: row.checks,
    failed: row.failed,
    dnsMs: row.sumDnsMs,
    connectMs: row.sumConnectMs,
    tlsMs: row.sumTlsMs,
    firstByteMs: row.sumFirstByteMs,
    totalMs: row.sumTotalMs,
    maxTotalMs: row.maxTotalMs,
  },
})

const rowOf = (domainId: string, { timings, sums, ...view }: View) => ({
  zone_id: domainId,
  state: view.state,
  since: iso(view.since),
  failures: view.failures,
  successes: view.successes,
  reasons: view.reasons,
  pending: view.pending,
  checked_at: iso(view.checkedAt),
  retry_at: iso(view.retryAt),
  beats: `\\x${Buffer.from(view.beats).toString('hex')}`,
  status: view.status,
  dns_ms: timings.dnsMs,
  connect_ms: timings.connectMs,
  tls_ms: timings.tlsMs,
  first_byte_ms: timings.firstByteMs,
  total_ms: timings.totalMs,
  hour: iso(view.hour),
  checks: sums.checks,
  failed: sums.failed,
  sum_dns_ms: sums.dnsMs,
  sum_connect_ms: sums.connectMs,
  sum_tls_ms: sums.tlsMs,
  sum_first_byte_ms: sums.firstByteMs,
  sum_total_ms: sums.totalMs,
  max_total_ms: sums.maxTotalMs,
})

export async function updateViews(tx: Transaction, region: Region, views: ReadonlyMap<string, View>): Promise<void> {
  if (views.size === 0) return
  const rows = [...views].map(([domainId, view]) => rowOf(domainId, view))
  await tx.execute(sql`
    update zone_views v set state = r.state, since = r.since, failures = r.failures, successes = r.successes, reasons = r.reasons, pending = r.pending,
      checked_at = r.checked_at, retry_at = r.retry_at, beats = r.beats, status = r.status, dns_ms = r.dns_ms, connect_ms = r.connect_ms,
      tls_ms = r.tls_ms, first_byte_ms = r.first_byte_ms, total_ms = r.total_ms, hour = r.hour, checks = r.checks, failed = r.failed,
      sum_dns_ms = r.sum_dns_ms, sum_connect_ms = r.sum_connect_ms, sum_tls_ms = r.sum_tls_ms, sum_first_byte_ms = r.sum_first_byte_ms,
      sum_total_ms = r.sum_total_ms, max_total_ms = r.max_total_ms
    from ${json(rows)} as r (zone_id uuid, state view_state, since timestamptz, failures smallint, successes smallint, reasons jsonb, pending text[],
      checked_at timestamptz, retry_at timestamptz, beats bytea, status smallint, dns_ms int, connect_ms int, tls_ms int, first_byte_ms int,
      total_ms int, hour timestamptz, checks smallint, failed smallint, sum_dns_ms int, sum_connect_ms int, sum_tls_ms int, sum_first_byte_ms int,
      sum_total_ms int, max_total_ms int)
    where v.zone_id = r.zone_id and v.region = ${region}::region`)
}

/** Milliseconds limited to the range of the column. */
const small = (value: number) => Math.min(32_767, Math.round(value))
const meanOf = (sum: number, { checks, failed }: HourOfChecks) => (checks > failed && sum > 0 ? small(sum / (checks - failed)) : null)

/** Stores finished hours; if the hour exists because its view was recreated within it, the sums are added. */
export async function insertHours(
  tx: Transaction,
  region: Region,
  hours: readonly { readonly domainId: string; readonly hour: HourOfChecks }[],
): Promise<void> {
  if (hours.length === 0) return
  const rows = hours.map(({ domainId, hour }) => ({
    zone_id: domainId,
    hour: iso(hour.hour),
    checks: hour.checks,
    failed: hour.failed,
    dns_ms: meanOf(hour.dnsMs, hour),
    connect_ms: meanOf(hour.connectMs, hour),
    tls_ms: meanOf(hour.tlsMs, hour),
    first_byte_ms: meanOf(hour.firstByteMs, hour),
    total_ms: meanOf(hour.totalMs, hour),
    max_total_ms: hour.checks > hour.failed ? small(hour.maxTotalMs) : null,
  }))
  const mean = (column: string) =>
    sql.raw(`${column} = case when h.${column} is null then excluded.${column} when excluded.${column} is null then h.${column}
      else (h.${column} * (h.checks - h.failed) + excluded.${column} * (excluded.checks - excluded.failed))
        / greatest(1, h.checks - h.failed + excluded.checks - excluded.failed) end`)
  await tx.execute(sql`
    insert into check_hours as h (zone_id, region, hour, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
    select zone_id, ${region}::region, hour, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms
    from ${json(rows)} as r (zone_id uuid, hour timestamptz, checks smallint, failed smallint, dns_ms smallint, connect_ms smallint, tls_ms smallint,
      first_byte_ms smallint, total_ms smallint, max_total_ms smallint)
    on conflict (zone_id, hour, region) do update set ${mean('dns_ms')}, ${mean('connect_ms')}, ${mean('tls_ms')}, ${mean('first_byte_ms')},
      ${mean('total_ms')}, max_total_ms = greatest(h.max_total_ms, excluded.max_total_ms), checks = h.checks + excluded.checks,
      failed = h.failed + excluded.failed`)
}

/** Locks monitors in zone order before parts of them are changed one after the other, to avoid deadlocks. */
export async function lockMonitors(tx: Transaction, domainIds: readonly string[]): Promise<void> {
  if (domainIds.length === 0) return
  await tx.execute(
    sql`select from zone_monitors where zone_id = any(${sql.param([...domainIds])}::uuid[]) order by zone_id for no key update`,
  )
}

/** Must be called after `lockMonitors`. */
export async function updateCertificates(
  tx: Transaction,
  seen: readonly { readonly domainId: string; readonly certificate: SeenCertificate }[],
): Promise<void> {
  if (seen.length === 0) return
  const rows = seen.map(({ domainId, certificate }) => ({ zone_id: domainId, certificate, until: certificate.notAfter.toISOString() }))
  await tx.execute(sql`
    update zone_monitors m set certificate = r.certificate, cert_expires_at = r.until
    from ${json(rows)} as r (zone_id uuid, certificate jsonb, until timestamptz) where m.zone_id = r.zone_id`)
}

/** Schedules immediate checks from the other regions of a domain that was found down. */
export async function scheduleOtherRegions(tx: Transaction, region: Region, domainIds: readonly string[], now: number): Promise<void> {
  if (domainIds.length === 0) return
  await tx.execute(sql`
    with others as (
      select zone_id, region from zone_views where zone_id = any(${sql.param([...domainIds])}::uuid[]) and region <> ${region}::region and state <> 'down'
        and (retry_at is null or retry_at > ${iso(now)}::timestamptz) order by zone_id, region for no key update skip locked
    )
    update zone_views v set retry_at = ${iso(now)}::timestamptz from others o where v.zone_id = o.zone_id and v.region = o.region`)
}
