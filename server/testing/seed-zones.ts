import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/client.ts'

export interface ZoneSeed {
  readonly ownerId: string
  readonly count: number
  /** Number of accounts and groups they are spread over; about every third zone has no group. */
  readonly accounts?: number
  readonly groups?: number
  /** Prefix of the names, so that owners do not share them. */
  readonly prefix?: string
  /** Their records and settings are to be read again, and a user waits for that. */
  readonly due?: boolean
}

/**
 * Thousands of zones in one statement. Properties are independent of each other (from a hash of the row's number, so runs are
 * reproducible): common, rare and absent values, equal sort keys, internationalized names.
 */
export async function seedZones({ sql }: Database, seed: ZoneSeed): Promise<{ accountIds: string[]; groupIds: string[] }> {
  const { ownerId, count } = seed
  const accountIds = Array.from({ length: seed.accounts ?? 100 }, () => randomUUID())
  const groupIds = Array.from({ length: seed.groups ?? 12 }, () => randomUUID())
  const prefix = seed.prefix ?? ''
  await sql`
    insert into accounts (id, owner_id, name, email, kind, api_key_sealed, credential_hash, health, synced_at)
    select id, ${ownerId}, 'Account ' || i, 'ops' || i || '@team' || i % 7 || '.example', 'global_key', 'v1.none', id::text, 'working', now()
    from unnest(${accountIds}::uuid[]) with ordinality as a (id, i)`
  await sql`
    insert into groups (id, owner_id, name, color) select id, ${ownerId}, 'Group ' || i, '#4c6ef5' from unnest(${groupIds}::uuid[]) with ordinality as g (id, i)`
  await sql`
    insert into zones (owner_id, account_id, group_id, zone_id, name, search, status, provider_status, plan, name_servers, ssl_mode, tls_min, https, hsts,
      security_level, records_count, proxied_count, origin_ips, health, provider_created_at, provider_modified_at, listed_at,
      records_read_at, settings_read_at, records_due_at, settings_due_at, wanted_at, protection, origin_expires_at, origin_soon_at, requests)
    select ${ownerId}, (${accountIds}::uuid[])[1 + d[1] % ${accountIds.length}::int],
      case when ${groupIds.length}::int = 0 or d[2] % 3 = 0 then null else (${groupIds}::uuid[])[1 + d[3] % ${groupIds.length}::int] end,
      md5(${prefix} || i), name, case when name like 'xn--e1afmkfd-%' then name || E'\n' || replace(name, 'xn--e1afmkfd-', 'пример-') else name end,
      status, status::text, case when d[4] % 20 = 0 then 'Pro Website' else 'Free Website' end,
      array['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
      case when read then (array['flexible', 'flexible', 'flexible', 'flexible', 'flexible', 'full', 'full', 'full', 'strict', 'off'])[1 + d[5] % 10] end,
      case when read then (array['1.0', '1.0', '1.0', '1.0', '1.0', '1.2', '1.2', '1.2', '1.1', '1.3'])[1 + d[6] % 10] end,
      case when read then d[7] % 4 > 0 end, case when read then d[8] % 10 = 0 end,
      case when read then case when d[9] % 500 = 0 then 'under_attack' else
        (array['medium', 'medium', 'medium', 'medium', 'medium', 'medium', 'high', 'low', 'essentially_off'])[1 + d[9] % 9] end end,
      case when read then 2 + d[10] % 40 end, case when read then d[10] % 3 else 0 end,
      case when read then array['203.0.113.' || d[11] % 250, '198.51.' || d[12] % 250 || '.' || d[13] % 250] else '{}' end,
      case d[14] % 100 when 0 then 'critical' when 1 then 'warnings' when 2 then 'unknown' else 'ok' end::health,
      now() - d[15] % 2000 * interval '1 hour', now() - d[16] % 200000 * interval '1 minute', now(),
      case when read then now() end, case when read then now() end, due.at, due.at, due.at,
      -- Bots at random, and DNSSEC with an error for one in five hundred; their layout is in protection.ts.
      case when read then (d[5] / 10 % 3) | (d[6] / 10 % 5 << 2) | (d[7] / 4 % 3 << 5) | (d[8] / 10 % 3 << 7)
        | (case d[13] / 250 % 500 when 0 then 5 else (array[1, 1, 1, 1, 2, 3, 3, 3, 4, 6])[1 + d[12] / 250 % 10] end << 9) else 0 end,
      expires_at,
      -- One in seven certificates is valid for a week only.
      expires_at - case when d[2] / 29 % 7 = 0 then interval '56 hours' else interval '30 days' end,
      case when read then case when d[4] / 20 % 8 = 0 then 0 else d[4] / 20 % 3000 end end
    from (
      select i, (array['market', 'cloud', 'garden', 'photo', 'travel', 'coffee', 'pixel', 'nordic', 'velvet', 'xn--e1afmkfd'])[1 + abs(hashint4(i * 31)) % 10]
        || '-' || (array['shop', 'studio', 'house', 'world', 'point', 'store', 'works', 'zone'])[1 + abs(hashint4(i * 37)) % 8]
        || '-' || ${prefix} || i || (array['.com', '.net', '.org', '.io', '.example'])[1 + abs(hashint4(i * 41)) % 5] as name,
        (case abs(hashint4(i * 43)) % 50 when 0 then 'error' when 1 then 'initializing' when 2 then 'pending' when 3 then 'pending' when 4 then 'pending' else 'active' end)::zone_status as status,
        array(select abs(hashint4(i * 16 + k)) from generate_series(1, 16) k) as d,
        abs(hashint4(i * 47)) % 50 > 0 as read
      from generate_series(1, ${count}::int) i
    ) as drawn, lateral (
      -- Certificates of Origin CA: most domains have none, some are unread, one in fifty expires within a month, one in a hundred has expired.
      select case when read then case d[1] / 100 % 100 when 0 then now() - d[2] % 9000 * interval '1 minute' when 1 then now() + d[2] % 29 * interval '1 day'
        when 2 then now() + d[2] % 29 * interval '1 day' else case when d[1] / 100 % 100 < 20 then now() + (40 + d[2] % 5000) * interval '1 day'
        when d[1] / 100 % 100 < 90 then 'infinity'::timestamptz end end end as expires_at
    ) as origin, (select case when ${seed.due ?? false} then now() end as at) as due`
  await sql`analyze zones`
  return { accountIds, groupIds }
}
