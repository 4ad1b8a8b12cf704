import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, normalizeForSearch } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { groups, zones } from '#server/db/schema/zones.ts'
import type { DomainId } from '#shared/ids.ts'

/** A named set of settings, records and rules for domains. */
export const profiles = pgTable(
  'profiles',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** `SettingsPatch` */
    settings: jsonb('settings').notNull().default({}),
    /** `RecordInput[]`, their names relative to the domain (`@`, `www`). */
    records: jsonb('records').notNull().default([]),
    /** `ProfileRule[]` */
    rules: jsonb('rules').notNull().default([]),
    /** `ProfileVariable[]` */
    variables: jsonb('variables').notNull().default([]),
    version: integer('version').notNull().default(1),
    /** Applied to new domains; at most one per owner. */
    isDefault: boolean('is_default').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('profiles_name').on(t.ownerId, normalizeForSearch(t.name)),
    uniqueIndex('profiles_default')
      .on(t.ownerId)
      .where(sql`${t.isDefault}`),
  ],
)

/** The rules of former versions of a profile: operations that were planned with one apply it, even if the profile has changed since. */
export const profileVersions = pgTable(
  'profile_versions',
  {
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    /** `ProfileRule[]` */
    rules: jsonb('rules').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.profileId, t.version] })],
)

/** The profile last applied to a domain. */
export const zoneProfiles = pgTable(
  'zone_profiles',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .primaryKey()
      .references(() => zones.id, { onDelete: 'cascade' }),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    appliedAt: instant('applied_at').notNull().defaultNow(),
    /** The version of the profile that was applied; null before versions were counted. */
    version: integer('version'),
  },
  (t) => [index('zone_profiles_profile').on(t.profileId)],
)

/** The values that variables of a profile have in the domains of a group. */
export const groupProfileValues = pgTable(
  'group_profile_values',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** `OwnValues` */
    values: jsonb('values').notNull(),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.profileId] }), index('group_profile_values_profile').on(t.profileId)],
)

/** The values that variables of a profile have in one domain, whether or not it has the profile already. */
export const zoneProfileValues = pgTable(
  'zone_profile_values',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** `OwnValues` */
    values: jsonb('values').notNull(),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.profileId] }), index('zone_profile_values_profile').on(t.profileId)],
)
