import type { DomainSettings } from '../schema.ts'
import { hstsLongestAge, hstsMaxAges } from './choices.ts'
import type { HstsSetting, SettingsPatch } from './schema.ts'

/** Cloudflare renews a month ahead, so a certificate that expires sooner than this was not renewed. */
export const endsSoonDays = 14

// ---- options

/** The presets by months; `0` is off. */
export const hstsPresets = [
  { months: 0, maxAge: 0 },
  { months: 1, maxAge: hstsMaxAges[0] },
  { months: 3, maxAge: hstsMaxAges[1] },
  { months: 6, maxAge: hstsMaxAges[2] },
  { months: 12, maxAge: hstsMaxAges[3] },
] as const

/** The preset that matches a header; null for another age. */
export function hstsPresetOf({ enabled, maxAge }: Pick<HstsSetting, 'enabled' | 'maxAge'>): (typeof hstsPresets)[number] | null {
  return hstsPresets.find((preset) => preset.maxAge === (enabled ? maxAge : 0)) ?? null
}

/** The header with another age; `0` disables it and keeps the other options. */
export const withHstsAge = (header: HstsSetting, maxAge: number): HstsSetting =>
  maxAge === 0 ? { ...header, enabled: false } : { ...header, enabled: true, maxAge }

/** Reads the values of a header, with the defaults of `hstsSetting`; null if one is invalid. */
export function readHsts(given: Readonly<Record<string, unknown>>): HstsSetting | null {
  const { enabled, maxAge = hstsMaxAges[2], includeSubDomains = false, preload = false, nosniff = false } = given
  if (typeof maxAge !== 'number' || !Number.isInteger(maxAge) || maxAge < 0 || maxAge > hstsLongestAge) return null
  if (typeof enabled !== 'boolean' || typeof includeSubDomains !== 'boolean') return null
  if (typeof preload !== 'boolean' || typeof nosniff !== 'boolean') return null
  return { enabled, maxAge, includeSubDomains, preload, nosniff }
}

/** Converts the provider's `security_header`; null if it is invalid. */
export function hstsOf(value: unknown): HstsSetting | null {
  if (typeof value !== 'object' || value === null || !('strict_transport_security' in value)) return null
  const header = value.strict_transport_security
  if (typeof header !== 'object' || header === null) return null
  const { max_age: maxAge, include_subdomains: includeSubDomains, ...others }: Record<string, unknown> = { ...header }
  return readHsts({ ...others, maxAge, includeSubDomains })
}

// ---- dangerous combinations

/** The domain state that the warnings depend on; null if it was not read. */
export interface SecurityState {
  readonly ssl: string | null
  readonly alwaysUseHttps: boolean | null
  readonly hsts: boolean | null
  readonly universalSsl: boolean | null
  readonly botFightMode: boolean | null
  readonly aiBots: string | null
  readonly dnssec: boolean | null
  /** Whether the origin has a certificate that Cloudflare trusts. */
  readonly originTrusted?: boolean | null
  /** Whether the domain is bound to a tracker. */
  readonly trackerBound?: boolean
}
export const unknownState: SecurityState = {
  ssl: null,
  alwaysUseHttps: null,
  hsts: null,
  universalSsl: null,
  botFightMode: null,
  aiBots: null,
  dnssec: null,
}
export const securityStateOf = (
  { ssl, alwaysUseHttps, hsts, universalSsl, botFightMode, aiBots, dnssec }: DomainSettings,
  trackerBound: boolean,
): SecurityState => ({ ssl, alwaysUseHttps, hsts, universalSsl, botFightMode, aiBots, dnssec, trackerBound })

export const warningCodes = [
  'universal_off_with_hsts',
  'universal_off',
  'https_without_ssl',
  'hsts_without_ssl',
  'hsts_without_https',
  'flexible_with_https',
  'strict_origin_unknown',
  'bot_fight_with_tracker',
  'ai_bots_with_search',
  'ai_bots_on_ad_pages_with_search',
  'dnssec_off',
] as const
export type WarningCode = (typeof warningCodes)[number]
export interface SettingsWarning {
  readonly code: WarningCode
  /** `danger`: the site stops working for visitors; `caution`: it may stop. */
  readonly severity: 'danger' | 'caution'
}

interface Combination extends SettingsWarning {
  readonly holds: (state: SecurityState) => boolean
  /** Whether it is nothing new for a domain, if that is more than the same combination. */
  readonly known?: (state: SecurityState) => boolean
}
const combinations: readonly Combination[] = [
  // Browsers that have seen the header refuse plain HTTP, and HTTPS has no certificate any more.
  { code: 'universal_off_with_hsts', severity: 'danger', holds: (is) => is.universalSsl === false && is.hsts === true },
  { code: 'universal_off', severity: 'caution', holds: (is) => is.universalSsl === false && is.hsts !== true },
  // Without SSL, Cloudflare redirects visitors from HTTPS to HTTP, and Always HTTPS redirects them back.
  { code: 'https_without_ssl', severity: 'danger', holds: (is) => is.ssl === 'off' && is.alwaysUseHttps === true },
  { code: 'hsts_without_ssl', severity: 'danger', holds: (is) => is.ssl === 'off' && is.hsts === true },
  { code: 'hsts_without_https', severity: 'caution', holds: (is) => is.hsts === true && is.alwaysUseHttps === false && is.ssl !== 'off' },
  // An origin that redirects plain HTTP to HTTPS is requested over plain HTTP again: an infinite redirect.
  { code: 'flexible_with_https', severity: 'caution', holds: (is) => is.ssl === 'flexible' && is.alwaysUseHttps === true },
  { code: 'strict_origin_unknown', severity: 'caution', holds: (is) => is.ssl === 'strict' && is.originTrusted !== true },
  // Postbacks come from programs. On the Free plan no WAF rule can exempt them.
  { code: 'bot_fight_with_tracker', severity: 'caution', holds: (is) => is.botFightMode === true && is.trackerBound === true },
  // Googlebot, Bingbot and Applebot also collect for AI training.
  { code: 'ai_bots_with_search', severity: 'caution', holds: (is) => is.aiBots === 'block' },
  {
    code: 'ai_bots_on_ad_pages_with_search',
    severity: 'caution',
    holds: (is) => is.aiBots === 'only_on_ad_pages',
    known: (is) => is.aiBots === 'only_on_ad_pages' || is.aiBots === 'block',
  },
  // Resolvers that find a DS record reject answers without a matching signature.
  { code: 'dnssec_off', severity: 'caution', holds: (is) => is.dnssec === false },
]

/** The warnings that the change would add, the worst first. */
export function warningsOf(current: SecurityState, patch: SettingsPatch): SettingsWarning[] {
  const after: SecurityState = {
    ...current,
    ssl: patch.ssl ?? current.ssl,
    alwaysUseHttps: patch.alwaysUseHttps ?? current.alwaysUseHttps,
    hsts: patch.hsts?.enabled ?? current.hsts,
    universalSsl: patch.universalSsl ?? current.universalSsl,
    botFightMode: patch.botFightMode ?? current.botFightMode,
    aiBots: patch.aiBots ?? current.aiBots,
    dnssec: patch.dnssec ?? current.dnssec,
  }
  return combinations
    .filter(({ holds, known = holds }) => holds(after) && !known(current))
    .map(({ code, severity }) => ({ code, severity }))
    .toSorted((a, b) => Number(b.severity === 'danger') - Number(a.severity === 'danger'))
}
