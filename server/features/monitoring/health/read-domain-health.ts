import { requireZone } from '#server/features/domains/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { seenCertificate } from '#shared/features/monitoring/reports.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import type { DomainHealth, DomainHistory, HistoryRange, WatchedView } from '#shared/features/monitoring/reports.ts'
import { findMonitor, listDays, listHours, listViews } from '../history/history-reading.repo.ts'
import type { PointRow, ViewRow } from '../history/history-reading.repo.ts'
import { findingList, isoOf, isoOrNull, reasonList } from '../incidents/incident-view.ts'
import { observedMs } from '../checks/observed.policy.ts'
import { listProbeRegions } from './overview-reading.repo.ts'
import { believedForMs } from './evaluate-health.policy.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** The units of a range, including the current one. */
const ranges = {
  day: { step: 'hour', ms: hourMs, units: 24 },
  week: { step: 'hour', ms: hourMs, units: 168 },
  month: { step: 'day', ms: dayMs, units: 30 },
  quarter: { step: 'day', ms: dayMs, units: 90 },
} as const

const beginning = (now: number, range: HistoryRange) => {
  const { ms, units } = ranges[range]
  return new Date(Math.floor(now / ms) * ms - (units - 1) * ms)
}

const timingsOf = (row: Pick<PointRow, 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs' | 'totalMs'>) => ({
  dnsMs: row.dnsMs,
  connectMs: row.connectMs,
  tlsMs: row.tlsMs,
  firstByteMs: row.firstByteMs,
  totalMs: row.totalMs,
})

const noProbe = { code: 'no_probe' as const, params: {} }

/** No results from this region, neither by a probe nor by external checkers. */
const isBlind = ({ region, checkedAt: at }: ViewRow, probed: ReadonlySet<Region>, now: number) =>
  !probed.has(region) && (at === null || now - Date.parse(at) > believedForMs)

/** @param looking a probe of the region works, so a requested check will be done */
const toView = (row: ViewRow, blind: boolean, looking: boolean): WatchedView => ({
  region: row.region,
  state: row.state,
  since: isoOrNull(row.since),
  checkedAt: isoOrNull(row.checkedAt),
  status: row.status,
  timings: timingsOf(row),
  findings: blind ? [noProbe] : findingList.parse(row.reasons),
  beats: [...Buffer.from(row.beats, 'hex')],
  wanted: row.wanted && looking,
})

function shareOfGood(points: readonly PointRow[]): number | null {
  const checks = points.reduce((sum, each) => sum + each.checks, 0)
  return checks === 0 ? null : 1 - points.reduce((sum, each) => sum + each.failed, 0) / checks
}

/** Applies `figure` to the hours or days of each range. */
function byRange<T>(
  { hours, days }: Readonly<Record<'hours' | 'days', readonly PointRow[]>>,
  now: number,
  figure: (points: readonly PointRow[], unitMs: number) => T,
): Record<HistoryRange, T> {
  const of = (range: HistoryRange) => {
    const from = beginning(now, range)
    const points = ranges[range].step === 'hour' ? hours : days
    return figure(
      points.filter(({ at }) => new Date(at) >= from),
      ranges[range].ms,
    )
  }
  return { day: of('day'), week: of('week'), month: of('month'), quarter: of('quarter') }
}

/** Null for a time in the past. */
function untilOf(written: string | null, now: number) {
  if (written === null || written === 'infinity') return written === null ? null : 'forever'
  return Date.parse(written) <= now ? null : isoOf(written)
}

/** A domain's health from all of its regions. @throws AppError not_found */
export async function readDomainHealth(ctx: Ctx, { id }: { readonly id: string }): Promise<DomainHealth> {
  await requireZone(ctx, id, 'view')
  const now = ctx.clock.now()
  const db = ctx.db.orm
  const [monitor, views, hours, days, probes] = await Promise.all([
    findMonitor(db, id),
    listViews(db, id),
    listHours(db, id, beginning(now, 'week')),
    listDays(db, id, beginning(now, 'quarter')),
    listProbeRegions(db, new Date(now)),
  ])
  if (monitor === null) return { watched: null }
  const probed = new Set(probes.map(({ region }) => region))
  const looking = new Set(probes.filter(({ online }) => online > 0).map(({ region }) => region))
  const blind = new Set(views.filter((view) => isBlind(view, probed, now)).map(({ region }) => region))
  const unseen = monitor.health === 'unknown' && views.length > 0 && blind.size === views.length
  return {
    watched: {
      health: monitor.health,
      reasons: unseen ? [{ ...noProbe, regions: [...blind] }] : reasonList.parse(monitor.reasons),
      since: isoOrNull(monitor.since),
      intervalSeconds: monitor.intervalSeconds,
      regions: monitor.regions,
      pausedUntil: untilOf(monitor.pausedUntil, now),
      mutedUntil: untilOf(monitor.mutedUntil, now),
      certificate: monitor.certificate === null ? null : seenCertificate.parse(monitor.certificate),
      views: views.map((view) => toView(view, blind.has(view.region), looking.has(view.region))),
      uptime: byRange({ hours, days }, now, shareOfGood),
      observedMs: byRange({ hours, days }, now, (points, unitMs) => observedMs(points, unitMs, monitor.intervalSeconds, now)),
    },
  }
}

/** Response times and failures by region (R-MON-05). @throws AppError not_found */
export async function readDomainHistory(
  ctx: Ctx,
  { id, range }: { readonly id: string; readonly range: HistoryRange },
): Promise<DomainHistory> {
  await requireZone(ctx, id, 'view')
  const now = ctx.clock.now()
  const { step } = ranges[range]
  const from = beginning(now, range)
  const rows = await (step === 'hour' ? listHours : listDays)(ctx.db.orm, id, from)
  return {
    from: from.toISOString(),
    to: new Date(now).toISOString(),
    step,
    points: rows.map((row) => ({
      region: row.region,
      at: isoOf(row.at),
      checks: row.checks,
      failed: row.failed,
      timings: timingsOf(row),
      maxTotalMs: row.maxTotalMs,
    })),
  }
}
