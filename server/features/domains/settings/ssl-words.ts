import type { CertificatePack, CertificateVerification } from '#server/ports/dns-host.ts'
import type { Certificate, SslState } from '#shared/features/domains/settings/schema.ts'

/** The provider's 21 states of a certificate pack; those not listed are `other`. */
const states: Readonly<Record<string, Certificate['state']>> = {
  active: 'active',
  staging_active: 'active',
  initializing: 'pending_validation',
  pending_validation: 'pending_validation',
  validation_timed_out: 'pending_validation',
  pending_issuance: 'pending_issuance',
  issuance_timed_out: 'pending_issuance',
  pending_deployment: 'pending_issuance',
  deployment_timed_out: 'pending_issuance',
  staging_deployment: 'pending_issuance',
  backup_issued: 'pending_issuance',
  holding_deployment: 'pending_issuance',
  expired: 'expired',
}

type ValidationRecord = Certificate['validationRecords'][number]
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Validation records to create; unknown kinds are left out. */
function toRecords(given: Readonly<Record<string, unknown>>): ValidationRecord[] {
  const records: ValidationRecord[] = []
  const add = (kind: ValidationRecord['kind'], name: string | null, value: string | null) => {
    if (name !== null && value !== null) records.push({ kind, name, value })
  }
  add('txt', text(given['txt_name']), text(given['txt_value']))
  add('cname', text(given['cname']) ?? text(given['record_name']), text(given['cname_target']) ?? text(given['record_target']))
  add('http', text(given['http_url']), text(given['http_body']))
  const emails: unknown[] = Array.isArray(given['emails']) ? given['emails'] : []
  for (const email of emails) add('email', 'email', text(email))
  return records
}

/** A pack without an issued certificate has no end date. */
export function toCertificate(pack: CertificatePack, nowMs: number): Certificate {
  const ended = pack.expiresAt !== null && pack.expiresAt.getTime() <= nowMs
  const state = states[pack.status] ?? 'other'
  return {
    id: pack.id,
    type: pack.type,
    status: pack.status,
    state: state === 'active' && ended ? 'expired' : state,
    hosts: [...pack.hosts],
    authority: pack.certificateAuthority,
    validityDays: pack.validityDays,
    validationMethod: pack.validationMethod,
    expiresAt: pack.expiresAt?.toISOString() ?? null,
    validationRecords: pack.validationRecords.flatMap(toRecords),
    validationErrors: [...pack.validationErrors],
  }
}

/** The provider writes a pack's id with dashes in some answers and without in others. */
const plainId = (id: string) => id.replaceAll('-', '').toLowerCase()

export function toVerifications(given: readonly CertificateVerification[], certificates: readonly Certificate[]): SslState['verification'] {
  return given.map(({ packId, certificateStatus, validationMethod, verificationInfo }) => ({
    certificateId: packId === null ? null : (certificates.find(({ id }) => plainId(id) === plainId(packId))?.id ?? packId),
    status: certificateStatus,
    method: validationMethod,
    records: verificationInfo === null ? [] : toRecords(verificationInfo),
  }))
}
