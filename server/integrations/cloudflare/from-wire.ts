import { domainToASCII } from 'node:url'
import type { CertificatePack, CertificateVerification, HostedRecord, HostedSetting, HostedZone } from '#server/ports/dns-host.ts'
import type { WireCertificatePack, WireRecord, WireSetting, WireVerification, WireZone } from './wire.ts'

export function toZone(zone: WireZone): HostedZone {
  return {
    providerZoneId: zone.id,
    name: hostName(zone.name),
    status: zone.status ?? 'unknown',
    paused: zone.paused ?? false,
    type: zone.type ?? 'full',
    developmentModeSeconds: zone.development_mode ?? 0,
    nameServers: zone.name_servers ?? [],
    originalNameServers: zone.original_name_servers ?? [],
    originalRegistrar: zone.original_registrar ?? null,
    originalDnsHost: zone.original_dnshost ?? null,
    verificationKey: zone.verification_key ?? null,
    cnameSuffix: zone.cname_suffix ?? null,
    vanityNameServers: zone.vanity_name_servers ?? [],
    createdAt: instant(zone.created_on),
    modifiedAt: instant(zone.modified_on),
    activatedAt: instant(zone.activated_on),
    account: { id: zone.account?.id ?? '', name: zone.account?.name ?? '' },
    owner: { id: zone.owner?.id ?? null, type: zone.owner?.type ?? null, email: zone.owner?.email ?? null },
    plan: zone.plan === null || zone.plan === undefined ? null : { id: zone.plan.id, name: zone.plan.name ?? '' },
    pageRuleQuota: zone.meta?.page_rule_quota ?? null,
    customCertificateQuota: zone.meta?.custom_certificate_quota ?? null,
    phishingDetected: zone.meta?.phishing_detected ?? false,
  }
}

export function toSetting(id: string, setting: WireSetting): HostedSetting {
  return {
    id: setting.id ?? id,
    value: setting.value,
    editable: setting.editable ?? true,
    modifiedAt: instant(setting.modified_on),
    timeRemainingSeconds: setting.time_remaining ?? null,
  }
}

export function toRecord(record: WireRecord): HostedRecord {
  return {
    recordId: record.id,
    type: record.type,
    name: record.name,
    content: record.content ?? '',
    ttl: record.ttl ?? 1,
    proxied: record.proxied ?? false,
    proxiable: record.proxiable ?? false,
    priority: record.priority ?? null,
    comment: record.comment ?? null,
    tags: record.tags ?? [],
    data: record.data ?? null,
    modifiedAt: instant(record.modified_on),
  }
}

export function toPack(pack: WireCertificatePack): CertificatePack {
  const certificates = pack.certificates ?? []
  const primary = certificates.find(({ id }) => id !== null && id === pack.primary_certificate) ?? certificates[0]
  return {
    id: pack.id,
    type: pack.type ?? 'unknown',
    status: pack.status ?? 'unknown',
    hosts: pack.hosts ?? [],
    certificateAuthority: pack.certificate_authority ?? null,
    validityDays: pack.validity_days ?? null,
    validationMethod: pack.validation_method ?? null,
    validationRecords: pack.validation_records ?? [],
    validationErrors: (pack.validation_errors ?? []).flatMap(({ message }) => (message === null || message === undefined ? [] : [message])),
    expiresAt: instant(primary?.expires_on),
  }
}

export function toVerification(verification: WireVerification): CertificateVerification {
  return {
    packId: verification.cert_pack_uuid ?? null,
    certificateStatus: verification.certificate_status ?? 'unknown',
    validationMethod: verification.validation_method ?? null,
    verificationInfo: verification.verification_info ?? null,
  }
}

export function instant(text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : new Date(at)
}

/** Punycode, lower case; unchanged if it is not a host name. */
export function hostName(name: string): string {
  if (/^[a-z0-9.-]+$/.test(name)) return name
  return domainToASCII(name) || name.toLowerCase()
}

/** What the database can store: no zero characters, and no half of a character, which a cut may leave. */
export function textOf(value: unknown, longest = 255): string | null {
  if (typeof value !== 'string') return null
  const text = value.replaceAll('\0', '').slice(0, longest).toWellFormed()
  return text === '' ? null : text
}
