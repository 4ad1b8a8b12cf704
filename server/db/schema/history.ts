import { sql } from 'drizzle-orm'
import { index, jsonb, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { users } from '#server/db/schema/users.ts'
import { zones } from '#server/db/schema/zones.ts'
import { changeSource, changeSubject } from '#shared/features/domains/history/schema.ts'
import type { DomainId } from '#shared/ids.ts'

export const changeSourceEnum = pgEnum('change_source', changeSource.enum)
export const changeSubjectEnum = pgEnum('change_subject', changeSubject.enum)

const change = () => ({
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
})

/** Append-only: every change of a zone with before and after, sufficient to revert it. */
export const zoneChanges = pgTable(
  'zone_changes',
  {
    id: id(),
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    ...change(),
  },
  (t) => [
    index('zone_changes_zone').on(t.domainId, t.at.desc(), t.id.desc()),
    index('zone_changes_reverts')
      .on(t.revertsId)
      .where(sql`${t.revertsId} is not null`),
  ],
)

/** The same for what an account has besides its zones: the panel's changes of its rules of IP access. */
export const accountChanges = pgTable(
  'account_changes',
  {
    id: id(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    ...change(),
  },
  (t) => [
    index('account_changes_account').on(t.accountId, t.at.desc(), t.id.desc()),
    index('account_changes_reverts')
      .on(t.revertsId)
      .where(sql`${t.revertsId} is not null`),
  ],
)
