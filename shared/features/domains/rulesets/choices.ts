/** The values that forms offer for the parameters of rules, with Cloudflare's names. Without schemas, so that pages can use them. */
export const redirectStatuses = [301, 302, 303, 307, 308] as const
export const headerOperations = ['set', 'add', 'remove'] as const

/** The settings that a configuration rule can set, with their values. */
export const configSettings = {
  ssl: ['off', 'flexible', 'full', 'strict', 'origin_pull'],
  security_level: ['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'],
  automatic_https_rewrites: [true, false],
  opportunistic_encryption: [true, false],
  bic: [true, false],
  hotlink_protection: [true, false],
  email_obfuscation: [true, false],
  rocket_loader: [true, false],
  polish: ['off', 'lossless', 'lossy', 'webp'],
  disable_apps: [true],
  disable_zaraz: [true],
  disable_rum: [true],
} as const satisfies Record<string, readonly (string | boolean)[]>
export type ConfigSetting = keyof typeof configSettings

export const blockContentTypes = ['text/plain', 'text/html', 'application/json', 'text/xml'] as const
export const skippablePhases = ['http_ratelimit', 'http_request_sbfm', 'http_request_firewall_managed'] as const
export const skippableProducts = ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'] as const

/** The characteristic that Cloudflare requires in every rate limit: its data centers count separately. */
export const countingPlace = 'cf.colo.id'
export const ratelimitPeriods = [10, 60, 120, 300, 600, 3_600] as const
export const mitigationTimeouts = [0, 10, 60, 120, 300, 600, 3_600, 86_400] as const

export const cacheTtlModes = {
  edge_ttl: ['respect_origin', 'bypass_by_default', 'override_origin'],
  browser_ttl: ['respect_origin', 'bypass', 'override_origin'],
} as const
export type CacheTtl = keyof typeof cacheTtlModes
