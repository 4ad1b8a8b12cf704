import type { AccessRuleListResponse } from 'cloudflare/resources/firewall/access-rules'
import type { ItemListResponse } from 'cloudflare/resources/rules/lists/items'
import type { Phase } from 'cloudflare/resources/rulesets/rulesets'

/** The simulator's state. Times are epoch milliseconds; responses are built from it in `*-view.ts`. */

export type Permission =
  | 'zone:read'
  | 'zone:edit'
  | 'dns:read'
  | 'dns:edit'
  | 'zone_settings:read'
  | 'zone_settings:edit'
  | 'ssl:read'
  | 'ssl:edit'
  | 'bot_management:read'
  | 'bot_management:edit'
  | 'cache_purge:edit'
  | 'page_rules:read'
  | RulePermission
  | 'filter_lists:read'
  | 'filter_lists:edit'
  | 'mass_url_redirects:read'
  | 'mass_url_redirects:edit'
  | 'firewall_services:read'
  | 'firewall_services:edit'
  | 'account_firewall:read'
  | 'account_firewall:edit'
  | 'analytics:read'
  | 'account:read'
  | 'trust_and_safety:read'
  | 'trust_and_safety:edit'
  | 'user:read'

/** Cloudflare has one for the rules of each product. */
type RulePermission =
  `${'zone_waf' | 'dynamic_redirect' | 'cache_settings' | 'config_settings' | 'origin' | 'transform_rules'}:${'read' | 'edit'}`

export type PlanId = 'free' | 'pro' | 'business' | 'enterprise'

export type SimUser = {
  readonly id: string
  readonly email: string
  /** Null once revoked: no key is valid for this user. */
  globalKey: string | null
  readonly firstName: string
  readonly lastName: string
  accountIds: string[]
}

export type SimToken = {
  readonly id: string
  readonly value: string
  readonly name: string
  readonly owner: { readonly kind: 'user'; readonly userId: string } | { readonly kind: 'account'; readonly accountId: string }
  permissions: readonly Permission[]
  /** Null: every account of the owner. */
  accountIds: readonly string[] | null
  /** Null: every zone of those accounts. */
  zoneIds: readonly string[] | null
  status: 'active' | 'disabled'
  expiresOnMs: number | null
}

export type SimAccount = {
  readonly id: string
  readonly name: string
  readonly type: 'standard' | 'enterprise'
  readonly createdOnMs: number
  /** False: creating a zone returns 1106. */
  mayCreateZones: boolean
  /** Pending zones permitted beyond the number of active ones, before creating returns 1118. */
  pendingAllowance: number
  readonly nameServers: readonly string[]
}

export type ZoneStatus = 'initializing' | 'pending' | 'active' | 'moved'

/** Replaced, never mutated, so that a batch can be rolled back. */
export type SimRecord = {
  readonly id: string
  readonly type: string
  /** Whole name in Punycode. */
  readonly name: string
  readonly content: string
  /** Seconds; 1 is automatic. */
  readonly ttl: number
  readonly proxied: boolean
  readonly priority: number | null
  readonly data: Readonly<Record<string, unknown>> | null
  readonly comment: string | null
  readonly tags: readonly string[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdOnMs: number
  readonly modifiedOnMs: number
}

export type CertificatePack = {
  readonly id: string
  readonly type: 'universal' | 'advanced'
  readonly hosts: readonly string[]
  status: 'initializing' | 'pending_validation' | 'active' | 'expired' | 'validation_timed_out' | 'deleted'
  readonly authority: 'google' | 'lets_encrypt' | 'ssl_com'
  validationMethod: 'http' | 'cname' | 'txt' | 'email'
  readonly validityDays: 14 | 30 | 90 | 365
  readonly uploadedOnMs: number
  readonly expiresOnMs: number
}

export type SimOriginCertificate = {
  /** The serial number, a decimal of up to 48 digits. */
  readonly id: string
  readonly certificate: string
  readonly csr: string
  readonly hostnames: readonly string[]
  readonly requestType: 'origin-rsa' | 'origin-ecc' | 'keyless-certificate'
  readonly validityDays: number
  readonly expiresOnMs: number
  revokedOnMs: number | null
}

/** Phases with rules of a zone's own. */
export type RulePhase = Extract<
  Phase,
  | 'http_request_dynamic_redirect'
  | 'http_request_transform'
  | 'http_config_settings'
  | 'http_request_origin'
  | 'http_request_firewall_custom'
  | 'http_ratelimit'
  | 'http_request_late_transform'
  | 'http_request_cache_settings'
  | 'http_response_headers_transform'
>

/** Replaced, never mutated, because versions share rules. */
export type SimRule = {
  readonly id: string
  readonly version: number
  readonly ref: string
  readonly lastUpdatedMs: number
  /** Everything else, as it was sent. */
  readonly fields: Readonly<Record<string, unknown>>
}

type SimRulesetVersion = { readonly version: number; readonly lastUpdatedMs: number; readonly rules: readonly SimRule[] }

/** The entry point of a phase. */
export type SimRuleset = {
  readonly id: string
  readonly phase: RulePhase
  readonly name: string
  readonly description: string
  /** Oldest first; the last one is in force. */
  readonly versions: readonly SimRulesetVersion[]
}

/** Only changed zones; the others are generated from the seed on each request. */
export type ZoneChanges = {
  settings: Map<string, { readonly value: unknown; readonly modifiedOnMs: number }>
  records: Map<string, SimRecord> | null
  packs: CertificatePack[] | null
  universalSsl: boolean | null
  /** The changed fields. */
  bots: Readonly<Record<string, unknown>> | null
  dnssec: { readonly enabled: boolean; readonly modifiedOnMs: number } | null
  /** By phase. */
  rulesets: Map<RulePhase, SimRuleset> | null
}

export type SimZone = {
  readonly id: string
  readonly name: string
  /** Seed of everything generated on demand; unique in the world. */
  readonly serial: number
  /** False for a zone created over the API: it starts without records. */
  readonly fromWorld: boolean
  readonly account: SimAccount
  status: ZoneStatus
  paused: boolean
  type: 'full' | 'partial' | 'secondary' | 'internal'
  plan: PlanId
  /** When development mode ends or ended; null: never used. */
  developmentModeEndsMs: number | null
  nameServers: readonly string[]
  originalNameServers: readonly string[] | null
  originalRegistrar: string | null
  vanityNameServers: readonly string[]
  readonly createdOnMs: number
  modifiedOnMs: number
  activatedOnMs: number | null
  phishing: boolean
  /** No one else may add this name while it is held. */
  hold: boolean
  lastActivationCheckMs: number | null
  changes: ZoneChanges | null
}

export type RedirectItem = Extract<ItemListResponse, { readonly redirect: unknown }>

export type SimList = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly createdOnMs: number
  modifiedOnMs: number
  /** By source. */
  readonly items: Map<string, RedirectItem>
}

export type SimListOperation = {
  readonly id: string
  readonly startedMs: number
  readonly apply: () => void
  completedMs: number | null
}

/** The account's only ruleset: that of the phase in which bulk redirects run. */
export type SimRedirectRules = { readonly id: string; version: number; modifiedOnMs: number; rules: readonly SimRule[] }

/** An IP Access rule of a zone or an account. Replaced, never mutated. */
export type SimAccessRule = {
  readonly id: string
  readonly mode: AccessRuleListResponse['mode']
  readonly target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
  readonly value: string
  readonly notes: string
  readonly createdOnMs: number
  readonly modifiedOnMs: number
}
