import type { SettingKey } from './schema.ts'

/**
 * Where the provider keeps a setting: with the other settings of the zone, or at an endpoint of its own, which requires a permission of its own.
 */
export type SettingEndpoint = 'settings' | 'universal_ssl' | 'bot_management' | 'dnssec'

/**
 * The settings of a zone that the panel can change: the provider's id and the key of the name in the `security` texts, in the order in which they
 * are sent: certificates precede the settings that depend on them.
 */
export const settingCatalog = {
  universalSsl: { id: 'universal_ssl', name: 'universal.name', endpoint: 'universal_ssl' },
  ssl: { id: 'ssl', name: 'ssl.name', endpoint: 'settings' },
  minTlsVersion: { id: 'min_tls_version', name: 'tls.name', endpoint: 'settings' },
  alwaysUseHttps: { id: 'always_use_https', name: 'https.name', endpoint: 'settings' },
  hsts: { id: 'security_header', name: 'hsts.name', endpoint: 'settings' },
  securityLevel: { id: 'security_level', name: 'level.name', endpoint: 'settings' },
  developmentMode: { id: 'development_mode', name: 'development.name', endpoint: 'settings' },
  botFightMode: { id: 'fight_mode', name: 'bots.fight_mode.name', endpoint: 'bot_management' },
  aiBots: { id: 'ai_bots_protection', name: 'bots.ai.name', endpoint: 'bot_management' },
  aiLabyrinth: { id: 'crawler_protection', name: 'bots.labyrinth.name', endpoint: 'bot_management' },
  managedRobotsTxt: { id: 'is_robots_txt_managed', name: 'bots.robots.name', endpoint: 'bot_management' },
  dnssec: { id: 'dnssec', name: 'dnssec.name', endpoint: 'dnssec' },
} as const satisfies Record<SettingKey, { readonly id: string; readonly name: string; readonly endpoint: SettingEndpoint }>

export type SettingId = (typeof settingCatalog)[SettingKey]['id']
export const settingKeys = Object.keys(settingCatalog) as SettingKey[]
