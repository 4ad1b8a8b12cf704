import { domainToUnicode } from 'node:url'
import { packProtection } from '#shared/features/domains/protection.ts'
import type { ProtectionPart } from '#shared/features/domains/protection.ts'
import { dnssecState } from '#shared/features/domains/schema.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
import type { SettingKey } from '#shared/features/domains/settings/schema.ts'
import type { HostedRecord, HostedSetting, HostedZone } from '#server/ports/dns-host.ts'
import type { ListedSettings, StoredSetting } from './settings.repo.ts'

const statuses: Readonly<Record<string, 'active' | 'pending' | 'initializing'>> = {
  active: 'active',
  pending: 'pending',
  initializing: 'initializing',
}

/** The provider's status mapped to the panel's; a status that is neither active nor pending is an error. */
export const zoneStatusOf = (providerStatus: string) => statuses[providerStatus] ?? 'error'

/** The text for substring search: the name and, if different, its Unicode form on a second line. */
export function searchTextOf(name: string): string {
  const unicode = name.includes('xn--') ? domainToUnicode(name) : name
  return unicode === '' || unicode === name ? name : `${name}\n${unicode}`
}

/** The settings that lists show; each costs one call per zone. */
export const mirroredSettings = ['ssl', 'min_tls_version', 'always_use_https', 'security_level', 'security_header'] as const

/** A listed zone as a row, by column name. */
export const zoneRowOf = (zone: HostedZone) => ({
  zone_id: zone.providerZoneId,
  name: zone.name,
  search: searchTextOf(zone.name),
  status: zoneStatusOf(zone.status),
  provider_status: zone.status,
  paused: zone.paused,
  type: zone.type,
  plan: zone.plan?.name ?? null,
  name_servers: zone.nameServers,
  details: {
    account: zone.account,
    owner: zone.owner,
    plan: zone.plan,
    originalNameServers: zone.originalNameServers,
    originalRegistrar: zone.originalRegistrar,
    originalDnsHost: zone.originalDnsHost,
    verificationKey: zone.verificationKey,
    cnameSuffix: zone.cnameSuffix,
    vanityNameServers: zone.vanityNameServers,
    pageRuleQuota: zone.pageRuleQuota,
    customCertificateQuota: zone.customCertificateQuota,
  },
  provider_account_id: zone.account.id,
  // The provider reports negative seconds once it has expired.
  development_mode: Math.max(0, zone.developmentModeSeconds),
  phishing: zone.phishingDetected,
  provider_created_at: zone.createdAt,
  provider_modified_at: zone.modifiedAt,
  activated_at: zone.activatedAt,
})
export type ZoneRow = ReturnType<typeof zoneRowOf>

/** The limit for the address filter; lists show the first of them. */
const mostAddresses = 1_000

/** The list columns derived from a zone's records. */
export function summarizeRecords(records: readonly Pick<HostedRecord, 'type' | 'content' | 'proxied'>[]) {
  const addresses = new Set<string>()
  let proxied = 0
  for (const record of records) {
    if (record.proxied) proxied += 1
    if (record.type === 'A' || record.type === 'AAAA') addresses.add(record.content)
  }
  return { records_count: records.length, proxied_count: proxied, origin_ips: [...addresses].toSorted().slice(0, mostAddresses) }
}

const onOff = (value: unknown) => (value === 'on' ? true : value === 'off' ? false : undefined)
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

function hstsEnabled(value: unknown): boolean | undefined {
  if (typeof value !== 'object' || value === null || !('strict_transport_security' in value)) return undefined
  const header = value.strict_transport_security
  return typeof header === 'object' && header !== null && 'enabled' in header && typeof header.enabled === 'boolean'
    ? header.enabled
    : undefined
}

/** A setting in its stored form. */
export const storedSetting = ({ value, editable, modifiedAt, details }: HostedSetting): StoredSetting => ({
  value,
  editable,
  modifiedOn: modifiedAt?.toISOString() ?? null,
  ...(details === undefined ? {} : { details }),
})

/** Settings of bots and the status of DNSSEC; one that was read without a value, because the plan lacks it, is unknown again. */
function readProtection(settings: readonly HostedSetting[]): ProtectionPart {
  const read = (key: SettingKey, valueOf: (setting: HostedSetting) => string | undefined) => {
    const setting = settings.find(({ id }) => id === settingCatalog[key].id)
    return setting === undefined ? undefined : (valueOf(setting) ?? '')
  }
  const onOff = ({ value }: HostedSetting) => (typeof value === 'boolean' ? (value ? 'enabled' : 'disabled') : undefined)
  return packProtection({
    botFightMode: read('botFightMode', onOff),
    aiBots: read('aiBots', ({ value }) => text(value)),
    aiLabyrinth: read('aiLabyrinth', onOff),
    managedRobotsTxt: read('managedRobotsTxt', onOff),
    dnssec: read('dnssec', ({ details }) => dnssecState.safeParse(details).data?.status),
  })
}

/** The list columns derived from settings; absent if those were not read or are malformed. */
export function listedSettings(settings: readonly HostedSetting[]): ListedSettings {
  const byId = new Map(settings.map((setting) => [setting.id, setting.value]))
  const [sslMode, tlsMin, securityLevel] = [text(byId.get('ssl')), text(byId.get('min_tls_version')), text(byId.get('security_level'))]
  const [https, hsts] = [onOff(byId.get('always_use_https')), hstsEnabled(byId.get('security_header'))]
  return {
    ...(sslMode === undefined ? {} : { sslMode }),
    ...(tlsMin === undefined ? {} : { tlsMin }),
    ...(https === undefined ? {} : { https }),
    ...(hsts === undefined ? {} : { hsts }),
    ...(securityLevel === undefined ? {} : { securityLevel }),
    protection: readProtection(settings),
  }
}
