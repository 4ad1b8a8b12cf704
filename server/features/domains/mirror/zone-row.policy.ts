import { domainToUnicode } from 'node:url'
import type { HostedRecord, HostedSetting, HostedZone } from '#server/ports/dns-host.ts'
import type { ListedSettings, StoredSetting } from './settings.repo.ts'

const statuses: Readonly<Record<string, 'active' | 'pending' | 'initializing'>> = {
  active: 'active',
  pending: 'pending',
  initializing: 'initializing',
}

/** The provider's status in our coarser words; what is neither working nor on its way is an error. */
export const zoneStatusOf = (providerStatus: string) => statuses[providerStatus] ?? 'error'

/** What substring search reads: the name and, where it differs, its Unicode form on a line of its own. */
export function searchTextOf(name: string): string {
  const unicode = name.includes('xn--') ? domainToUnicode(name) : name
  return unicode === '' || unicode === name ? name : `${name}\n${unicode}`
}

/** The settings that lists show; each costs a call a zone. */
export const mirroredSettings = ['ssl', 'min_tls_version', 'always_use_https', 'security_level', 'security_header'] as const

/** A zone of the listing as its row, in the names of the columns. */
export const zoneRowOf = (zone: HostedZone) => ({
  zone_id: zone.zoneId,
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
  // Below zero the provider counts since it ran out.
  development_mode: Math.max(0, zone.developmentModeSeconds),
  phishing: zone.phishingDetected,
  provider_created_at: zone.createdAt,
  provider_modified_at: zone.modifiedAt,
  activated_at: zone.activatedAt,
})
export type ZoneRow = ReturnType<typeof zoneRowOf>

/** As many as can be found by the address filter; lists show the first of them. */
const mostAddresses = 1_000

/** What lists show of a zone's records. */
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

/** A setting as it is kept. */
export const storedSetting = ({ value, editable, modifiedAt }: HostedSetting): StoredSetting => ({
  value,
  editable,
  modifiedOn: modifiedAt?.toISOString() ?? null,
})

/** The columns of lists that follow from settings; absent where they were not read, or have another form. */
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
  }
}
