import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Opinion, SecondOpinion } from '#server/ports/second-opinion.ts'
import { startGlobalpingSimulator } from '#server/simulators/globalping/simulator.ts'
import type { GlobalpingFault, GlobalpingOptions, Sight } from '#server/simulators/globalping/simulator.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { defaultCheckOptions } from '#shared/features/monitoring/schema.ts'
import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import { createGlobalping } from './adapter.ts'
import { createQuota } from './quota.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function start(options: GlobalpingOptions = {}, token?: string) {
  const fake = createFakeClock()
  // Time advances with each sleep.
  const clock = { ...fake, sleep: (ms: number, signal?: AbortSignal) => fake.advance(ms).then(() => signal?.throwIfAborted()) }
  const simulator = await startGlobalpingSimulator({ now: clock.now, pollsUntilDone: 0, ...options })
  const opinions = createGlobalping({
    baseUrl: simulator.url,
    token,
    userAgent: 'zonedeck-test',
    clock,
    log: createLog('silent'),
    answerMs: 500,
  })
  ends.push(simulator.close, () => opinions.close())
  return { simulator, opinions, clock }
}

const target = (change: Partial<CheckOptions> = {}) => ({ name: 'shop.example', options: { ...defaultCheckOptions, ...change } })
const sees = (sight: Sight) => () => sight

/** One region's result in short: the outcome and the findings, or why there is none. */
async function opinionFor(sight: Sight, change: Partial<CheckOptions> = {}): Promise<string> {
  const { opinions } = await start({ see: sees(sight) })
  const opinion = (await opinions.ask(target(change), ['ASIA'])).get('ASIA')
  return short(opinion)
}

function short(opinion: Opinion | undefined): string {
  if (opinion === undefined) return 'none'
  if (opinion.kind === 'not_measurable') return opinion.why
  return [opinion.result.outcome, ...opinion.result.findings.map(({ code }) => code)].join(' ')
}

describe('R-MON-03 a second opinion from regions without a probe', () => {
  test('each region is measured on its continent, in one test each, and reported separately', async () => {
    const { simulator, opinions } = await start({
      see: (_, continent): Sight => (continent === 'AS' ? { kind: 'answer', status: 521 } : { kind: 'answer' }),
    })
    const regions: Region[] = ['EUROPE', 'ASIA', 'OCEANIA', 'AFRICA', 'NORTH_AMERICA', 'SOUTH_AMERICA']
    const seen = await opinions.ask(target({ path: '//shop?page=1&x=%20' }), regions)
    expect(Object.fromEntries([...seen].map(([region, opinion]) => [region, short(opinion)]))).toEqual({
      EUROPE: 'good',
      ASIA: 'failed http_status',
      OCEANIA: 'good',
      AFRICA: 'good',
      NORTH_AMERICA: 'good',
      SOUTH_AMERICA: 'good',
    })
    expect(simulator.asked.map(({ measured }) => measured)).toEqual([
      {
        type: 'http',
        timeout: 10,
        target: 'shop.example',
        locations: ['EU', 'AS', 'OC', 'AF', 'NA', 'SA'].map((continent) => ({ continent, limit: 1 })),
        measurementOptions: { protocol: 'HTTPS', port: 443, request: { method: 'GET', path: '//shop', query: 'page=1&x=%20' } },
      },
    ])
  })

  test('a result has status, times and certificate', async () => {
    const { opinions } = await start()
    const opinion = (await opinions.ask(target(), ['EUROPE'])).get('EUROPE')
    expect(opinion).toMatchObject({
      kind: 'seen',
      result: {
        outcome: 'good',
        status: 200,
        timings: { dnsMs: 10, connectMs: 20, tlsMs: 30, firstByteMs: 25, totalMs: 90 },
        certificate: { issuer: 'Simulated Trust', names: ['shop.example', '*.shop.example'], trusted: true, fingerprint: 'abcdef' },
      },
    })
  })

  test.each<[string, Sight, Partial<CheckOptions>, string]>([
    ['an answer that is not expected', { kind: 'answer', status: 503 }, {}, 'failed http_status'],
    ['a redirect, which they do not follow', { kind: 'answer', status: 301 }, {}, 'good'],
    ['a redirect where only 200 will do', { kind: 'answer', status: 301 }, { expectedStatus: [{ from: 200, to: 200 }] }, 'inconclusive'],
    ['a keyword behind a redirect', { kind: 'answer', status: 302 }, { keyword: 'shop' }, 'inconclusive'],
    ['a page with the keyword', { kind: 'answer', body: 'the shop' }, { keyword: 'shop' }, 'good'],
    ['a page without it', { kind: 'answer', body: 'the shed' }, { keyword: 'shop' }, 'failed keyword_missing'],
    ['a page cut before it', { kind: 'answer', body: 'the', truncated: true }, { keyword: 'shop' }, 'inconclusive'],
    ['a challenge', { kind: 'answer', status: 403, headers: { 'cf-mitigated': 'challenge' } }, {}, 'inconclusive'],
    ['a foreign certificate', { kind: 'answer', certificateError: 'ERR_TLS_CERT_ALTNAME_INVALID' }, {}, 'failed cert_wrong_name'],
    ['a certificate of nobody', { kind: 'answer', certificateError: 'SELF_SIGNED_CERT' }, {}, 'failed cert_untrusted'],
    ['one that ended', { kind: 'answer', certificateError: 'X', expiresAt: '2025-12-30T00:00:00.000Z' }, {}, 'failed cert_expired'],
    ['no such name', { kind: 'failed', output: 'getaddrinfo ENOTFOUND shop.example', source: 'resolver' }, {}, 'failed dns_no_such_name'],
    ['a resolver that fails', { kind: 'failed', output: 'queryA ESERVFAIL', source: 'resolver' }, {}, 'failed dns_no_answer'],
    ['a refusal', { kind: 'failed', output: 'connect ECONNREFUSED 104.16.1.1:443', source: 'target' }, {}, 'failed connect_refused'],
    ['silence', { kind: 'failed', output: 'Request timeout', source: 'target' }, {}, 'failed connect_timeout'],
    ['what only they name', { kind: 'failed', output: 'weird', source: 'target' }, {}, 'failed connect_failed'],
    ['a fault of their own is not the domain’s', { kind: 'failed', output: 'connect ETIMEDOUT', source: 'internal' }, {}, 'unanswered'],
    ['a failure of nobody knows whom', { kind: 'failed', output: 'Test failed. Please try again.' }, {}, 'unanswered'],
    ['a plain failure of older probes', { kind: 'failed', output: 'connect ECONNREFUSED' }, {}, 'failed connect_refused'],
    ['a probe that went away', { kind: 'offline' }, {}, 'unanswered'],
    ['nobody on the continent', { kind: 'nobody' }, {}, 'no_probe'],
  ])('%s', async (_, sight, change, expected) => {
    expect(await opinionFor(sight, change)).toBe(expected)
  })

  test('a site without HTTPS is measured over HTTP before it counts as down', async () => {
    const { simulator, opinions } = await start({
      see: ({ measurementOptions: { protocol } }): Sight =>
        protocol === 'HTTPS' ? { kind: 'failed', output: 'connect ECONNREFUSED', source: 'target' } : { kind: 'answer' },
    })
    expect(short((await opinions.ask(target(), ['EUROPE'])).get('EUROPE'))).toBe('good')
    expect(simulator.asked.map(({ measured }) => measured.measurementOptions.port)).toEqual([443, 80])
  })

  test('a continent without measuring points does not affect the others', async () => {
    const { opinions } = await start({ see: (_, continent): Sight => (continent === 'AF' ? { kind: 'nobody' } : { kind: 'answer' }) })
    const seen = await opinions.ask(target(), ['AFRICA', 'EUROPE'])
    expect([...seen].map(([region, opinion]) => [region, short(opinion)])).toEqual([
      ['AFRICA', 'no_probe'],
      ['EUROPE', 'good'],
    ])
  })

  test('a name on the service’s block list is not measurable, never down', async () => {
    const { opinions } = await start({ blocked: () => true })
    expect(short((await opinions.ask(target(), ['EUROPE'])).get('EUROPE'))).toBe('refused')
  })
})

describe('R-MON-03 the limits of the service are respected', () => {
  const ask = (opinions: SecondOpinion) => opinions.ask(target(), ['EUROPE', 'ASIA'])

  test('no measurement is requested after the hourly tests are used up, until the hour ends', async () => {
    const { simulator, opinions, clock } = await start({ testsPerHour: 5 })
    for (let n = 0; n < 2; n += 1) expect(short((await ask(opinions)).get('EUROPE'))).toBe('good')
    const refused = await ask(opinions)
    expect(refused.get('ASIA')).toEqual({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: 3600 })
    expect(simulator.asked).toHaveLength(2)
    await clock.advance(3_600_000)
    expect(short((await ask(opinions)).get('EUROPE'))).toBe('good')
  })

  test('a rate-limit refusal is respected for the stated time, even if others used up the limit', async () => {
    const { simulator, opinions, clock } = await start({ testsPerHour: 1 })
    expect((await ask(opinions)).get('EUROPE')).toEqual({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: 3600 })
    await clock.advance(60_000)
    expect((await ask(opinions)).get('EUROPE')).toEqual({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: 3540 })
    expect(simulator.asked).toHaveLength(1)
  })

  test('a refusal with only Retry-After is respected', async () => {
    const { simulator, opinions, clock } = await start()
    simulator.setFault('limited')
    expect((await ask(opinions)).get('EUROPE')).toEqual({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: 120 })
    simulator.setFault(null)
    await clock.advance(60_000)
    expect((await ask(opinions)).get('EUROPE')).toEqual({ kind: 'not_measurable', why: 'limit', retryAfterSeconds: 60 })
    expect(simulator.asked).toHaveLength(0)
    await clock.advance(60_000)
    expect(short((await ask(opinions)).get('EUROPE'))).toBe('good')
  })

  test('a token is sent and raises the limit', async () => {
    const { simulator, opinions } = await start({ testsPerHour: 1 }, 'token-canary')
    expect(short((await ask(opinions)).get('EUROPE'))).toBe('good')
    expect(simulator.asked[0]?.token).toBe('token-canary')
  })

  test('results are polled at most twice a second', async () => {
    const simulator = await startGlobalpingSimulator({ pollsUntilDone: 2 })
    const opinions = createGlobalping({
      baseUrl: simulator.url,
      token: undefined,
      userAgent: 'test',
      clock: systemClock,
      log: createLog('silent'),
    })
    ends.push(simulator.close, () => opinions.close())
    await ask(opinions)
    const gaps = simulator.polledAt.slice(1).map((at, index) => at - (simulator.polledAt[index] ?? 0))
    expect(gaps).toHaveLength(2)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(499)
  })
})

describe('R-MON-03 a failure of the service says nothing about the domain', () => {
  const cases: [GlobalpingFault][] = [['silent'], ['server-error'], ['html'], ['reset'], ['unauthorized']]
  test.each(cases)('%s', async (fault) => {
    const { simulator, opinions } = await start()
    simulator.setFault(fault)
    expect(short((await opinions.ask(target(), ['EUROPE'])).get('EUROPE'))).toBe('unanswered')
  })
  test('a measurement that never ends is abandoned after 20 seconds', async () => {
    const { opinions, simulator } = await start({ see: sees({ kind: 'stuck' }) })
    expect(short((await opinions.ask(target(), ['EUROPE'])).get('EUROPE'))).toBe('unanswered')
    expect(simulator.polledAt).toHaveLength(40)
  })
  test('an aborted caller is not kept waiting', async () => {
    const { opinions } = await start({ see: sees({ kind: 'stuck' }) })
    const ending = new AbortController()
    const asking = opinions.ask(target(), ['EUROPE'], ending.signal)
    ending.abort()
    expect(short((await asking).get('EUROPE'))).toBe('unanswered')
  })
  test('an unreachable service', async () => {
    const { opinions, simulator } = await start()
    await simulator.close()
    expect(short((await opinions.ask(target(), ['EUROPE'])).get('EUROPE'))).toBe('unanswered')
    ends.shift()
  })
})

test('a retry delay is capped at one day', () => {
  const quota = createQuota(createFakeClock())
  const headers = { 'retry-after': '999999999', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '999999999' }
  quota.learn({ status: 429, headers, text: '' })
  expect(quota.closedFor()).toBe(86_400)
})
