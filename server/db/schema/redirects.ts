import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'

/** The state of an account's redirects at Cloudflare, as last read. */
export const redirectLists = pgTable('redirect_lists', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** The panel's list; null until there is one. */
  listId: text('list_id'),
  /** The rule that enables the list: absent, on, or switched off by somebody. */
  rule: text('rule').$type<'absent' | 'enabled' | 'disabled'>().notNull(),
  /** Redirects in other lists, which count against the same limit. */
  othersCount: integer('others_count').notNull(),
  readAt: instant('read_at').notNull(),
})

/** The redirects of the panel's list. */
export const redirects = pgTable(
  'redirects',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** A source may be longer than an index permits. */
    key: text('key')
      .notNull()
      .generatedAlwaysAs(sql`md5(source)`),
    source: text('source').notNull(),
    target: text('target').notNull(),
    /** The hosts of both in Punycode and lower case; null if the source is not one that the panel accepts, or the target no web address. */
    sourceHost: text('source_host'),
    targetHost: text('target_host'),
    status: smallint('status').notNull(),
    preserveQueryString: boolean('preserve_query_string').notNull(),
    includeSubdomains: boolean('include_subdomains').notNull(),
    subpathMatching: boolean('subpath_matching').notNull(),
    preservePathSuffix: boolean('preserve_path_suffix').notNull(),
    /** Cloudflare's id; null after the panel wrote it, until it is read. */
    itemId: text('item_id'),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.key] }),
    index('redirects_source_host').on(t.sourceHost, t.accountId),
    index('redirects_source').on(t.accountId, sql`(left(source, 200) collate "C")`, t.key),
  ],
)
