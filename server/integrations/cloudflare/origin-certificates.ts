import { X509Certificate } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import type { CertificateCalls, HostedOriginCertificate } from '#server/ports/dns-host.ts'
import { everyPage, GoneAlready } from './client.ts'
import type { Client } from './client.ts'
import { instant } from './from-wire.ts'
import * as wire from './wire.ts'
import type { WireOriginCertificate } from './wire.ts'

const path = '/certificates'
const perPage = 50
const alreadyRevoked = '1014'

/** Go's default text of a time, which some answers have instead of ISO 8601: `2014-01-01 05:20:00 +0000 UTC`. */
const goTime = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d\d)(\d\d)(?: [A-Z]{1,5})?$/

const dayMs = 86_400_000

/** The certificate itself has its times if the answer does not. */
function timesOf({ expires_on: text, requested_validity: validityDays, certificate }: WireOriginCertificate) {
  const stated = { expiresAt: instant(text?.replace(goTime, '$1T$2$3:$4')), validityDays: validityDays ?? null }
  if ((stated.expiresAt !== null && stated.validityDays !== null) || certificate == null) return stated
  try {
    const { validFromDate, validToDate } = new X509Certificate(certificate)
    return {
      expiresAt: stated.expiresAt ?? validToDate,
      validityDays: stated.validityDays ?? Math.round((validToDate.getTime() - validFromDate.getTime()) / dayMs),
    }
  } catch {
    return stated
  }
}

const toOriginCertificate = (given: WireOriginCertificate): HostedOriginCertificate => ({
  serial: String(given.id),
  certificate: given.certificate ?? null,
  hostnames: given.hostnames ?? [],
  requestType: given.request_type ?? 'unknown',
  ...timesOf(given),
})

export function originCertificateCalls({
  call,
  result,
}: Client): Pick<CertificateCalls, 'listOriginCertificates' | 'issueOriginCertificate' | 'revokeOriginCertificate'> {
  return {
    listOriginCertificates: async (zone, options) => {
      const all = await everyPage(perPage, (page) =>
        call({ method: 'GET', path, query: { ...page, zone_id: zone }, repeat: 'read' }, wire.originCertificates, options),
      )
      return all.filter(({ revoked_at: revokedAt }) => revokedAt == null || revokedAt === '').map(toOriginCertificate)
    },
    issueOriginCertificate: async ({ csr, hostnames, requestType, validityDays }, options) => {
      const body = { csr, hostnames, request_type: requestType, requested_validity: validityDays }
      return toOriginCertificate(await result({ method: 'POST', path, body, repeat: 'once' }, wire.originCertificate, options))
    },
    revokeOriginCertificate: async (serial, options) => {
      const target = { method: 'DELETE', path: `${path}/{certificate}`, ids: { certificate: serial }, repeat: 'idempotent' } as const
      try {
        await call(target, wire.anything, options)
      } catch (error) {
        const isRevoked = error instanceof GoneAlready || (error instanceof AppError && error.provider?.code === alreadyRevoked)
        if (!isRevoked) throw error
      }
    },
  }
}
