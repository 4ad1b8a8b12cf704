import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'

export const actionEnum = pgEnum('activity_action', activityAction.enum)
/** A person in the browser, their token, their operation, the panel itself, or an unauthenticated caller. */
export const actorKindEnum = pgEnum('activity_actor', activityActorKind.enum)
export const entityTypeEnum = pgEnum('activity_entity', activityEntity.enum)

/**
 * Append-only. `owner_id` owns the affected resources; `actor` made the change. Without foreign keys: entries of deleted users and their
 * resources stay until the retention period ends. Ordered by `id`, which contains the time.
 */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    ownerId: uuid('owner_id'),
    actorId: uuid('actor_id'),
    actorName: text('actor_name').notNull(),
    actorKind: actorKindEnum('actor_kind').notNull().default('user'),
    /** The acting token or operation. */
    actorVia: uuid('actor_via'),
    action: actionEnum('action').notNull(),
    entityType: entityTypeEnum('entity_type').notNull(),
    /** Action, entity type, kind of actor and whether it is the owner, packed by `activityCode`; the first column of the indexes. */
    code: smallint('code').notNull(),
    entityId: text('entity_id'),
    entityName: text('entity_name'),
    details: jsonb('details').notNull().default({}),
    address: text('address'),
    requestId: text('request_id'),
    createdAt: instant('created_at')
      .notNull()
      .generatedAlwaysAs(sql`id_time(id)`),
  },
  (t) => [
    index('activity_code').on(t.code, t.id),
    index('activity_owner').on(t.ownerId, t.code, t.id),
    index('activity_actor')
      .on(t.actorId, t.code, t.id)
      .where(sql`${t.actorId} is not null`),
    index('activity_owner_actor')
      .on(t.ownerId, t.actorId, t.code, t.id)
      .where(sql`${t.ownerId} <> ${t.actorId}`),
  ],
)

/** Number of entries: overall (scope 0), per owner (1), per actor on other people's resources (2); by hour, and in total at `-infinity`. */
export const activityCounts = pgTable(
  'activity_counts',
  {
    scope: smallint('scope').notNull(),
    key: uuid('key').notNull(),
    hour: instant('hour').notNull(),
    code: smallint('code').notNull(),
    n: bigint('n', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key, t.hour, t.code] })],
)

/** Differences appended by triggers and added to the counts later, so that writers never wait for each other. */
export const activityCountChanges = pgTable('activity_count_changes', {
  ownerId: uuid('owner_id'),
  actorId: uuid('actor_id'),
  hour: instant('hour').notNull(),
  code: smallint('code').notNull(),
  n: integer('n').notNull(),
})
