import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { Opinion, SecondOpinion } from '#server/ports/second-opinion.ts'
import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import { opinionOf } from './opinion-of.ts'
import { createQuota } from './quota.ts'
import type { Quota } from './quota.ts'
import * as wire from './wire.ts'

const continents = {
  EUROPE: 'EU',
  NORTH_AMERICA: 'NA',
  ASIA: 'AS',
  SOUTH_AMERICA: 'SA',
  AFRICA: 'AF',
  OCEANIA: 'OC',
} as const satisfies Record<Region, string>

/** Polling interval recommended by Globalping, after each response. */
const pollEveryMs = 500
/** Timeout of a test; their default is half a minute. */
const testSeconds = 10
/** Timeout of one measurement, including the wait for a probe. */
const measuredMs = testSeconds * 1_000 + 10_000
const mostBytes = 1_000_000

interface Means {
  readonly call: (method: 'GET' | 'POST', path: string, body: object | null, signal: AbortSignal) => Promise<HttpAnswer>
  readonly quota: Quota
  readonly clock: Clock
  readonly log: Log
}

type Target = { readonly name: string; readonly options: CheckOptions }
type NotMeasurable = Extract<Opinion, { readonly kind: 'not_measurable' }>

/** The Globalping network (jsDelivr): measuring points run by volunteers, 250 tests an hour without a token. */
export function createGlobalping(options: {
  readonly baseUrl: string
  readonly token: string | undefined
  readonly userAgent: string
  readonly clock: Clock
  readonly log: Log
  /** Timeout of each response. */
  readonly answerMs?: number
}): SecondOpinion {
  const { baseUrl, token, userAgent, clock, log, answerMs = 8_000 } = options
  const http = createHttpClient({ userAgent, maxBytes: mostBytes, connectionsPerOrigin: 8 })
  const closing = new AbortController()
  const means: Means = {
    quota: createQuota(clock),
    clock,
    log,
    call: (method, path, body, signal) =>
      http.request({
        method,
        url: `${baseUrl}${path}`,
        headers: {
          accept: 'application/json',
          ...(body !== null && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== null && { body: JSON.stringify(body) }),
        headersTimeoutMs: answerMs,
        timeoutMs: answerMs,
        signal,
      }),
  }
  return {
    async ask(target, regions, signal) {
      const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const opinions = await measure(means, target, regions, 'HTTPS', ends)
      // A site may lack HTTPS, as for our own probes.
      const unheard = regions.filter((region) => didNotConnect(opinions.get(region)))
      if (unheard.length === 0 || ends.aborted) return opinions
      const plain = await measure(means, target, unheard, 'HTTP', ends)
      for (const [region, opinion] of plain) {
        if (opinion.kind === 'seen' && opinion.result.outcome !== 'failed') opinions.set(region, opinion)
      }
      return opinions
    },
    async close() {
      closing.abort()
      await http.close()
    },
  }
}

const withoutHttps = new Set(['connect_refused', 'connect_timeout', 'connect_failed'])

function didNotConnect(opinion: Opinion | undefined): boolean {
  return (
    opinion?.kind === 'seen' && opinion.result.outcome === 'failed' && opinion.result.findings.some(({ code }) => withoutHttps.has(code))
  )
}

async function measure(
  means: Means,
  target: Target,
  regions: readonly Region[],
  protocol: 'HTTPS' | 'HTTP',
  ends: AbortSignal,
): Promise<Map<Region, Opinion>> {
  const all = (opinion: Opinion) => new Map(regions.map((region) => [region, opinion]))
  if (regions.length === 0) return new Map()
  const waitSeconds = means.quota.take(regions.length)
  if (waitSeconds !== null) return all({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: waitSeconds })
  try {
    const begun = await begin(means, target, regions, protocol, ends)
    if (typeof begun === 'object') return all(begun)
    const results = await readResults(means, begun, ends)
    return new Map(
      regions.map((region) => {
        const found = results?.find(({ probe }) => probe.continent === continents[region])
        if (found !== undefined) return [region, opinionOf(found.result, target.options, means.clock.now())]
        return [region, { kind: 'not_measurable', why: results === null ? 'unanswered' : 'no_probe', retryAfterSeconds: null }]
      }),
    )
  } catch (error) {
    if (!ends.aborted)
      means.log.warn({ failure: error instanceof HttpError ? error.failure : String(error) }, 'failed to get a second opinion')
    return all({ kind: 'not_measurable', why: 'unanswered', retryAfterSeconds: null })
  }
}

/** @returns the measurement's id, or why there is none. */
async function begin(
  means: Means,
  { name, options }: Target,
  regions: readonly Region[],
  protocol: 'HTTPS' | 'HTTP',
  ends: AbortSignal,
): Promise<string | NotMeasurable> {
  const { pathname, search } = new URL(`https://${name}${options.path}`)
  const answer = await means.call(
    'POST',
    '/measurements',
    {
      type: 'http',
      target: name,
      timeout: testSeconds,
      locations: regions.map((region) => ({ continent: continents[region], limit: 1 })),
      measurementOptions: {
        protocol,
        port: protocol === 'HTTPS' ? 443 : 80,
        request: { method: 'GET', path: pathname, ...(search !== '' && { query: search.slice(1) }) },
      },
    },
    ends,
  )
  means.quota.learn(answer)
  if (answer.status === 202) return wire.created.parse(JSON.parse(answer.text)).id
  const { type, message } = refusalOf(answer.text)
  if (answer.status === 429) return { kind: 'not_measurable', why: 'limit', retryAfterSeconds: means.quota.closedFor() }
  if (answer.status === 422 && type === 'no_probes_found') return { kind: 'not_measurable', why: 'no_probe', retryAfterSeconds: null }
  if (answer.status === 400 || answer.status === 422) return { kind: 'not_measurable', why: 'refused', retryAfterSeconds: null }
  means.log.warn({ status: answer.status, type, message }, 'a second opinion was declined')
  return { kind: 'not_measurable', why: 'unanswered', retryAfterSeconds: null }
}

/** Null: it did not finish in time. */
async function readResults(means: Means, id: string, ends: AbortSignal) {
  const until = means.clock.now() + measuredMs
  while (means.clock.now() < until) {
    await means.clock.sleep(pollEveryMs, ends)
    const answer = await means.call('GET', `/measurements/${encodeURIComponent(id)}`, null, ends)
    if (answer.status !== 200) return null
    const { status, results } = wire.measurement.parse(JSON.parse(answer.text))
    if (status !== 'in-progress') return results
  }
  return null
}

function refusalOf(text: string): { readonly type: string; readonly message: string } {
  try {
    return wire.refusal.parse(JSON.parse(text)).error
  } catch {
    return { type: 'unknown', message: '' }
  }
}
