import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'

export const actionEnum = pgEnum('activity_action', activityAction.enum)
/** A person in the browser, one of their tokens, an operation of theirs, the panel itself, or somebody who is not signed in. */
export const actorKindEnum = pgEnum('activity_actor', activityActorKind.enum)
export const entityTypeEnum = pgEnum('activity_entity', activityEntity.enum)

/**
 * Append-only. `owner_id` is whose resources were touched; `actor` who did it. Without foreign keys: what a deleted user did, and what
 * was done to their resources, stays reported until the retention ends. In the order of `id`, which is the time.
 */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    ownerId: uuid('owner_id'),
    actorId: uuid('actor_id'),
    actorName: text('actor_name').notNull(),
    actorKind: actorKindEnum('actor_kind').notNull().default('user'),
    /** The token or operation that acted. */
    actorVia: uuid('actor_via'),
    action: actionEnum('action').notNull(),
    entityType: entityTypeEnum('entity_type').notNull(),
    /** Action, entity type, kind of actor and whether it was the owner, packed as `activityCode` says: what indexes begin with. */
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

/**
 * How many entries there are: of everybody (scope 0), of an owner (1), of an actor on what is not theirs (2); by hour, and all
 * of them at `-infinity`.
 */
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

/** Differences that triggers append and that are added to the counts later, so that writers never wait for each other. */
export const activityCountChanges = pgTable('activity_count_changes', {
  ownerId: uuid('owner_id'),
  actorId: uuid('actor_id'),
  hour: instant('hour').notNull(),
  code: smallint('code').notNull(),
  n: integer('n').notNull(),
})
