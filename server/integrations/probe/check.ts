import type { CheckResult, Finding, Target } from '#server/ports/region-probe.ts'
import { reasonCode } from '#shared/features/monitoring/schema.ts'
import { reasonRow } from '#shared/features/monitoring/reasons.ts'
import type { Answer } from './ask.ts'
import { compare } from './compare.ts'
import type { Found } from './look-up.ts'
import { createRun } from './run.ts'
import type { Means, Run } from './run.ts'
import { textOf } from './text-of.ts'
import { ProbeError } from './probe-error.ts'
import { visit } from './visit.ts'

/** Share of the timeout above which a response is slow, unless configured. */
const slowShare = 0.5

/** Created once, because an exception per check is expensive. */
const over = 'over'

const unanswered: Found = { kind: 'silent', error: 'TIMEOUT', ours: false }

/**
 * Checks a domain once.
 * @param ends aborts when the result is no longer needed.
 */
export async function check(means: Means, { name, options, expected }: Target, ends: AbortSignal): Promise<CheckResult> {
  const asked = await means.lookUp.domain(name)
  const startedAtMs = performance.now()
  const stop = new AbortController()
  const end = () => stop.abort(over)
  const timeoutMs = options.timeoutSeconds * 1000
  const timer = setTimeout(end, timeoutMs)
  ends.addEventListener('abort', end, { once: true })
  if (ends.aborted) end()
  const run = createRun(means, options, stop.signal, timeoutMs)
  try {
    run.hosts.set(name, asked)
    const probeError = await attempt(run, name, startedAtMs)
    if (probeError !== null && (probeError.ours || (reasonRow(probeError.code).isDelay === true && run.isLate())))
      return resultOf(run, 'inconclusive')
    if (probeError !== null) run.seen.failures.push(probeError.finding)
    const late = () => new ProbeError('dns_no_answer', {})
    const [v4, v6, delegated] = await Promise.all(
      [asked.v4, asked.v6, asked.nameServers].map((found) => run.within(found, late).catch(() => unanswered)),
    )
    evaluateDns(run, expected, { v4: v4 ?? unanswered, v6: v6 ?? unanswered, nameServers: delegated ?? unanswered })
    return ends.aborted ? resultOf(run, 'inconclusive') : resultOf(run, run.seen.failures.length > 0 ? 'failed' : 'good')
  } finally {
    clearTimeout(timer)
    ends.removeEventListener('abort', end)
    end()
  }
}

/** The error that ended the visit, or null. */
async function attempt(run: Run, name: string, startedAtMs: number): Promise<ProbeError | null> {
  const { seen, options } = run
  try {
    const answer = await visit(run, name)
    const totalMs = performance.now() - startedAtMs
    seen.timings.totalMs = totalMs
    evaluateAnswer(run, answer)
    const isSlow = totalMs > (options.slowMs ?? options.timeoutSeconds * 1000 * slowShare) && !run.isLate()
    if (isSlow) seen.warnings.push({ code: 'slow', params: { ms: Math.round(totalMs) } })
    return null
  } catch (error) {
    if (error instanceof ProbeError) return error
    throw error
  }
}

function evaluateAnswer({ options, seen }: Run, { status, headers, body }: Answer): void {
  if (!options.expectedStatus.some(({ from, to }) => status >= from && status <= to)) {
    // The provider's bot challenge: it says nothing about the domain.
    if (headers['cf-mitigated'] === 'challenge') throw new ProbeError('http_status', { status }, true)
    seen.failures.push({ code: 'http_status', params: { status } })
    return
  }
  const { keyword } = options
  if (keyword !== null && !textOf(body, headers).includes(keyword)) seen.failures.push({ code: 'keyword_missing', params: { keyword } })
}

function evaluateDns({ means, seen }: Run, expected: Target['expected'], dns: Parameters<typeof compare>[1]): void {
  if (seen.failures.some(({ code }) => code === 'dns_no_such_name')) return
  const isNameless = seen.failures.some(({ code }) => code.startsWith('dns_'))
  const found = [dns.v4, dns.v6].flatMap((each) => (each.kind === 'found' ? each.values : []))
  const isPrivate = !found.every((address) => means.guard.allows(address))
  seen.warnings.push(...compare(isNameless || isPrivate ? { ...expected, addresses: null } : expected, dns))
  if (isPrivate && !seen.failures.some(({ code }) => code === 'private_address'))
    seen.failures.push({ code: 'private_address', params: {} })
}

const gravity = new Map(reasonCode.options.map((code, index) => [code, index]))
const gravestFirst = (one: Finding, other: Finding) => (gravity.get(one.code) ?? 0) - (gravity.get(other.code) ?? 0)
const whole = (ms: number | null) => (ms === null ? null : Math.round(ms))

function resultOf({ seen }: Run, outcome: CheckResult['outcome']): CheckResult {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = seen.timings
  return {
    outcome,
    findings: outcome === 'inconclusive' ? [] : [...seen.failures.toSorted(gravestFirst), ...seen.warnings.toSorted(gravestFirst)],
    status: seen.status,
    family: seen.family,
    timings: {
      dnsMs: whole(dnsMs),
      connectMs: whole(connectMs),
      tlsMs: whole(tlsMs),
      firstByteMs: whole(firstByteMs),
      totalMs: whole(totalMs),
    },
    certificate: seen.certificate,
  }
}
