import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '#server/db/client.ts'
import { normalizeForSearch, personLabelSql } from '#server/db/columns.ts'
import {
  groupProfileValues,
  groups,
  profiles,
  profileVersions,
  trackerBindings,
  trackers,
  users,
  zoneProfiles,
  zoneProfileValues,
  zones,
} from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ProfileRecord, ProfileRule, ProfileSettings } from '#shared/features/profiles/schema.ts'
import type { DomainId } from '#shared/ids.ts'
import type { OwnValues, ProfileVariable } from '#shared/features/profiles/variables.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'

/** Restricts to the profiles that the actor may access. */
const ownedBy = (actor: UserActor): SQL | undefined => (actor.role === 'admin' ? undefined : eq(profiles.ownerId, actor.userId))

const shownColumns = {
  id: profiles.id,
  ownerId: profiles.ownerId,
  ownerName: personLabelSql,
  name: profiles.name,
  // Written by the schema that reads them.
  settings: sql<ProfileSettings>`${profiles.settings}`,
  records: sql<ProfileRecord[]>`${profiles.records}`,
  rules: sql<ProfileRule[]>`${profiles.rules}`,
  variables: sql<ProfileVariable[]>`${profiles.variables}`,
  version: profiles.version,
  isDefault: profiles.isDefault,
  domains: sql<number>`(select count(*)::int from ${zoneProfiles} where ${zoneProfiles.profileId} = ${profiles.id})`,
  createdAt: profiles.createdAt,
  updatedAt: profiles.updatedAt,
}
const selectShown = (db: Queryable) => db.select(shownColumns).from(profiles).innerJoin(users, eq(users.id, profiles.ownerId))
export type ShownProfile = Awaited<ReturnType<typeof selectShown>>[number]

export const listShown = (db: Queryable, actor: UserActor): Promise<ShownProfile[]> =>
  selectShown(db).where(ownedBy(actor)).orderBy(normalizeForSearch(profiles.name), profiles.id)

/**
 * The profile of a domain, for any user who sees the domain.
 * @throws AppError not_found
 */
export async function getOf(db: Queryable, id: string): Promise<ShownProfile> {
  const [row] = await selectShown(db).where(eq(profiles.id, id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** @throws AppError not_found, also for a profile of another user. */
export async function getShown(db: Queryable, actor: UserActor, id: string): Promise<ShownProfile> {
  const [row] = await selectShown(db).where(and(eq(profiles.id, id), ownedBy(actor)))
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function findDefault(db: Queryable, ownerId: string): Promise<ShownProfile | null> {
  const [row] = await selectShown(db).where(and(eq(profiles.ownerId, ownerId), profiles.isDefault))
  return row ?? null
}

/**
 * Locked until the transaction ends.
 * @throws AppError not_found
 */
export async function lockProfile(tx: Transaction, actor: UserActor, id: string): Promise<void> {
  const rows = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.id, id), ownedBy(actor)))
    .for('update')
  if (rows.length === 0) throw new AppError('not_found')
}

const sameName = (name: string) => eq(normalizeForSearch(profiles.name), normalizeForSearch(sql`${name}::text`))

/** Null if the owner has another profile of this name. */
export async function insertProfile(
  tx: Transaction,
  row: Pick<typeof profiles.$inferInsert, 'ownerId' | 'name' | 'settings' | 'records' | 'rules' | 'variables'>,
): Promise<string | null> {
  const [inserted] = await tx.insert(profiles).values(row).onConflictDoNothing().returning({ id: profiles.id })
  return inserted?.id ?? null
}

/** The rules of a version of a profile; null if the profile was deleted. */
export async function findRulesOfVersion(db: Queryable, profileId: string, version: number): Promise<readonly ProfileRule[] | null> {
  const [row] = await db
    .select({ rules: sql<ProfileRule[]>`coalesce(${profileVersions.rules}, ${profiles.rules})` })
    .from(profiles)
    .leftJoin(profileVersions, and(eq(profileVersions.profileId, profiles.id), eq(profileVersions.version, version)))
    .where(and(eq(profiles.id, profileId), or(eq(profiles.version, version), isNotNull(profileVersions.version))))
  return row?.rules ?? null
}

export async function hasName(db: Queryable, ownerId: string, name: string, exceptId?: string): Promise<boolean> {
  const rows = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.ownerId, ownerId), sameName(name)))
  return rows.some(({ id }) => id !== exceptId)
}

/** Keeps the rules of the version before for operations that were planned with it; no operation is older than these. */
export async function updateProfileRow(
  tx: Transaction,
  id: string,
  changes: Required<Pick<typeof profiles.$inferInsert, 'name' | 'settings' | 'records' | 'rules' | 'variables' | 'version'>>,
): Promise<void> {
  await tx.execute(sql`
    insert into profile_versions (profile_id, version, rules)
    select id, version, rules from profiles where id = ${id} and version <> ${changes.version}
    on conflict do nothing`)
  await tx.execute(sql`delete from profile_versions where profile_id = ${id} and created_at < now() - interval '90 days'`)
  await tx
    .update(profiles)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(profiles.id, id))
}

/** Makes this the owner's default profile, or removes the default. */
export async function updateDefault(tx: Transaction, { id, ownerId }: ShownProfile, isDefault: boolean): Promise<void> {
  // Serialized per owner: two concurrent defaults would violate the unique index.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`profiles ${ownerId}`}, 0))`)
  await tx
    .update(profiles)
    .set({ isDefault: false })
    .where(and(eq(profiles.ownerId, ownerId), profiles.isDefault))
  if (isDefault) await tx.update(profiles).set({ isDefault }).where(eq(profiles.id, id))
}

export async function deleteProfile(tx: Transaction, id: string): Promise<void> {
  await tx.delete(profiles).where(eq(profiles.id, id))
}

export async function listProfileIds(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.select({ id: profiles.id }).from(profiles).where(eq(profiles.ownerId, ownerId))
  return new Set(rows.map(({ id }) => id))
}

export const listProfileNames = (db: Queryable, ownerId: string): Promise<{ id: string; name: string }[]> =>
  db.select({ id: profiles.id, name: profiles.name }).from(profiles).where(eq(profiles.ownerId, ownerId))

/** The ids of all profiles of the owners of these zones. */
export async function listProfileIdsFor(db: Queryable, domainIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: profiles.id })
    .from(profiles)
    .where(sql`${profiles.ownerId} in (select z.owner_id from zones z where z.id = any(${sql.param([...domainIds])}::uuid[]))`)
  return rows.map(({ id }) => id)
}

// ---- domains with a profile

/** By zone. */
export async function listProfilesOf(db: Queryable, domainIds: readonly string[]) {
  const rows = await db
    .select({
      domainId: zoneProfiles.domainId,
      id: profiles.id,
      name: profiles.name,
      appliedAt: zoneProfiles.appliedAt,
      version: zoneProfiles.version,
      currentVersion: profiles.version,
      hasRules: sql<boolean>`jsonb_array_length(${profiles.rules}) > 0`,
    })
    .from(zoneProfiles)
    .innerJoin(profiles, eq(profiles.id, zoneProfiles.profileId))
    .where(sql`${zoneProfiles.domainId} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(rows.map(({ domainId, ...profile }) => [domainId, profile]))
}

export type ProfiledZone = Pick<typeof zones.$inferSelect, 'id' | 'name'> & { readonly recordsRead: boolean }

/** The domains of a profile by name, after the zone `after`. */
export const listZonesOf = (db: Queryable, profileId: string, limit: number, after?: string): Promise<ProfiledZone[]> =>
  db
    .select({ id: zones.id, name: zones.name, recordsRead: sql<boolean>`${zones.recordsReadAt} is not null` })
    .from(zoneProfiles)
    .innerJoin(zones, eq(zones.id, zoneProfiles.domainId))
    .where(
      and(
        eq(zoneProfiles.profileId, profileId),
        after === undefined ? undefined : sql`(${zones.name}, ${zones.id}) > (select z.name, z.id from zones z where z.id = ${after})`,
      ),
    )
    .orderBy(zones.name, zones.id)
    .limit(limit)

export async function listDomainIdsOf(db: Queryable, profileId: string): Promise<string[]> {
  const rows = await db.select({ id: zoneProfiles.domainId }).from(zoneProfiles).where(eq(zoneProfiles.profileId, profileId))
  return rows.map(({ id }) => id)
}

interface ProfileOfZone {
  readonly domainId: string
  readonly profileId: string
  readonly version: number | null
}

/** Records that domains have a profile; leaves out those of which either was deleted. */
export async function upsertZoneProfiles(tx: Queryable, rows: readonly ProfileOfZone[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into zone_profiles (zone_id, profile_id, applied_at, version)
    select z.id, p.id, now(), given.version
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as given ("domainId" uuid, "profileId" uuid, version int)
    join zones z on z.id = given."domainId"
    join profiles p on p.id = given."profileId" and p.owner_id = z.owner_id
    order by z.id
    on conflict (zone_id) do update set profile_id = excluded.profile_id, applied_at = excluded.applied_at, version = excluded.version`)
}

export async function deleteZoneProfiles(tx: Queryable, domainIds: readonly string[]): Promise<void> {
  if (domainIds.length > 0) await tx.delete(zoneProfiles).where(sql`${zoneProfiles.domainId} = any(${sql.param([...domainIds])}::uuid[])`)
}

/** Records of many zones at these names, relative to each zone (`@`, `www`): all that a profile may affect. */
export async function listRecordsAt(
  { sql: pool }: Database,
  domainIds: readonly string[],
  names: readonly string[],
): Promise<Map<string, DnsRecord[]>> {
  if (names.length === 0) return new Map()
  const rows = await pool<(DnsRecord & { domainId: string; recordId: string; modifiedAt: Date | string | null })[]>`
    select r.zone_id, r.record_id, r.type, r.name, r.content, r.ttl, r.proxied, r.proxiable, r.priority, r.comment, r.tags, r.data, r.modified_at
    from zones z join dns_records r on r.zone_id = z.id
    where z.id = any(${[...domainIds]}::uuid[])
      and (case when r.name = z.name then '@' else left(r.name, -length(z.name) - 1) end) = any(${[...names]}::text[])`
  const byZone = new Map<string, DnsRecord[]>()
  for (const { domainId, recordId, modifiedAt, ...record } of rows) {
    const list = byZone.get(domainId) ?? []
    list.push({ ...record, id: recordId, modifiedAt: modifiedAt === null ? null : new Date(modifiedAt).toISOString() })
    byZone.set(domainId, list)
  }
  return byZone
}

/** What the rules of a profile depend on. */
export interface RuleContext {
  readonly plan: string | null
  readonly trackerHost: string | null
  readonly ofGroup: OwnValues
  readonly ofDomain: OwnValues
}

/** What the rules of a profile depend on, by zone; a profile that is not stored has no id. */
export async function listRuleContexts(
  db: Queryable,
  domainIds: readonly string[],
  profileId: string | null,
): Promise<Map<string, RuleContext>> {
  const ofProfile = sql`${profileId}::uuid`
  const rows = await db
    .select({
      id: zones.id,
      plan: zones.plan,
      trackerUrl: trackers.url,
      ofGroup: sql<OwnValues>`coalesce(${groupProfileValues.values}, '{}')`,
      ofDomain: sql<OwnValues>`coalesce(${zoneProfileValues.values}, '{}')`,
    })
    .from(zones)
    .leftJoin(trackerBindings, eq(trackerBindings.domainId, zones.id))
    .leftJoin(trackers, eq(trackers.id, trackerBindings.trackerId))
    .leftJoin(groupProfileValues, and(eq(groupProfileValues.groupId, zones.groupId), eq(groupProfileValues.profileId, ofProfile)))
    .leftJoin(zoneProfileValues, and(eq(zoneProfileValues.domainId, zones.id), eq(zoneProfileValues.profileId, ofProfile)))
    .where(sql`${zones.id} = any(${sql.param([...domainIds])}::uuid[])`)
  return new Map(
    rows.map(({ id, trackerUrl, ...row }) => [
      id,
      { ...row, trackerHost: trackerUrl === null ? null : (URL.parse(trackerUrl)?.hostname ?? null) },
    ]),
  )
}

// ---- values of variables

/** A group of this owner, whose values are set. */
export async function findGroup(
  db: Queryable,
  id: string,
  ownerId: string,
): Promise<{ readonly id: string; readonly name: string } | null> {
  const [row] = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(eq(groups.id, id), eq(groups.ownerId, ownerId)))
  return row ?? null
}

export async function findGroupValues(db: Queryable, groupId: string, profileId: string): Promise<OwnValues> {
  const [row] = await db
    .select({ values: sql<OwnValues>`${groupProfileValues.values}` })
    .from(groupProfileValues)
    .where(and(eq(groupProfileValues.groupId, groupId), eq(groupProfileValues.profileId, profileId)))
  return row?.values ?? {}
}

/** A group or a domain with values of its own. */
export type ValuesOwner = { readonly kind: 'group'; readonly id: string } | { readonly kind: 'domain'; readonly id: DomainId }
const valuesTables = {
  group: { table: groupProfileValues, ownerId: sql`group_id` },
  domain: { table: zoneProfileValues, ownerId: sql`zone_id` },
}

/** The owner's values, locked until the end of the transaction: somebody else may set other variables. */
export async function lockValues(tx: Queryable, { kind, id }: ValuesOwner, profileId: string): Promise<OwnValues> {
  const { table, ownerId } = valuesTables[kind]
  const [row] = await tx.execute<{ values: OwnValues }>(sql`
    insert into ${table} (${ownerId}, profile_id, values) values (${id}, ${profileId}, '{}')
    on conflict (${ownerId}, profile_id) do update set values = ${table}.values returning values`)
  return row?.values ?? {}
}

/** Of a row that is locked. */
export async function updateValues(tx: Queryable, { kind, id }: ValuesOwner, profileId: string, values: OwnValues): Promise<void> {
  const { table, ownerId } = valuesTables[kind]
  await tx.execute(sql`
    update ${table} set values = ${JSON.stringify(values)}::text::jsonb where ${ownerId} = ${id} and profile_id = ${profileId}`)
}
