import { settingCatalog, settingKeys } from '#shared/features/domains/settings/catalog.ts'
import type { SettingId } from '#shared/features/domains/settings/catalog.ts'
import type { SettingKey, SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import { settingsPatch } from '#shared/features/domains/settings/schema.ts'
import { hstsOf } from '#shared/features/domains/settings/rules.ts'

export interface Wanted {
  readonly key: SettingKey
  readonly id: SettingId
  /** In the provider's form. */
  readonly value: unknown
}

function toProvider(key: SettingKey, patch: SettingsPatch): unknown {
  if (key === 'hsts') {
    const { enabled, maxAge, includeSubDomains, preload, nosniff } = patch.hsts ?? { enabled: false }
    const header = { enabled, max_age: maxAge, include_subdomains: includeSubDomains, preload, nosniff }
    return { strict_transport_security: header }
  }
  const value = patch[key]
  return typeof value === 'boolean' && settingCatalog[key].endpoint === 'settings' ? (value ? 'on' : 'off') : value
}

/** The provider's settings in a patch, one call each. */
export const wantedOf = (patch: SettingsPatch): Wanted[] =>
  settingKeys.flatMap((key) => (patch[key] === undefined ? [] : [{ key, id: settingCatalog[key].id, value: toProvider(key, patch) }]))

/** The patch for a provider setting and value from the history; null if the panel does not change it. */
export function patchOf(id: string, value: unknown): SettingsPatch | null {
  const key = settingKeys.find((known) => settingCatalog[known].id === id)
  if (key === undefined) return null
  if (key === 'hsts') return settingsPatch.safeParse({ hsts: hstsOf(value) }).data ?? null
  // `off` is a valid value of the SSL modes and security levels, not a switched-off setting.
  const asReported = settingsPatch.safeParse({ [key]: value })
  if (asReported.success) return asReported.data
  return settingsPatch.safeParse({ [key]: value === 'on' ? true : value === 'off' ? false : null }).data ?? null
}
