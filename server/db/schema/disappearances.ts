import { sql } from 'drizzle-orm'
import { check, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { registrars } from '#server/db/schema/registrars.ts'

/** A suspicious number of domains missing from a provider's list; the row exists until this is resolved. */
export const disappearances = pgTable(
  'disappearances',
  {
    id: id(),
    /** Exactly one of the two. */
    accountId: uuid('account_id')
      .unique()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    registrarId: uuid('registrar_id')
      .unique()
      .references(() => registrars.id, { onDelete: 'cascade' }),
    foundAt: instant('found_at').notNull().defaultNow(),
    /** The provider's zone ids, or the registrar's names, missing from the latest list. */
    keys: text('keys').array().notNull(),
    /** Number of domains before. */
    known: integer('known').notNull(),
    /** Sample look-ups, and how many of them existed: then the list is wrong. */
    sampled: integer('sampled').notNull(),
    stillThere: integer('still_there').notNull(),
    /** Later lists, at least ten minutes apart, that lacked them too. */
    confirmations: smallint('confirmations').notNull().default(0),
    confirmedAt: instant('confirmed_at'),
    /** A person decided to keep them, regardless of later lists. */
    keptAt: instant('kept_at'),
    keptBy: text('kept_by'),
  },
  (t) => [check('disappearances_one_subject', sql`num_nonnulls(${t.accountId}, ${t.registrarId}) = 1`)],
)
