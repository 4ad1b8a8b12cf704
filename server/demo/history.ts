import type { Services } from '#server/platform/context.ts'
import { insertPastIncidents, prepareHistory } from '#server/features/monitoring/index.ts'
import type { PastIncident } from '#server/features/monitoring/index.ts'

const dayMs = 86_400_000
const retryMs = 3_000

/**
 * Generates history for the demo's domains once they are monitored: resolved incidents, and three months of daily and eight days of hourly
 * results in which checks failed exactly during incidents. Derived from ids, so it is the same at every start; real checks continue it.
 */
export async function seedHistory({ db, clock, log, stopping }: Services): Promise<void> {
  const read = async () => {
    const [row] = await db.sql<{ syncing: boolean; watched: number; seeded: boolean }[]>`
      select exists (select from accounts a where a.synced_at is null and a.health = 'working') as syncing,
        (select count(*)::int from zone_monitors) as watched,
        exists (select from check_days) as seeded`
    return row
  }
  let found = await read()
  for (let watched = -1; found !== undefined && !found.seeded && (found.watched < 100 || found.watched !== watched); found = await read()) {
    watched = found.syncing ? -1 : found.watched
    if (stopping.aborted) return
    await clock.sleep(retryMs, stopping).catch(() => undefined)
  }
  if (found === undefined || found.seeded || stopping.aborted) return
  const now = clock.now()
  await prepareHistory(db, now - 90 * dayMs, now)
  await db.sql.begin(async (tx) => {
    // The large statements below take longer than a process has to stop.
    const untilStopped = async (statement: Promise<unknown> & { cancel(): void }) => {
      stopping.throwIfAborted()
      const cancel = () => statement.cancel()
      stopping.addEventListener('abort', cancel, { once: true })
      await statement.finally(() => stopping.removeEventListener('abort', cancel))
    }
    const past = await tx<PastIncident[]>`
      select z.id as "domainId", 'code:http_status' as cause, o.opened as "openedAt", o.opened + (10 + z.n % 50) * interval '1 minute' as "closedAt",
        jsonb_build_array(jsonb_build_object('code', 'http_status', 'params', jsonb_build_object('status', 502 + z.n % 3), 'regions', '["EUROPE","ASIA"]'::jsonb)) as reasons
      from (
        select z.id, get_byte(uuid_send(z.id), 15) + get_byte(uuid_send(z.id), 14) as n, get_byte(uuid_send(z.id), 13) as far from zones z where z.gone_at is null
      ) z cross join lateral (select now() - (z.far * 75 + 150) * (1 + z.n % 5) * interval '1 minute' as opened) o
      where z.n % 29 < 2`
    await insertPastIncidents(tx, past)
    const ms = tx.unsafe(`(60 + get_byte(uuid_send(m.zone_id), 14) + (extract(epoch from at)::bigint / 3600 * 13) % 40)::int`)
    const phases = tx`8 + ${ms} % 9, ${ms} / 6, ${ms} / 4, ${ms} / 3, ${ms}, ${ms} * 3`
    const views = tx`from zone_monitors m cross join unnest(m.regions) region`
    /** Checks of each hour within an incident, one in five minutes. */
    const failures = tx`
      select i.zone_id, hour, least(12, ceil(sum(extract(epoch from least(i.closed_at, hour + interval '1 hour') - greatest(i.opened_at, hour))) / 300))::int as failed
      from incidents i
      cross join generate_series(date_trunc('hour', i.opened_at, 'UTC'), date_trunc('hour', i.closed_at, 'UTC'), interval '1 hour') hour
      where i.closed_at is not null and i.cause = 'code:http_status' group by 1, 2`
    const failed = tx`case when region in ('EUROPE', 'ASIA') then coalesce(f.failed, 0) else 0 end`
    await untilStopped(tx`
      insert into check_days (zone_id, region, day, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
      select m.zone_id, region, at, 288, ${failed}, ${phases} ${views}
      cross join generate_series(date_trunc('day', now(), 'UTC') - interval '89 days', date_trunc('day', now(), 'UTC') - interval '1 day', '1 day') at
      left join (select zone_id, date_trunc('day', hour, 'UTC') as day, sum(failed)::int as failed from (${failures}) h group by 1, 2) f
        on f.zone_id = m.zone_id and f.day = at
      on conflict do nothing`)
    await untilStopped(tx`
      insert into check_hours (zone_id, region, hour, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
      select m.zone_id, region, at, 12, ${failed}, ${phases} ${views}
      cross join generate_series(date_trunc('day', now(), 'UTC') - interval '8 days', date_trunc('hour', now(), 'UTC') - interval '1 hour', '1 hour') at
      left join (${failures}) f on f.zone_id = m.zone_id and f.hour = at
      on conflict do nothing`)
  })
  log.info('created the demo history')
}
