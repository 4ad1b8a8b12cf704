import { hash32, randomFrom } from '../random.ts'
import { isObject } from '../deliver.ts'
import type { PlanId, SimZone } from './model.ts'

export type SettingRule = {
  readonly accepts: (value: unknown) => boolean
  readonly initial: unknown
  /** The lowest plan that may change it; absent: every plan. */
  readonly editableFrom?: PlanId
}

const PLAN_RANK: Readonly<Record<PlanId, number>> = { free: 0, pro: 1, business: 2, enterprise: 3 }

const BROWSER_CACHE_TTLS: readonly unknown[] = [
  0, 30, 60, 120, 300, 1200, 1800, 3600, 7200, 10800, 14400, 18000, 28800, 43200, 57600, 72000, 86400, 172800, 259200, 345600, 432000,
  691200, 1382400, 2073600, 2678400, 5356800, 16070400, 31536000,
]
const CHALLENGE_TTLS: readonly unknown[] = [300, 900, 1800, 2700, 3600, 7200, 10800, 14400, 28800, 57600, 86400, 604800, 2592000, 31536000]

const SETTINGS: Readonly<Record<string, SettingRule>> = {
  '0rtt': onOff('off'),
  always_online: onOff('on'),
  always_use_https: onOff('off'),
  automatic_https_rewrites: onOff('on'),
  browser_cache_ttl: { accepts: (value) => BROWSER_CACHE_TTLS.includes(value), initial: 14400 },
  browser_check: onOff('on'),
  // bypass and cache_everything are in old documents; the live API returns 1007 for them.
  cache_level: oneOf('aggressive', 'aggressive', 'basic', 'simplified'),
  challenge_ttl: { accepts: (value) => CHALLENGE_TTLS.includes(value), initial: 1800 },
  development_mode: onOff('off'),
  early_hints: onOff('off'),
  email_obfuscation: onOff('on'),
  hotlink_protection: onOff('off'),
  http2: { ...onOff('on'), editableFrom: 'pro' },
  http3: onOff('on'),
  ip_geolocation: onOff('on'),
  ipv6: onOff('on'),
  min_tls_version: oneOf('1.0', '1.0', '1.1', '1.2', '1.3'),
  opportunistic_encryption: onOff('on'),
  opportunistic_onion: onOff('on'),
  polish: { ...oneOf('off', 'off', 'lossless', 'lossy'), editableFrom: 'pro' },
  pseudo_ipv4: oneOf('off', 'off', 'add_header', 'overwrite_header'),
  rocket_loader: onOff('off'),
  security_header: { accepts: isSecurityHeader, initial: securityHeader(false) },
  security_level: oneOf('medium', 'off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
  ssl: oneOf('full', 'off', 'flexible', 'full', 'strict', 'origin_pull'),
  tls_1_3: oneOf('on', 'on', 'off', 'zrt'),
  webp: { ...onOff('off'), editableFrom: 'pro' },
  websockets: onOff('on'),
}

export function findSettingRule(id: string): SettingRule | null {
  return Object.hasOwn(SETTINGS, id) ? (SETTINGS[id] ?? null) : null
}

export function isEditable(rule: SettingRule, zone: SimZone): boolean {
  return rule.editableFrom === undefined || PLAN_RANK[zone.plan] >= PLAN_RANK[rule.editableFrom]
}

/** The value of an unmodified setting; zones of the world differ, new ones have the defaults. */
export function initialValue(id: string, rule: SettingRule, zone: SimZone): unknown {
  if (!zone.fromWorld) return rule.initial
  const chance = randomFrom(hash32(zone.serial, nameNumber(id)))()
  switch (id) {
    case 'ssl':
      return chance < 0.5 ? 'full' : chance < 0.8 ? 'flexible' : chance < 0.97 ? 'strict' : 'off'
    case 'min_tls_version':
      return chance < 0.6 ? '1.0' : chance < 0.97 ? '1.2' : '1.3'
    case 'always_use_https':
      return chance < 0.6 ? 'on' : 'off'
    case 'security_level':
      return chance < 0.01 ? 'under_attack' : chance < 0.1 ? 'high' : chance < 0.2 ? 'essentially_off' : 'medium'
    case 'browser_cache_ttl':
      return chance < 0.8 ? 14400 : chance < 0.9 ? 0 : 86400
    case 'rocket_loader':
    case 'early_hints':
      return chance < 0.15 ? 'on' : 'off'
    case 'security_header':
      return chance < 0.05 ? securityHeader(true) : rule.initial
    default:
      return rule.initial
  }
}

function nameNumber(id: string): number {
  let number = id.length
  for (let at = 0; at < id.length; at++) number = Math.imul(number, 31) + id.charCodeAt(at)
  return number
}

function onOff(initial: 'on' | 'off'): SettingRule {
  return oneOf(initial, 'on', 'off')
}

function oneOf(initial: string, ...values: readonly unknown[]): SettingRule {
  return { accepts: (value) => values.includes(value), initial }
}

function securityHeader(enabled: boolean) {
  return {
    strict_transport_security: { enabled, max_age: enabled ? 15552000 : 0, include_subdomains: false, preload: false, nosniff: enabled },
  }
}

function isSecurityHeader(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['strict_transport_security'])) return false
  return Object.entries(value['strict_transport_security']).every(([name, entry]) =>
    name === 'max_age'
      ? typeof entry === 'number' && entry >= 0
      : ['enabled', 'include_subdomains', 'preload', 'nosniff'].includes(name) && typeof entry === 'boolean',
  )
}
