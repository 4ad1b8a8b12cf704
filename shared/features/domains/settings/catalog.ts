import type { SettingKey } from './schema.ts'

/**
 * The settings of a zone that the panel can change: the provider's id and the key of the name in the `security` texts, in the order in which they
 * are sent: certificates precede the settings that depend on them.
 */
export const settingCatalog = {
  // The provider has a separate endpoint for it; here it is a setting like the others.
  universalSsl: { id: 'universal_ssl', name: 'universal.name' },
  ssl: { id: 'ssl', name: 'ssl.name' },
  minTlsVersion: { id: 'min_tls_version', name: 'tls.name' },
  alwaysUseHttps: { id: 'always_use_https', name: 'https.name' },
  hsts: { id: 'security_header', name: 'hsts.name' },
  securityLevel: { id: 'security_level', name: 'level.name' },
  developmentMode: { id: 'development_mode', name: 'development.name' },
} as const satisfies Record<SettingKey, { readonly id: string; readonly name: string }>

export type SettingId = (typeof settingCatalog)[SettingKey]['id']
export const settingKeys = Object.keys(settingCatalog) as SettingKey[]
