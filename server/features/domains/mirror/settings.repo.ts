import { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import type { zones } from '#server/db/schema/index.ts'
import { toJson } from '#server/db/client.ts'
import type { ProtectionPart } from '#shared/features/domains/protection.ts'
import { lockZones } from './details.repo.ts'
import type { DetailItem } from './details.repo.ts'

/**
 * A stored setting, possibly written by another version of the panel. Without `editable` the provider decides whether it can be changed.
 */
const storedSetting = z.object({
  value: z.unknown(),
  editable: z.boolean().catch(true),
  modifiedOn: z.string().nullable().catch(null),
  /** What the provider reports besides the value. A difference is not a change of the setting. */
  details: z.unknown().optional(),
})
export type StoredSetting = z.infer<typeof storedSetting>
/** By the provider's ids. */
export const storedSettings = z.record(z.string(), storedSetting).catch({})

/** The list columns derived from settings; absent if those were not read, and of `protection` only the bits that were. */
export type ListedSettings = Partial<Pick<typeof zones.$inferInsert, 'sslMode' | 'tlsMin' | 'https' | 'hsts' | 'securityLevel'>> & {
  readonly protection: ProtectionPart
}

export interface SettingsRead extends DetailItem {
  readonly part: 'settings'
  readonly listed: ListedSettings
  readonly values: Readonly<Record<string, StoredSetting>>
}

/** Writes the settings of many zones, like `replaceRecords`. A setting that was not read this time keeps its value. */
export async function updateSettings(db: Database, batch: readonly SettingsRead[]): Promise<void> {
  const rows = batch.map(({ id, due, asOf, listed: { protection, ...listed }, values }) => ({
    id,
    due,
    as_of: asOf,
    ...listed,
    ...protection,
    values,
  }))
  await db.sql.begin(async (tx) => {
    await lockZones(tx, batch)
    await tx`
    with incoming as materialized (
      select * from json_to_recordset(${toJson(rows)}::text::json) as i (id uuid, due timestamptz, as_of timestamptz,
        "sslMode" text, "tlsMin" text, https boolean, hsts boolean, "securityLevel" text, bits integer, mask integer, "values" jsonb)
    ),
    zone as materialized (
      select z.id from incoming i join zones z on z.id = i.id
      where (z.settings_read_at is null or z.settings_read_at < i.as_of) and not exists (
        select from zone_changes c where c.zone_id = z.id and c.at >= i.as_of and c.subject = 'setting' and c.source <> 'outside')
    ),
    written as (
      insert into zone_settings as s (zone_id, "values", read_at)
      select i.id, i."values", now() from incoming i join zone on zone.id = i.id order by i.id
      on conflict (zone_id) do update set "values" = s."values" || excluded."values", read_at = excluded.read_at
      returning new.zone_id, old."values" as was, new."values" as now
    ),
    recorded as (
      insert into zone_changes (zone_id, source, subject, key, label, before, after)
      select w.zone_id, 'outside', 'setting', n.key, n.key,
        jsonb_build_object('value', w.was -> n.key -> 'value'), jsonb_build_object('value', n.value -> 'value')
      from written w, jsonb_each(w.now) as n
      where w.was ? n.key and w.was -> n.key -> 'value' is distinct from n.value -> 'value'
      returning zone_id
    )
    update zones z set
      ssl_mode = coalesce(i."sslMode", z.ssl_mode), tls_min = coalesce(i."tlsMin", z.tls_min), https = coalesce(i.https, z.https),
      hsts = coalesce(i.hsts, z.hsts), security_level = coalesce(i."securityLevel", z.security_level), protection = z.protection & ~i.mask | i.bits,
      settings_read_at = now(),
      provider_modified_at = case when z.id in (select zone_id from recorded) then greatest(z.provider_modified_at, now()) else z.provider_modified_at end,
      settings_due_at = case when z.settings_due_at = i.due then null else z.settings_due_at end, detail_failures = 0,
      wanted_at = null
    from incoming i join zone on zone.id = i.id where z.id = i.id`
  })
}
