import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'

type Values<K extends keyof DomainFilter> = NonNullable<DomainFilter[K]> & string

/** The keys of a closed record, so that a value missing from or removed from the contract does not compile. */
const keysOf = <K extends string>(all: Record<K, 1>): readonly K[] => Object.keys(all) as K[]

/**
 * The options of each filter, in display order. Written out instead of derived from the schema: the URL is parsed in the first load, where zod
 * would cost more than all of it.
 */
export const choices = {
  status: keysOf<Values<'status'>>({ active: 1, pending: 1, initializing: 1, error: 1 }),
  ssl: keysOf<Values<'ssl'>>({ on: 1, strict: 1, full: 1, flexible: 1, origin_pull: 1, off: 1 }),
  https: keysOf<Values<'https'>>({ enabled: 1, disabled: 1 }),
  securityLevel: keysOf<Values<'securityLevel'>>({ under_attack: 1, high: 1, medium: 1, low: 1, essentially_off: 1, off: 1 }),
  tlsMin: keysOf<Values<'tlsMin'>>({ '1.0': 1, '1.1': 1, '1.2': 1, '1.3': 1 }),
  health: keysOf<Values<'health'>>({ ok: 1, warnings: 1, critical: 1, unknown: 1 }),
  botFightMode: keysOf<Values<'botFightMode'>>({ enabled: 1, disabled: 1 }),
  aiBots: keysOf<Values<'aiBots'>>({ disabled: 1, only_on_ad_pages: 1, block: 1 }),
  aiLabyrinth: keysOf<Values<'aiLabyrinth'>>({ enabled: 1, disabled: 1 }),
  managedRobotsTxt: keysOf<Values<'managedRobotsTxt'>>({ enabled: 1, disabled: 1 }),
  dnssec: keysOf<Values<'dnssec'>>({ active: 1, pending: 1, 'pending-disabled': 1, error: 1, disabled: 1 }),
  originCertificate: keysOf<Values<'originCertificate'>>({ valid: 1, expires_soon: 1, expired: 1, none: 1 }),
  traffic: keysOf<Values<'traffic'>>({ some: 1, none: 1, idle: 1, ungrouped: 1 }),
  tracker: keysOf<Values<'tracker'>>({ none: 1, KEITARO: 1, BINOM: 1 }),
} as const

export type ChoiceFilter = keyof typeof choices

export const sortKeys = keysOf<DomainSort['by']>({
  name: 1,
  status: 1,
  sslMode: 1,
  securityLevel: 1,
  account: 1,
  health: 1,
  recordsCount: 1,
  requests: 1,
  paidUntil: 1,
  createdAt: 1,
  updatedAt: 1,
})
