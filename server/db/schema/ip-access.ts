import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/db/columns.ts'
import { accounts } from '#server/db/schema/accounts.ts'
import { zones } from '#server/db/schema/zones.ts'
import type { DomainId } from '#shared/ids.ts'

/** The rules of IP access of a zone, as last read. Those of accounts are read whenever they are shown. */
export const zoneIpRules = pgTable('zone_ip_rules', {
  domainId: uuid('zone_id')
    .$type<DomainId>()
    .primaryKey()
    .references(() => zones.id, { onDelete: 'cascade' }),
  rules: jsonb('rules').notNull(),
  readAt: instant('read_at').notNull(),
})

/** Rules of the panel that are to be deleted at a time, because Cloudflare has no expiry. */
export const ipRuleExpiries = pgTable(
  'ip_rule_expiries',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null: a rule of the account. */
    domainId: uuid('zone_id')
      .$type<DomainId>()
      .references(() => zones.id, { onDelete: 'cascade' }),
    /** Cloudflare's id of the rule. */
    ruleId: text('rule_id').notNull(),
    /** As the panel wrote it: a rule to which somebody gave another mode is kept. */
    mode: text('mode').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Of the deletion. */
    tries: integer('tries').notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.ruleId] }),
    index('ip_rule_expiries_due').on(t.nextTryAt),
    index('ip_rule_expiries_zone').on(t.domainId),
  ],
)
