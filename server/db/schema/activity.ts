import { index, jsonb, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'

export const actionEnum = pgEnum('activity_action', ['create', 'update', 'delete', 'sync', 'login', 'logout', 'reveal', 'denied'])
/** A person in the browser, one of their tokens, an operation of theirs, the panel itself, or somebody who is not signed in. */
export const actorKindEnum = pgEnum('activity_actor', ['user', 'token', 'operation', 'system', 'anonymous'])
export const entityTypeEnum = pgEnum('activity_entity', ['zone', 'account', 'group', 'registrar', 'user', 'settings', 'profile'])

/** Append-only. `owner_id` is whose things were touched; `actor` who did it. */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    actorName: text('actor_name').notNull(),
    actorKind: actorKindEnum('actor_kind').notNull().default('user'),
    /** The token or operation that acted. */
    actorVia: uuid('actor_via'),
    action: actionEnum('action').notNull(),
    entityType: entityTypeEnum('entity_type').notNull(),
    entityId: text('entity_id'),
    entityName: text('entity_name'),
    details: jsonb('details').notNull().default({}),
    address: text('address'),
    requestId: text('request_id'),
    createdAt: createdAt(),
  },
  (t) => [index('activity_owner_time').on(t.ownerId, t.createdAt.desc(), t.id.desc())],
)
