import { originSoonAtMs } from '#shared/features/domains/origin-certificates/choices.ts'
import type { OriginCertificate } from '#shared/features/domains/origin-certificates/schema.ts'
import type { HostedOriginCertificate } from '#server/ports/dns-host.ts'
import { publicKeyHashOf } from './signing-request.ts'
import type { OriginCertificateRow } from './origin-certificates.repo.ts'

/** Of an encrypted key; part of its encryption. */
export const originKeyContext = (id: string) => `originCertificate:${id}:key`

/** The provider's types without their common prefix: `rsa`, `ecc`, `keyless-certificate`. */
const typeOf = (requestType: string) => requestType.replace(/^origin-/, '')

export const toRead = (hosted: HostedOriginCertificate) => ({
  serial: hosted.serial,
  hostnames: [...hosted.hostnames],
  type: typeOf(hosted.requestType),
  validityDays: hosted.validityDays,
  expiresAt: hosted.expiresAt,
  expiresSoonAt: hosted.expiresAt === null ? null : new Date(originSoonAtMs(hosted.expiresAt.getTime(), hosted.validityDays)),
  certificate: hosted.certificate,
  publicKeyHash: publicKeyHashOf(hosted.certificate),
})

export function toView(row: OriginCertificateRow, nowMs: number): OriginCertificate {
  const { id, serial, hostnames, type, validityDays, expiresAt, goneAt, keySealed } = row
  const ended = expiresAt !== null && expiresAt.getTime() <= nowMs
  return {
    id,
    serial,
    hostnames,
    type,
    validityDays,
    expiresAt: expiresAt?.toISOString() ?? null,
    state: serial === null ? 'unknown' : goneAt !== null ? 'unlisted' : ended ? 'expired' : 'active',
    hasKey: keySealed !== null,
  }
}

export const toDetails = (row: OriginCertificateRow, nowMs: number) => ({ ...toView(row, nowMs), pem: row.certificate })
