import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import { groups, zones, zoneSettings, zoneSsl } from '#server/db/schema/index.ts'
import { certificate, verification } from '#shared/features/domains/settings/schema.ts'
import type { SslState } from '#shared/features/domains/settings/schema.ts'
import { storedSettings } from '../mirror/settings.repo.ts'
import type { ListedSettings, StoredSetting } from '../mirror/settings.repo.ts'

/** The mirror's settings of these zones with their owners; zones that no longer exist are left out. */
export async function listSettings(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .select({
      id: zones.id,
      accessTarget: { ownerId: zones.ownerId, accountId: zones.accountId, groupId: zones.groupId },
      ssl: zones.sslMode,
      minTlsVersion: zones.tlsMin,
      alwaysUseHttps: zones.https,
      hsts: zones.hsts,
      securityLevel: zones.securityLevel,
      universalSsl: zoneSsl.universalEnabled,
      developmentMode: zones.developmentMode,
      listedAt: zones.listedAt,
      readAt: zones.settingsReadAt,
      values: zoneSettings.values,
    })
    .from(zones)
    .leftJoin(zoneSettings, eq(zoneSettings.domainId, zones.id))
    .leftJoin(zoneSsl, eq(zoneSsl.domainId, zones.id))
    .where(sql`${zones.id} = any(${sql.param([...ids])}::uuid[])`)
  return rows.map((row) => ({ ...row, values: storedSettings.parse(row.values ?? {}) }))
}
export type MirroredSettings = Awaited<ReturnType<typeof listSettings>>[number]

export const findSettings = async (db: Queryable, id: string): Promise<MirroredSettings | null> => (await listSettings(db, [id]))[0] ?? null

const modifiedNow = sql`greatest(${zones.providerModifiedAt}, now())`

/** Writes the provider's answers into the mirror, with `modified` as a change by the panel; false if the zone was deleted in the meantime. */
export async function updateSettings(
  db: Queryable,
  id: string,
  values: Readonly<Record<string, StoredSetting>>,
  { protection, ...listed }: ListedSettings & { developmentMode?: number },
  modified: boolean,
): Promise<boolean> {
  const changes = {
    ...listed,
    ...(protection.mask === 0 ? {} : { protection: sql`${zones.protection} & ~${protection.mask}::int | ${protection.bits}::int` }),
    // The seconds of a running development mode count from when the zone was read.
    ...(listed.developmentMode === undefined ? {} : { listedAt: sql`now()` }),
    ...(modified ? { providerModifiedAt: modifiedNow } : {}),
  }
  const rows =
    Object.keys(changes).length === 0
      ? await db.select({ id: zones.id }).from(zones).where(eq(zones.id, id)).for('no key update')
      : await db.update(zones).set(changes).where(eq(zones.id, id)).returning({ id: zones.id })
  if (rows.length === 0) return false
  if (Object.keys(values).length > 0) {
    await db
      .insert(zoneSettings)
      .values({ domainId: id, values, readAt: sql`now()` })
      .onConflictDoUpdate({ target: zoneSettings.domainId, set: { values: sql`${zoneSettings.values} || excluded."values"` } })
  }
  return true
}

/** Marks the settings as due, because the effect of an interrupted call is unknown. */
export async function updateSettingsDue(db: Queryable, id: string): Promise<void> {
  await db
    .update(zones)
    .set({ settingsDueAt: sql`now()`, wantedAt: null })
    .where(eq(zones.id, id))
}

export async function updatePageRulesUsed(db: Queryable, id: string, count: number): Promise<void> {
  await db.update(zoneSettings).set({ pageRulesUsed: count }).where(eq(zoneSettings.domainId, id))
}

/** May be written by any version of the panel. */
const writtenSsl = z.object({ certificates: z.array(certificate).catch([]), verification: z.array(verification).catch([]) })

/** Certificates as last read; null before the first reading. */
export async function findSsl(db: Queryable, id: string): Promise<SslState | null> {
  const [row] = await db.select().from(zoneSsl).where(eq(zoneSsl.domainId, id))
  if (row === undefined) return null
  const { certificates, verification } = writtenSsl.parse(row)
  return { universalEnabled: row.universalEnabled, certificates, verification, readAt: row.readAt?.toISOString() ?? null }
}

/** Writes nothing for a zone that was deleted in the meantime. */
export async function upsertSsl(db: Queryable, id: string, ssl: Omit<SslState, 'readAt'>): Promise<void> {
  const locked = await db.select({ id: zones.id }).from(zones).where(eq(zones.id, id)).for('key share')
  if (locked.length === 0) return
  const row = { ...ssl, readAt: sql`now()` }
  await db
    .insert(zoneSsl)
    .values({ domainId: id, ...row })
    .onConflictDoUpdate({ target: zoneSsl.domainId, set: row })
}

/** Universal SSL only; the certificates are read later. */
export async function upsertUniversal(db: Queryable, id: string, enabled: boolean): Promise<void> {
  await db
    .insert(zoneSsl)
    .values({ domainId: id, universalEnabled: enabled })
    .onConflictDoUpdate({ target: zoneSsl.domainId, set: { universalEnabled: enabled } })
}

/** `stay`: locks them, so that none is deleted during the transaction. */
export async function listGroupsById(
  db: Queryable,
  ids: readonly string[],
  stay: boolean,
): Promise<Map<string, { readonly name: string; readonly ownerId: string }>> {
  if (ids.length === 0) return new Map()
  const found = db
    .select({ id: groups.id, name: groups.name, ownerId: groups.ownerId })
    .from(groups)
    .where(inArray(groups.id, [...new Set(ids)]))
  const rows = await (stay ? found.for('key share') : found)
  return new Map(rows.map(({ id, ...group }) => [id, group]))
}

/** The previous groups of the zones; deleted zones are left out. */
export async function updateGroups(
  db: Queryable,
  moves: readonly { readonly id: string; readonly groupId: string | null }[],
): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ id: zones.id, groupId: zones.groupId })
    .from(zones)
    .where(sql`${zones.id} = any(${sql.param(moves.map(({ id }) => id))}::uuid[])`)
    .orderBy(zones.id)
    .for('no key update')
  await db.execute(sql`
    update zones z set group_id = m."groupId" from json_to_recordset(${JSON.stringify(moves)}::text::json) as m (id uuid, "groupId" uuid)
    where z.id = m.id and z.group_id is distinct from m."groupId"`)
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}

export async function updatePaused(db: Queryable, id: string, paused: boolean): Promise<boolean | undefined> {
  const [row] = await db.select({ paused: zones.paused }).from(zones).where(eq(zones.id, id)).for('no key update')
  if (row === undefined) return undefined
  if (row.paused !== paused) await db.update(zones).set({ paused, providerModifiedAt: modifiedNow }).where(eq(zones.id, id))
  return row.paused
}

/** Removes the zone from the panel; false if it was already removed. */
export async function deleteZone(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.delete(zones).where(eq(zones.id, id)).returning({ id: zones.id })
  return rows.length > 0
}
