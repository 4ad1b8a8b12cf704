import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'

export const registryStateEnum = pgEnum('registry_state', ['found', 'not_found', 'not_offered'])

/**
 * What registries say of names, by RDAP. It is public and the same for everybody, so that it is asked once, no matter who has the name. Only names of which no
 * registrar reports the end are here, and those that somebody asked for.
 */
export const registryNames = pgTable(
  'registry_names',
  {
    /** Punycode, lower case; for a zone of a part of a name, that part. */
    name: text('name').primaryKey(),
    /** Names of one registry wait for each other, and for nobody else's. */
    tld: text('tld')
      .notNull()
      .generatedAlwaysAs(sql`substring(name from '[^.]+$')`),
    /** The last answer; null: there was none yet. */
    state: registryStateEnum('state'),
    expiresAt: instant('expires_at'),
    /** As registries write them: `client transfer prohibited`. */
    statuses: text('statuses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Who sold it, as the registry writes it. */
    registrar: text('registrar'),
    nameServers: text('name_servers')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** When it was answered. */
    readAt: instant('read_at'),
    /** When it is to be asked; anyone who asks first moves it on, so that nobody else does. */
    dueAt: instant('due_at').notNull(),
    /** Tries without an answer, one after another, and why the last had none. */
    failures: integer('failures').notNull().default(0),
    fault: text('fault'),
  },
  (t) => [index('registry_names_due').on(t.tld, t.dueAt)],
)
