import type { Services } from '#server/platform/context.ts'
import { prepareHistory } from '#server/features/monitoring/index.ts'

const dayMs = 86_400_000
const retryMs = 3_000

/**
 * A past for the demo's domains, as soon as they are watched: three months of days, two weeks of hours, and incidents that are over. Made up
 * from their ids, so that it is the same at every start; real checks go on from it.
 */
export async function seedHistory({ db, clock, log, stopping }: Services, ownerEmail: string): Promise<void> {
  const owned = async () => {
    const [row] = await db.sql<{ id: string; syncing: boolean; watched: number; told: boolean }[]>`
      select u.id, exists (select from accounts a where a.owner_id = u.id and a.synced_at is null and a.health = 'working') as syncing,
        (select count(*)::int from zone_monitors m where m.owner_id = u.id) as watched,
        exists (select from incidents i where i.owner_id = u.id and i.closed_at is not null) as told
      from users u where u.email = ${ownerEmail}`
    return row
  }
  let found = await owned()
  for (let watched = -1; found !== undefined && (found.watched < 100 || found.watched !== watched); found = await owned()) {
    watched = found.watched
    if (stopping.aborted) return
    await clock.sleep(retryMs, stopping).catch(() => undefined)
  }
  if (found === undefined || found.told || stopping.aborted) return
  const now = clock.now()
  await prepareHistory(db, now - 90 * dayMs, now)
  const share = db.sql.unsafe(`(get_byte(uuid_send(m.zone_id), 15) + extract(day from at)::int * 7) % 97`)
  const ms = db.sql.unsafe(`(60 + get_byte(uuid_send(m.zone_id), 14) + (extract(epoch from at)::bigint / 3600 * 13) % 40)::int`)
  const phases = db.sql`8 + ${ms} % 9, ${ms} / 6, ${ms} / 4, ${ms} / 3, ${ms}, ${ms} * 3`
  const views = db.sql`from zone_monitors m cross join unnest(m.regions) region`
  await db.sql`
    insert into check_days (zone_id, region, day, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
    select m.zone_id, region, at, 288, case when ${share} = 0 then 20 when ${share} = 1 then 3 else 0 end, ${phases} ${views}
    cross join generate_series(date_trunc('day', now(), 'UTC') - interval '89 days', date_trunc('day', now(), 'UTC') - interval '3 days', '1 day') at
    where m.owner_id = ${found.id} on conflict do nothing`
  await db.sql`
    insert into check_hours (zone_id, region, hour, checks, failed, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, max_total_ms)
    select m.zone_id, region, at, 12, case when ${share} = 0 and extract(hour from at) = 3 then 12 else 0 end, ${phases} ${views}
    cross join generate_series(date_trunc('day', now(), 'UTC') - interval '2 days', date_trunc('hour', now()) - interval '1 hour', '1 hour') at
    where m.owner_id = ${found.id} on conflict do nothing`
  await db.sql`
    insert into incidents (id, owner_id, zone_id, account_id, group_id, name, health, reasons, cause, opened_at, closed_at, open_taken_at, close_taken_at, told, timeline)
    select uuidv7(z.opened - now()), z.owner_id, z.id, z.account_id, z.group_id, z.name, 'critical', z.reasons, 'code:http_status', z.opened,
      z.opened + (3 + z.n % 50) * interval '1 minute', z.opened, z.opened + interval '1 hour', true,
      jsonb_build_array(jsonb_build_object('at', z.opened, 'kind', 'opened', 'reasons', z.reasons),
        jsonb_build_object('at', z.opened + (3 + z.n % 50) * interval '1 minute', 'kind', 'closed'))
    from (
      select z.*, get_byte(uuid_send(z.id), 15) + get_byte(uuid_send(z.id), 14) as n,
        now() - ((get_byte(uuid_send(z.id), 13) * 75 + 90) * interval '1 minute') as opened,
        jsonb_build_array(jsonb_build_object('code', 'http_status', 'params', jsonb_build_object('status', 502), 'regions', '["EUROPE","ASIA"]'::jsonb)) as reasons
      from zones z where z.owner_id = ${found.id} and z.gone_at is null
    ) z join zone_monitors m on m.zone_id = z.id where z.n % 29 = 0`
  log.info('the demo has a past')
}
