import type { SettingKey, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import { hstsOf } from '#shared/features/domains/settings/rules.ts'

/** Universal SSL has an address of its own at the provider; here it is a setting like the others. */
export const universalSslId = 'universal_ssl'

/** The provider's id of each setting, in the order in which several are sent: certificates come before what relies on them. */
export const settingIds = {
  universalSsl: universalSslId,
  ssl: 'ssl',
  minTlsVersion: 'min_tls_version',
  alwaysUseHttps: 'always_use_https',
  hsts: 'security_header',
  securityLevel: 'security_level',
  developmentMode: 'development_mode',
} as const satisfies Record<SettingKey, string>
export type SettingId = (typeof settingIds)[SettingKey]

export interface Wanted {
  readonly key: SettingKey
  readonly id: SettingId
  /** As the provider takes it. */
  readonly value: unknown
}

function toProvider(key: SettingKey, patch: SettingsPatch): unknown {
  if (key === 'hsts') {
    const { enabled, maxAge, includeSubDomains, preload, nosniff } = patch.hsts ?? { enabled: false }
    const header = { enabled, max_age: maxAge, include_subdomains: includeSubDomains, preload, nosniff }
    return { strict_transport_security: header }
  }
  const value = patch[key]
  return typeof value === 'boolean' && key !== 'universalSsl' ? (value ? 'on' : 'off') : value
}

/** What a patch asks of the provider, one call each. */
export const wantedOf = (patch: SettingsPatch): Wanted[] =>
  Object.entries(settingIds).flatMap(([name, id]) => {
    const key = name as SettingKey
    return patch[key] === undefined ? [] : [{ key, id, value: toProvider(key, patch) }]
  })

/** The patch that sets one of the provider's settings to a value of its own, as history keeps it; null where the panel does not change it. */
export function patchOf(id: string, value: unknown): SettingsPatch | null {
  const entry = Object.entries(settingIds).find(([, known]) => known === id)
  if (entry === undefined) return null
  const [name] = entry
  if (id === settingIds.hsts) return settingsPatch.safeParse({ [name]: hstsOf(value) }).data ?? null
  // `off` is a value of its own among the SSL modes and the security levels.
  const asReported = settingsPatch.safeParse({ [name]: value })
  if (asReported.success) return asReported.data
  return settingsPatch.safeParse({ [name]: value === 'on' ? true : value === 'off' ? false : null }).data ?? null
}
