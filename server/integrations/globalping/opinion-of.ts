import type { CheckResult, Finding } from '#server/ports/region-probe.ts'
import type { Opinion } from '#server/ports/second-opinion.ts'
import type { CheckOptions } from '#shared/features/monitoring/schema.ts'
import type { Certificate, Failed, Finished, TestResult } from './wire.ts'

const longestText = 200
const dayMs = 86_400_000
const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null }
const unanswered: Opinion = { kind: 'not_measurable', why: 'unanswered', retryAfterSeconds: null }

const seen = (outcome: CheckResult['outcome'], findings: readonly Finding[], more: Partial<CheckResult> = {}): Opinion => ({
  kind: 'seen',
  result: { outcome, findings, status: null, family: null, timings: noTimings, certificate: null, ...more },
})

/** Converts a result of Globalping to the panel's terms. */
export function opinionOf(result: TestResult, options: CheckOptions, nowMs: number): Opinion {
  switch (result.status) {
    case 'finished':
      return ofAnswer(result, options, nowMs)
    case 'failed':
      return ofFailure(result)
    case 'other':
      return unanswered
  }
}

/** Failures caused by the domain in any case, even without details. */
const ofTarget: readonly (readonly [RegExp, Finding['code']])[] = [
  [/ENOTFOUND/, 'dns_no_such_name'],
  [/ENODATA/, 'dns_no_address'],
  [/ECONNREFUSED/, 'connect_refused'],
  [/ETIMEDOUT|timeout/i, 'connect_timeout'],
  [/ECONNRESET|socket hang up/, 'connection_lost'],
  [/EPROTO|SSL|TLS/, 'tls_failed'],
  [/HPE_/, 'not_http'],
]

function ofFailure({ rawOutput, failureSource, resolvedAddress }: Failed): Opinion {
  const error = rawOutput.replace(/\s+/g, ' ').slice(0, longestText)
  const code = ofTarget.find(([pattern]) => pattern.test(rawOutput))?.[1]
  const params = { error, ...(resolvedAddress != null && { address: resolvedAddress }) }
  switch (failureSource ?? null) {
    case 'target':
      return seen('failed', [{ code: code ?? 'connect_failed', params }])
    case 'resolver':
      return seen('failed', [{ code: code?.startsWith('dns_') === true ? code : 'dns_no_answer', params }])
    case null:
      return code === undefined ? unanswered : seen('failed', [{ code, params }])
    default:
      return unanswered
  }
}

function ofAnswer(answer: Finished, options: CheckOptions, nowMs: number): Opinion {
  const { statusCode: status, timings, tls, headers, rawBody, truncated } = answer
  const whole = (ms: number | null | undefined) => (ms == null ? null : Math.max(0, Math.round(ms)))
  const more = {
    status,
    timings: {
      dnsMs: whole(timings.dns),
      connectMs: whole(timings.tcp),
      tlsMs: whole(timings.tls),
      firstByteMs: whole(timings.firstByte),
      totalMs: whole(timings.total),
    },
    certificate: tls && certificateOf(tls),
  }
  const failures = tls === null ? [] : findingsOf(tls, nowMs)
  const isExpected = options.expectedStatus.some(({ from, to }) => status >= from && status <= to)
  // The content of the redirect target is unknown.
  const leadsOn = options.followRedirects && status >= 300 && status < 400 && status !== 304
  if (failures.length > 0) return seen('failed', failures, more)
  if (headers['cf-mitigated'] === 'challenge' && !isExpected) return seen('inconclusive', [], more)
  if (leadsOn && (!isExpected || options.keyword !== null)) return seen('inconclusive', [], more)
  if (!isExpected) return seen('failed', [{ code: 'http_status', params: { status } }], more)
  const { keyword } = options
  if (keyword === null || rawBody?.includes(keyword) === true) return seen('good', [], more)
  return truncated ? seen('inconclusive', [], more) : seen('failed', [{ code: 'keyword_missing', params: { keyword } }], more)
}

const issuerOf = ({ issuer }: Certificate): string => (issuer.O ?? issuer.CN ?? '').slice(0, longestText)

function findingsOf(tls: Certificate, nowMs: number): readonly Finding[] {
  if (tls.authorized) return []
  const overdueMs = nowMs - Date.parse(tls.expiresAt)
  const error = (tls.error ?? '').slice(0, longestText)
  if (overdueMs >= 0) return [{ code: 'cert_expired', params: { days: Math.floor(overdueMs / dayMs) } }]
  if (/altname/i.test(error)) return [{ code: 'cert_wrong_name', params: { error } }]
  return [{ code: 'cert_untrusted', params: { issuer: issuerOf(tls), error } }]
}

function certificateOf(tls: Certificate): CheckResult['certificate'] {
  const names = (tls.subject.alt ?? '').split(', ').filter((name) => name.startsWith('DNS:'))
  return {
    issuer: issuerOf(tls),
    names: names.slice(0, 100).map((name) => name.slice(4).toLowerCase().slice(0, longestText)),
    notBefore: new Date(tls.createdAt),
    notAfter: new Date(tls.expiresAt),
    trusted: tls.authorized,
    fingerprint: tls.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}
