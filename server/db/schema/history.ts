import { sql } from 'drizzle-orm'
import { index, jsonb, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { users } from '#server/db/schema/users.ts'
import { zones } from '#server/db/schema/zones.ts'
import { changeSource, changeSubject } from '#shared/features/domains/history/schema.ts'
import type { DomainId } from '#shared/ids.ts'

export const changeSourceEnum = pgEnum('change_source', changeSource.enum)
export const changeSubjectEnum = pgEnum('change_subject', changeSubject.enum)

/** Append-only: every change of a zone with before and after, sufficient to revert it. */
export const zoneChanges = pgTable(
  'zone_changes',
  {
    id: id(),
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    at: instant('at').notNull().defaultNow(),
    source: changeSourceEnum('source').notNull(),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for external changes. */
    actorName: text('actor_name'),
    subject: changeSubjectEnum('subject').notNull(),
    key: text('key').notNull(),
    label: text('label').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    /** Shared by all changes of one call. */
    batchId: uuid('batch_id'),
    revertsId: uuid('reverts_id'),
  },
  (t) => [
    index('zone_changes_zone').on(t.domainId, t.at.desc(), t.id.desc()),
    index('zone_changes_reverts')
      .on(t.revertsId)
      .where(sql`${t.revertsId} is not null`),
  ],
)
