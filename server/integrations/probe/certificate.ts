import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { soonBeforeMs } from '#shared/expires-soon.ts'
import type { Finding, SeenCertificate } from '#server/ports/region-probe.ts'
import { plain } from './probe-error.ts'

const dayMs = 86_400_000
const mostNames = 100

/** Detected from the dates. */
const expired = 'CERT_HAS_EXPIRED'

interface EvaluatedCertificate {
  readonly certificate: SeenCertificate
  /** Errors for which browsers warn. */
  readonly failures: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** An unreadable date counts as expired long ago. */
const dateOf = (text: string): Date => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? new Date(0) : date
}

/**
 * The certificate shown for `host`; null: none.
 * @param soonDays days before expiry from which a warning is reported, but not before the last third of the validity
 */
export function evaluateCertificate(socket: TLSSocket, host: string, nowMs: number, soonDays: number): EvaluatedCertificate | null {
  const shown = socket.getPeerX509Certificate()
  if (shown === undefined) return null
  const issuer = issuerOf(shown)
  const names = namesOf(shown)
  const notBefore = dateOf(shown.validFrom)
  const notAfter = dateOf(shown.validTo)
  const days = Math.floor((notAfter.getTime() - nowMs) / dayMs)
  const failures: Finding[] = []
  const error = socket.authorized ? null : String(socket.authorizationError)
  if (notAfter.getTime() <= nowMs) failures.push({ code: 'cert_expired', params: { days: -days - 1, name: host } })
  if (error !== null && error !== expired) failures.push({ code: 'cert_untrusted', params: { issuer, error: plain(error), name: host } })
  if (shown.checkHost(host) === undefined) {
    failures.push({ code: 'cert_wrong_name', params: { name: host, found: plain(names.slice(0, 5).join(', ')) } })
  }
  const soon = failures.length === 0 && notAfter.getTime() - nowMs < soonBeforeMs(notAfter.getTime() - notBefore.getTime(), soonDays)
  return {
    certificate: {
      issuer,
      names,
      notBefore,
      notAfter,
      trusted: failures.length === 0,
      fingerprint: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
    },
    failures,
    warnings: soon ? [{ code: 'cert_expires_soon', params: { days } }] : [],
  }
}

/** `C=US\nO=Let's Encrypt\nCN=R3`: the organization, or else its name. */
function issuerOf({ issuer }: X509Certificate): string {
  const fields = new Map(issuer.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  return plain(fields.get('O') ?? fields.get('CN') ?? '')
}

function namesOf({ subjectAltName }: X509Certificate): readonly string[] {
  const names = (subjectAltName ?? '').split(', ').filter((entry) => entry.startsWith('DNS:'))
  return names.slice(0, mostNames).map((entry) => plain(entry.slice(4).toLowerCase()))
}
