import { sql } from 'drizzle-orm'
import type { Queryable } from '#server/db/client.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'

const iso = (at: number) => new Date(at).toISOString()
const forgottenAfterMs = 3_600_000

interface Heartbeat {
  readonly id: string
  readonly region: Region
  readonly startedAt: number
  readonly seenAt: number
  readonly online: boolean
  readonly checksPerSecond: number
  readonly lagMs: number
}

export async function upsertProbe(db: Queryable, probe: Heartbeat): Promise<void> {
  await db.execute(sql`
    insert into probes (id, region, started_at, seen_at, online, checks_per_second, lag_ms)
    values (${probe.id}::uuid, ${probe.region}::region, ${iso(probe.startedAt)}::timestamptz, ${iso(probe.seenAt)}::timestamptz, ${probe.online},
      ${probe.checksPerSecond}, ${probe.lagMs})
    on conflict (id) do update set seen_at = excluded.seen_at, online = excluded.online, checks_per_second = excluded.checks_per_second,
      lag_ms = excluded.lag_ms`)
}

export async function deleteProbe(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`delete from probes where id = ${id}::uuid`)
}

/** Deletes probes that died long ago. */
export async function forgetProbes(db: Queryable, now: number): Promise<void> {
  await db.execute(sql`delete from probes where seen_at < ${iso(now - forgottenAfterMs)}::timestamptz`)
}
