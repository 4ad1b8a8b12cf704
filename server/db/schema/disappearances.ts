import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { registrars } from '#server/db/schema/registrars.ts'

/** Domains that a provider's list no longer has, too many to be believed after one list; a row while that is so. */
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
    /** The provider's ids of the zones, or the registrar's names, that the latest list did not have. */
    keys: text('keys').array().notNull(),
    /** So many there were before. */
    known: integer('known').notNull(),
    /** Asked for one by one, and so many of these were there all the same: then the list is wrong. */
    sampled: integer('sampled').notNull(),
    stillThere: integer('still_there').notNull(),
    /** A person wants them kept, whatever later lists say. */
    keptAt: instant('kept_at'),
    keptBy: text('kept_by'),
  },
  (t) => [check('disappearances_one_subject', sql`num_nonnulls(${t.accountId}, ${t.registrarId}) = 1`)],
)
