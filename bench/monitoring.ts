import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorSettings } from '#server/db/schema/index.ts'
import { ensurePartitions } from '#server/features/monitoring/history/partitions.repo.ts'
import { rollUpDay } from '#server/features/monitoring/history/roll-up.repo.ts'
import { systemClock } from '#server/platform/clock.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import { percentile } from './bench.ts'
import type { Bench, Figure } from './bench.ts'
import { insertOwner, startChild, startDatabase, startPanel } from './panel.ts'
import type { BenchDatabase, Child } from './panel.ts'
import { cpuSecondsOf } from './processes.ts'

/** The full run, or a smoke test of two minutes. */
const sizes = {
  whole: { domains: 100_000, intervalMinutes: 5, seconds: 330, historyDomains: 2_000 },
  small: { domains: 100_000, intervalMinutes: 5, seconds: 60, historyDomains: 60 },
}
type Size = (typeof sizes)['whole']
type Report = (figure: Figure) => void

const dayMs = 86_400_000
const mebibyte = 1_048_576

/** Resident memory of a process in bytes, current and peak. */
async function memoryOf({ process: { pid } }: Child): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) * 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}

const checksSoFar = async ({ db }: BenchDatabase): Promise<number> => {
  const [row] = await db.sql<{ n: number }[]>`
    select coalesce((select sum(checks) from zone_views), 0)::int + coalesce((select sum(checks) from check_hours), 0)::int as n`
  return row?.n ?? 0
}

/** Runs the whole panel in one process, as in production, and checks all domains over HTTPS and DNS from one region. */
async function rounds(report: Report, { domains, intervalMinutes, seconds }: Size): Promise<void> {
  const database = await startDatabase()
  const { db } = database
  const targets = await startChild('bench/monitoring-targets.ts', [])
  const where = new URL(targets.url).searchParams
  const roots = join(database.dataDir, 'roots.pem')
  await writeFile(roots, Buffer.from(where.get('root') ?? '', 'base64url'))
  let panel: Child | null = null
  try {
    const owner = await insertOwner(db)
    await seedZones(db, { ownerId: owner.id, count: domains })
    await db.sql`update accounts set next_sync_at = now() + interval '10 days'`
    await db.sql`update zones set name = 'n' || replace(id::text, '-', '') || '.bench.example'`
    await db.sql`vacuum analyze zones`
    await db.orm.insert(monitorSettings).values({
      ownerId: owner.id,
      enabled: true,
      regions: ['EUROPE'],
      intervalMinutes,
      options: defaultCheckOptions,
      notices: { statusChange: true, dnsMismatch: true, sslIssues: true, traffic: true, recovery: true },
    })
    const began = performance.now()
    panel = await startPanel(database, {
      DNS_SERVERS: where.get('dns') ?? '',
      CHECK_VIA: where.get('via') ?? '',
      CHECK_ROOTS: roots,
    })
    for (;;) {
      const [row] = await db.sql<{ n: number }[]>`select count(*)::int as n from zone_views`
      if (row?.n === domains) break
      await systemClock.sleep(200)
    }
    report({
      name: `${domains} domains are checked for the first time`,
      value: (performance.now() - began) / 1000,
      unit: 's',
      against: { kind: 'at most', value: 60, what: 'a fifth of their interval' },
    })
    // First checks run early, outside the schedule; they are not measured.
    await db.sql`update zone_views set retry_at = null`
    const [before, cpuBefore, from] = [await checksSoFar(database), (await cpuSecondsOf(panel.process.pid)).own, performance.now()]
    let most = 0
    for (let at = 0; at < seconds; at += 5) {
      await systemClock.sleep(5_000)
      most = Math.max(most, (await memoryOf(panel)).now)
    }
    const elapsed = (performance.now() - from) / 1000
    const checks = (await checksSoFar(database)) - before
    const cpu = (await cpuSecondsOf(panel.process.pid)).own - cpuBefore
    const [end] = await db.sql<{ pace: number; lag: number; unseen: number; wrong: number; nothing: number }[]>`
      select (select min(pace)::float8 from probe_cursors) as pace, (select max(lag_ms) from probes) as lag,
        (select count(*)::int from zone_views where checked_at is null) as unseen,
        (select count(*)::int from zone_views where state = 'down') as wrong,
        (select coalesce(sum((select count(*) from generate_series(0, length(beats) - 1) i where get_byte(beats, i) = 0)), 0)::int from zone_views) as nothing`
    report({
      name: `checks a second of ${domains} domains every ${intervalMinutes} minutes`,
      value: checks / elapsed,
      unit: '/s',
      against: { kind: 'at least', value: (domains / (intervalMinutes * 60)) * 0.98, what: '98 % of what is due' },
      more: {
        pace: end?.pace ?? 0,
        lagMs: end?.lag ?? 0,
        unseen: end?.unseen ?? 0,
        wronglyDown: end?.wrong ?? 0,
        inconclusive: end?.nothing ?? 0,
        cpuMsACheck: (cpu / checks) * 1000,
      },
    })
    report({
      name: 'processor cores used by the panel',
      value: cpu / elapsed,
      unit: 'cores',
      against: { kind: 'at most', value: 1, what: 'one of two' },
    })
    report({
      name: 'memory used by the panel',
      value: most / mebibyte,
      unit: 'MiB',
      against: { kind: 'at most', value: 600, what: 'limit' },
    })
  } finally {
    await panel?.stop()
    await targets.stop()
    await database.close()
  }
}

/** Measures 90 days of hourly results of some domains, written as checks write them and pruned by retention. */
async function history(report: Report, { historyDomains: domains }: Size): Promise<void> {
  const database = await startDatabase()
  const { db } = database
  let panel: Child | null = null
  try {
    const owner = await insertOwner(db)
    await seedZones(db, { ownerId: owner.id, count: domains })
    await db.sql`update accounts set next_sync_at = now() + interval '10 days'`
    const today = Math.floor(Date.now() / dayMs) * dayMs
    await ensurePartitions(db, today - 91 * dayMs, today + dayMs)
    await db.sql`
      insert into zone_monitors (zone_id, owner_id, group_id, interval_seconds, slot, regions)
      select id, owner_id, group_id, 300, 0, '{EUROPE,NORTH_AMERICA,ASIA}' from zones`
    await db.sql`
      insert into zone_views (zone_id, region, state, since, checked_at, beats, checks, hour)
      select zone_id, r, 'up', now() - interval '30 days', now(), decode(repeat('01', 90), 'hex'), 3, date_trunc('hour', now()) from zone_monitors, unnest(regions) r`
    const signal = new AbortController().signal
    for (let day = 90; day > 0; day -= 1) {
      const from = new Date(today - day * dayMs).toISOString()
      await db.sql`
        insert into check_hours (zone_id, region, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms, hour)
        select m.zone_id, r, 12, (random() < 0.01)::int, 10 + random() * 20, 20 + random() * 20, 30, 40 + random() * 100, 120 + random() * 100, 300,
          ${from}::timestamptz + h * interval '1 hour' from generate_series(0, 23) h, zone_monitors m, unnest(m.regions) r`
      await rollUpDay(db, today - day * dayMs, signal)
      const old = new Date(today - (day + 14) * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
      await db.sql.unsafe(`drop table if exists check_hours_${old}`)
    }
    for (let day = 14; day <= 28; day += 1) {
      await db.sql.unsafe(
        `drop table if exists check_hours_${new Date(today - (day + 1) * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`,
      )
    }
    await db.sql`vacuum analyze`
    const [size] = await db.sql<{ hours: number; days: number; hourly: number; daily: number }[]>`
      select (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits where inhparent = 'check_hours'::regclass) as hours,
        (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits where inhparent = 'check_days'::regclass) as days,
        (select sum(checks)::float8 from check_hours) as hourly, (select sum(checks)::float8 from check_days) as daily`
    if (size === undefined) throw new Error('nothing was measured')
    report({
      name: 'growth of the database with hourly data',
      value: size.hours / size.hourly,
      unit: 'B',
      against: { kind: 'at most', value: 60, what: 'bytes a check' },
      more: { daysBytesACheck: size.days / size.daily, ninetyDaysBytesACheck: (size.hours + size.days) / size.daily },
    })
    const [zone] = await db.sql<{ id: string }[]>`select id from zones order by name offset ${Math.floor(domains / 2)} limit 1`
    panel = await startPanel(database)
    const { url } = panel
    const read = async (procedure: string, input: object) => {
      const from = performance.now()
      const response = await fetch(`${url}/trpc/monitoring.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
        headers: { authorization: `Bearer ${owner.token}` },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${procedure}: ${text}`)
      return performance.now() - from
    }
    const times: number[] = []
    // The first sample is the start of the process.
    for (let round = -1; round < 20; round += 1) {
      const from = performance.now()
      await Promise.all([
        read('ofDomain', { id: zone?.id }),
        read('history', { id: zone?.id, days: 90 }),
        read('incidents', { zoneId: zone?.id }),
      ])
      if (round >= 0) times.push(performance.now() - from)
    }
    report({
      name: 'the page of a domain with 90 days of three regions: 95th percentile',
      value: percentile(times, 0.95),
      unit: 'ms',
      against: { kind: 'at most', value: 300, what: 'limit' },
      more: { median: percentile(times, 0.5) },
    })
  } finally {
    await panel?.stop()
    await database.close()
  }
}

const runAll = async (report: Report, size: Size): Promise<void> => {
  await rounds(report, size)
  await history(report, size)
}

export const monitoring: Bench = {
  about:
    'the whole panel checks 100,000 domains every five minutes over DNS and HTTPS; size of their history, and time to read 90 days of it',
  run: (report) => runAll(report, sizes.whole),
}

if (import.meta.main) {
  const parts = { rounds, history }
  const wanted = process.argv[2]
  for (const [name, part] of Object.entries(parts)) {
    if (wanted !== undefined && wanted !== name) continue
    await part(({ name: what, value, unit, against, more }) => {
      process.stdout.write(
        `${what}: ${value.toFixed(2)} ${unit}, ${against.kind} ${against.value.toFixed(2)} (${against.what}) ${JSON.stringify(more ?? {})}\n`,
      )
    }, sizes.small)
  }
}
