import { securityLevel, tlsVersion } from '../schema.ts'
import type { DomainSettings } from '../schema.ts'
import { hstsMaxAges, hstsSetting } from './schema.ts'
import type { HstsSetting, SettingsPatch } from './schema.ts'

/** Cloudflare renews a month ahead; a certificate that ends sooner than this was not renewed. */
export const endsSoonDays = 14

// ---- what people choose from

export const sslModes = ['off', 'flexible', 'full', 'strict'] as const
export const tlsVersions = tlsVersion.options
/** `off` is for the highest plans only and has no place in a list. */
export const securityLevels = securityLevel.exclude(['off']).options

/** The presets by their months; `0` is off. */
export const hstsPresets = [
  { months: 0, maxAge: 0 },
  { months: 1, maxAge: hstsMaxAges[0] },
  { months: 3, maxAge: hstsMaxAges[1] },
  { months: 6, maxAge: hstsMaxAges[2] },
  { months: 12, maxAge: hstsMaxAges[3] },
] as const

/** Which preset a header is; null where somebody set another age. */
export function hstsPresetOf({ enabled, maxAge }: Pick<HstsSetting, 'enabled' | 'maxAge'>): (typeof hstsPresets)[number] | null {
  return hstsPresets.find((preset) => preset.maxAge === (enabled ? maxAge : 0)) ?? null
}

/** The header with another age; `0` switches it off and keeps the rest as it was. */
export const withHstsAge = (header: HstsSetting, maxAge: number): HstsSetting =>
  maxAge === 0 ? { ...header, enabled: false } : { ...header, enabled: true, maxAge }

/** The provider's `security_header` in our words; null where it is none. */
export function hstsOf(value: unknown): HstsSetting | null {
  if (typeof value !== 'object' || value === null || !('strict_transport_security' in value)) return null
  const header = value.strict_transport_security
  if (typeof header !== 'object' || header === null) return null
  const given: Record<string, unknown> = { ...header }
  const parsed = hstsSetting.safeParse({
    enabled: given['enabled'],
    maxAge: given['max_age'],
    includeSubDomains: given['include_subdomains'],
    preload: given['preload'],
    nosniff: given['nosniff'],
  })
  return parsed.success ? parsed.data : null
}

// ---- what is dangerous together

/** What the warnings need to know of a domain; null where it was not read. */
export interface SecurityState {
  readonly ssl: string | null
  readonly alwaysUseHttps: boolean | null
  readonly hsts: boolean | null
  readonly universalSsl: boolean | null
  /** Whether the origin shows a certificate that Cloudflare trusts. */
  readonly originTrusted?: boolean | null
}
export const securityStateOf = ({ ssl, alwaysUseHttps, hsts, universalSsl }: DomainSettings): SecurityState => ({
  ssl,
  alwaysUseHttps,
  hsts,
  universalSsl,
})

export type WarningCode =
  | 'universal_off_with_hsts'
  | 'universal_off'
  | 'https_without_ssl'
  | 'hsts_without_ssl'
  | 'hsts_without_https'
  | 'flexible_with_https'
  | 'strict_origin_unknown'
export interface SettingsWarning {
  readonly code: WarningCode
  /** `danger`: the site stops for its visitors; `caution`: it may. */
  readonly severity: 'danger' | 'caution'
}

const combinations: readonly (SettingsWarning & { readonly holds: (state: SecurityState) => boolean })[] = [
  // Browsers that saw the header refuse plain HTTP, and HTTPS has no certificate any more.
  { code: 'universal_off_with_hsts', severity: 'danger', holds: (is) => is.universalSsl === false && is.hsts === true },
  { code: 'universal_off', severity: 'caution', holds: (is) => is.universalSsl === false && is.hsts !== true },
  // Without SSL Cloudflare sends visitors from HTTPS to HTTP, and Always HTTPS sends them back.
  { code: 'https_without_ssl', severity: 'danger', holds: (is) => is.ssl === 'off' && is.alwaysUseHttps === true },
  { code: 'hsts_without_ssl', severity: 'danger', holds: (is) => is.ssl === 'off' && is.hsts === true },
  { code: 'hsts_without_https', severity: 'caution', holds: (is) => is.hsts === true && is.alwaysUseHttps === false && is.ssl !== 'off' },
  // An origin that answers plain HTTP with a redirect to HTTPS is asked over plain HTTP again, for ever.
  { code: 'flexible_with_https', severity: 'caution', holds: (is) => is.ssl === 'flexible' && is.alwaysUseHttps === true },
  { code: 'strict_origin_unknown', severity: 'caution', holds: (is) => is.ssl === 'strict' && is.originTrusted !== true },
]

/** What the change would bring about that is not so already, the worst first. */
export function warningsOf(current: SecurityState, patch: SettingsPatch): SettingsWarning[] {
  const after: SecurityState = {
    ...current,
    ssl: patch.ssl ?? current.ssl,
    alwaysUseHttps: patch.alwaysUseHttps ?? current.alwaysUseHttps,
    hsts: patch.hsts?.enabled ?? current.hsts,
    universalSsl: patch.universalSsl ?? current.universalSsl,
  }
  return combinations
    .filter(({ holds }) => holds(after) && !holds(current))
    .map(({ code, severity }) => ({ code, severity }))
    .toSorted((a, b) => Number(b.severity === 'danger') - Number(a.severity === 'danger'))
}
