import { integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'
import { zones } from '#server/db/schema/zones.ts'
import type { DomainId } from '#shared/ids.ts'

/** A suspicious number of records missing from a reading of a zone; the row exists until each is listed again or a person decides. */
export const recordDisappearances = pgTable('record_disappearances', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  foundAt: instant('found_at').notNull().defaultNow(),
  missing: integer('missing').notNull(),
  /** Number of records before. */
  known: integer('known').notNull(),
  /** Later readings, at least ten minutes apart, that lacked them too. */
  confirmations: smallint('confirmations').notNull().default(0),
  confirmedAt: instant('confirmed_at'),
  /** A person decided to keep them, regardless of later readings. */
  keptAt: instant('kept_at'),
  keptBy: text('kept_by'),
})

/**
 * The missing records themselves. They are not in `dns_records`, which has what the provider lists: nothing plans, counts or compares with
 * records that may no longer exist.
 */
export const missingRecords = pgTable(
  'missing_records',
  {
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .notNull()
      .references(() => recordDisappearances.domainId, { onDelete: 'cascade' }),
    recordId: text('record_id').notNull(),
    /** The row of `dns_records`. */
    record: jsonb('record').notNull(),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.recordId] })],
)
