import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'

export const registryStateEnum = pgEnum('registry_state', ['found', 'not_found', 'not_offered'])

/**
 * Registry data of names, by RDAP. It is public and the same for everyone, so it is queried once per name. Contains only names without an
 * expiry from a registrar, and those requested by a person.
 */
export const registryNames = pgTable(
  'registry_names',
  {
    /** Punycode, lower case; for a subdomain zone, that zone. */
    name: text('name').primaryKey(),
    /** Names of one registry wait for each other, independently of other registries. */
    tld: text('tld')
      .notNull()
      .generatedAlwaysAs(sql`substring(name from '[^.]+$')`),
    /** The last answer; null: none yet. */
    state: registryStateEnum('state'),
    expiresAt: instant('expires_at'),
    /** As written by registries: `client transfer prohibited`. */
    statuses: text('statuses')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The registrar as named by the registry. */
    registrar: text('registrar'),
    nameServers: text('name_servers')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Time of the last answer. */
    readAt: instant('read_at'),
    /** When the next query is due; the process that queries first moves it, so that no other does. */
    dueAt: instant('due_at').notNull(),
    /** Consecutive attempts without an answer, and why the last one had none. */
    failures: integer('failures').notNull().default(0),
    fault: text('fault'),
  },
  (t) => [index('registry_names_due').on(t.tld, t.dueAt)],
)
