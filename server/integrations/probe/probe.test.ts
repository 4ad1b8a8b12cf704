import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import type { CheckResult, RegionProbe, Target } from '#server/ports/region-probe.ts'
import { startTargetsSimulator } from '#server/simulators/targets/simulator.ts'
import type { Targets } from '#server/simulators/targets/simulator.ts'
import type { Site } from '#server/simulators/targets/site.ts'
import { defaultCheckOptions, reasonCode } from '#shared/features/monitoring/schema.ts'
import type { CheckOptions } from '#shared/features/monitoring/schema.ts'
import { createRegionProbe } from './create-region-probe.ts'
import { createLateness } from './lateness.ts'
import type { Lateness } from './lateness.ts'

const nameServers = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
const sound: Target['expected'] = { nameServers, addresses: { proxied: true, values: ['192.0.2.1'] } }

let targets: Targets
let probe: RegionProbe
const dialled: string[] = []
let sites = 0

/** The results below are about the targets: a busy machine changes none of them. */
const punctual: Lateness = { totalMs: () => 0, close: () => undefined }

const probeOf = (change: Partial<Parameters<typeof createRegionProbe>[0]> = {}): RegionProbe =>
  createRegionProbe({
    dnsServers: [targets.dnsServer],
    outboundAllow: [],
    roots: [targets.root],
    log: createLog('silent'),
    lateness: punctual,
    via(address, port) {
      dialled.push(address)
      return targets.via(address, port)
    },
    ...change,
  })

beforeAll(async () => {
  targets = await startTargetsSimulator({ withUnresponsivePort: true })
  probe = probeOf()
})
afterAll(async () => {
  await probe.close()
  await targets.close()
})

/** A new site with its own name and address. */
function build(site: Partial<Site> = {}): { readonly name: string; readonly address: string } {
  sites += 1
  const name = `shop${sites}.example`
  const address = `104.17.${Math.floor(sites / 250)}.${(sites % 250) + 1}`
  targets.set(name, { addresses: [address], ...site })
  return { name, address }
}

interface Wish {
  readonly options?: Partial<CheckOptions>
  readonly expected?: Target['expected']
  readonly signal?: AbortSignal
  readonly by?: RegionProbe
}

const look = (name: string, { options, expected = sound, signal, by = probe }: Wish = {}): Promise<CheckResult> =>
  by.check({ name, options: { ...defaultCheckOptions, slowMs: 30_000, ...options }, expected }, signal)

const lookAt = (site: Partial<Site>, wish?: Wish): Promise<CheckResult> => look(build(site).name, wish)

/** For sites that do not respond. The others have as much time as a busy machine needs. */
const briefly = { timeoutSeconds: 1 }
/** A check with a timeout of one second; unless the site itself causes the delay. */
const farTooLongMs = 15_000
const timeFor = (expected: string) => (/_timeout|dns_no_answer/.test(expected) ? briefly : {})

/** Outcome and codes. */
const short = ({ outcome, findings }: CheckResult): string => [outcome, ...findings.map(({ code }) => code)].join(' ')

describe('R-MON-03 a healthy domain', () => {
  test('is good, with its status, the time of every phase and its certificate', async () => {
    const { name } = build({ page: { kind: 'page', delayMs: 60 } })
    const result = await look(name)
    expect(result).toMatchObject({ outcome: 'good', findings: [], status: 200 })
    expect(result.certificate).toMatchObject({ issuer: 'Zonedeck simulators', names: [name, `*.${name}`], trusted: true })
    expect(result.certificate?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(result.certificate?.notAfter.getTime()).toBeGreaterThan(Date.now())
    const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = result.timings
    expect(firstByteMs).toBeGreaterThanOrEqual(59)
    const phases = [dnsMs, connectMs, tlsMs, firstByteMs].reduce<number>((sum, ms) => sum + (ms ?? Number.NaN), 0)
    // Each is rounded separately.
    expect(totalMs).toBeGreaterThanOrEqual(phases - 2)
    for (const ms of [dnsMs, connectMs, tlsMs, firstByteMs, totalMs]) expect(ms).toSatisfy(Number.isInteger)
  })
  test('without HTTPS is checked over HTTP', async () => {
    const result = await lookAt({ connecting: 'https-refused' })
    expect(result).toMatchObject({ outcome: 'good', status: 200, certificate: null, timings: { tlsMs: null } })
  })
  test('with only IPv6 is good', async () => {
    expect(short(await lookAt({ addresses: ['2606:4700::99'] }))).toBe('good')
  })
  test('with both families is reached over the other one if the first accepts no connection, in time, and the family is reported', async () => {
    const both = () => [`104.17.200.${(sites % 200) + 1}`, `2606:4700::${(sites + 1).toString(16)}`]
    expect(await lookAt({ addresses: both() })).toMatchObject({ outcome: 'good', family: 4 })
    const refused = await lookAt({ addresses: both(), connecting: 'refused', connectingFamily: 4 })
    expect(refused).toMatchObject({ outcome: 'good', findings: [], status: 200, family: 6 })
    expect(refused.certificate?.trusted).toBe(true)
    const began = performance.now()
    const unresponsive = await lookAt({ addresses: both(), connecting: 'ignored', connectingFamily: 4 }, { options: { timeoutSeconds: 4 } })
    expect(unresponsive).toMatchObject({ outcome: 'good', status: 200, family: 6 })
    expect(performance.now() - began).toBeLessThan(farTooLongMs)
    expect(await lookAt({ addresses: both(), connecting: 'ignored', connectingFamily: 6 })).toMatchObject({ outcome: 'good', family: 4 })
    const dead = await lookAt({ addresses: both(), connecting: 'refused' })
    expect(dead).toMatchObject({ outcome: 'failed', family: null, findings: [{ code: 'connect_refused' }] })
    expect(String(dead.findings[0]?.params['address'])).toMatch(/^104\./)
  })
  test('is requested at its path, like a browser does', async () => {
    const { name } = build({ page: { kind: 'redirect', to: '/there' } })
    const result = await look(name, { options: { path: '/here?a=1#part', followRedirects: false } })
    expect(result).toMatchObject({ outcome: 'good', status: 302 })
    expect(targets.requests(name)).toBe(1)
  })
  test('that takes more than half of its timeout is slow', async () => {
    const result = await lookAt({ page: { kind: 'page', delayMs: 1_050 } }, { options: { timeoutSeconds: 2, slowMs: null } })
    expect(short(result)).toBe('good slow')
    expect(result.findings[0]?.params['ms']).toBeGreaterThanOrEqual(1_050)
  })
})

describe('R-MON-03 status, keyword, redirects', () => {
  test.each([
    [200, 'good'],
    [404, 'failed http_status'],
    [500, 'failed http_status'],
    [521, 'failed http_status'],
    [304, 'good'],
  ])('a page with status %i: %s', async (status, expected) => {
    const result = await lookAt({ page: { kind: 'page', status, body: '' } })
    expect(short(result)).toBe(expected)
    expect(result.status).toBe(status)
  })
  test('any configured expected status is good', async () => {
    const options = { expectedStatus: [{ from: 401, to: 403 }] }
    expect(short(await lookAt({ page: { kind: 'page', status: 403 } }, { options }))).toBe('good')
    expect(short(await lookAt({ page: { kind: 'page', status: 200 } }, { options }))).toBe('failed http_status')
  })
  test('a challenge by the provider is inconclusive', async () => {
    const result = await lookAt({ page: { kind: 'page', status: 403, headers: { 'cf-mitigated': 'challenge' } } })
    expect(result).toMatchObject({ outcome: 'inconclusive', findings: [], status: 403 })
  })

  const cyrillic = Buffer.from([0xcc, 0xe0, 0xe3, 0xe0, 0xe7, 0xe8, 0xed])
  test.each<[string, Site['page'], string, string]>([
    ['in the page', { kind: 'page', body: 'the open shop' }, 'open', 'good'],
    ['not in the page', { kind: 'page', body: 'the shop' }, 'open', 'failed keyword_missing'],
    ['in UTF-8', { kind: 'page', body: 'Магазин' }, 'Магазин', 'good'],
    [
      'in Windows-1251, by its header',
      { kind: 'page', body: cyrillic, headers: { 'content-type': 'text/html; charset=windows-1251' } },
      'Магазин',
      'good',
    ],
    [
      'in Windows-1251, by its own word',
      {
        kind: 'page',
        body: Buffer.concat([Buffer.from('<meta charset="windows-1251">'), cyrillic]),
        headers: { 'content-type': 'text/html' },
      },
      'Магазин',
      'good',
    ],
    ['in an unknown alphabet', { kind: 'page', body: 'open', headers: { 'content-type': 'text/html; charset=x-none' } }, 'open', 'good'],
    ['packed unasked', { kind: 'page', body: gzipSync('an open shop'), headers: { 'content-encoding': 'gzip' } }, 'open', 'good'],
    [
      'in what is not packed although it says so',
      { kind: 'page', body: 'open', headers: { 'content-encoding': 'gzip' } },
      'open',
      'failed keyword_missing',
    ],
    ['at the end of 256 KiB', { kind: 'page', body: `${'.'.repeat(256 * 1024 - 4)}open` }, 'open', 'good'],
    ['after 256 KiB', { kind: 'page', body: `${'.'.repeat(256 * 1024)}open` }, 'open', 'failed keyword_missing'],
    [
      'behind more than was unpacked',
      { kind: 'page', body: gzipSync(`${'.'.repeat(5_000_000)}open`), headers: { 'content-encoding': 'gzip' } },
      'open',
      'failed keyword_missing',
    ],
  ])('a keyword %s', async (_, page, keyword, expected) => {
    expect(short(await lookAt({ page }, { options: { keyword } }))).toBe(expected)
  })

  test('redirects are followed to the final response; the times are of the first one', async () => {
    const end = build({ page: { kind: 'page', status: 410 } })
    const start = build({ page: { kind: 'redirect', to: `http://${end.name}/x` } })
    const result = await look(start.name)
    expect(result).toMatchObject({ outcome: 'failed', status: 410 })
    expect(result.certificate?.names).toContain(start.name)
    expect(targets.requests(end.name)).toBe(1)
  })
  test('a site that redirects everyone once to set a cookie is good', async () => {
    expect(short(await lookAt({ page: { kind: 'cookie-wall' } }))).toBe('good')
  })
  test('a redirect to itself is a loop, detected immediately', async () => {
    const { name } = build({ page: { kind: 'redirect', to: '/' } })
    const result = await look(name)
    expect(short(result)).toBe('failed redirect_loop')
    expect(targets.requests(name)).toBeLessThanOrEqual(3)
  })
  test('two pages that redirect to each other are a loop', async () => {
    const one = build()
    const other = build({ page: { kind: 'redirect', to: `https://${one.name}/` } })
    targets.set(one.name, { page: { kind: 'redirect', to: `https://${other.name}/` } })
    expect(short(await look(one.name))).toBe('failed redirect_loop')
  })
  test('redirects are abandoned after ten', async () => {
    const { name } = build({ page: { kind: 'endless-redirects' } })
    expect(short(await look(name))).toBe('failed redirect_loop')
    expect(targets.requests(name)).toBe(11)
  })
  test.each([
    'tg://resolve?domain=x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://ftp.example/',
    'http://[',
    'https://shop.example:22/',
    'http://shop.example:6379/',
  ])('a redirect that is never followed (%s) is no error and is itself the response', async (to) => {
    const result = await lookAt({ page: { kind: 'redirect', to } })
    expect(result).toMatchObject({ outcome: 'good', status: 302 })
  })
  test('a redirect to a name that does not exist fails', async () => {
    const { outcome, findings } = await lookAt({ page: { kind: 'redirect', to: 'https://gone.example/' } })
    expect([outcome, findings]).toEqual(['failed', [{ code: 'redirect_unreached', params: { host: 'gone.example' } }]])
  })
  test('a failing redirect within the domain is reported with its own failure', async () => {
    const { name } = build()
    targets.set(name, { page: { kind: 'redirect', to: `https://gone.${name}/` } })
    const { findings } = await look(name)
    expect(findings).toEqual([{ code: 'dns_no_such_name', params: { name: `gone.${name}`, error: 'NXDOMAIN' } }])
  })
})

describe('R-MON-03 certificates', () => {
  test.each<[Site['handshake'], string]>([
    ['expires-soon', 'good cert_expires_soon'],
    ['short-lived', 'good'],
    ['expired', 'failed cert_expired'],
    ['not-yet', 'failed cert_untrusted'],
    ['self-signed', 'failed cert_untrusted'],
    ['wrong-name', 'failed cert_wrong_name'],
    ['alert', 'failed tls_failed'],
    ['plain', 'failed tls_failed'],
    ['silent', 'failed answer_timeout'],
    ['closed', 'failed connection_lost'],
  ])('%s: %s', async (handshake, expected) => {
    expect(short(await lookAt({ handshake }, { options: timeFor(expected) }))).toBe(expected)
  })
  test('the days until expiry and the days since expiry are reported', async () => {
    expect((await lookAt({ handshake: 'expires-soon' })).findings[0]?.params).toEqual({ days: 5 })
    expect((await lookAt({ handshake: 'expired' })).findings[0]?.params).toMatchObject({ days: 2 })
  })
  test('an unknown certificate authority is not trusted', async () => {
    const stranger = probeOf({ roots: [] })
    const result = await lookAt({}, { by: stranger })
    await stranger.close()
    expect(short(result)).toBe('failed cert_untrusted')
    expect(result.certificate?.trusted).toBe(false)
  })
  test('certificate errors of a redirect target are reported; the certificate kept is the domain’s own', async () => {
    const end = build({ handshake: 'self-signed' })
    const start = build({ page: { kind: 'redirect', to: `https://${end.name}/` } })
    const result = await look(start.name)
    expect(short(result)).toBe('failed cert_untrusted')
    expect(result.certificate?.names).toContain(start.name)
  })
  test('a certificate of a redirect target that expires soon is not reported', async () => {
    const end = build({ handshake: 'expires-soon' })
    expect(short(await lookAt({ page: { kind: 'redirect', to: `https://${end.name}/` } }))).toBe('good')
  })
})

describe('R-MON-03 DNS compared with the stored records', () => {
  const own = { proxied: false, values: ['8.8.4.4', '2a00:1450::5'] }
  test.each<[string, Partial<Site>, Target['expected'], string]>([
    ['the provider’s addresses of a proxied name', { addresses: ['104.16.1.1', '2606:4700::1'] }, sound, 'good'],
    ['another address of a proxied name', { addresses: ['8.8.8.8'] }, sound, 'good address_mismatch'],
    ['one of two is another', { addresses: ['104.16.1.1', '8.8.8.8'] }, sound, 'good address_mismatch'],
    ['an IPv6 address of somebody else', { addresses: ['104.16.1.1', '2a00:1450::5'] }, sound, 'good address_mismatch'],
    ['the records’ own addresses', { addresses: ['8.8.4.4', '2a00:1450:0::5'] }, { nameServers, addresses: own }, 'good'],
    ['one that is missing', { addresses: ['8.8.4.4'] }, { nameServers, addresses: own }, 'good address_mismatch'],
    [
      'the provider’s address of a name that is not proxied',
      { addresses: ['104.16.1.1'] },
      { nameServers, addresses: own },
      'good address_mismatch',
    ],
    ['other name servers', { nameServers: ['ns1.other.example', 'ns2.other.example'] }, sound, 'good name_servers_elsewhere'],
    ['one other name server', { nameServers: ['ada.ns.cloudflare.com', 'zoe.ns.cloudflare.com'] }, sound, 'good name_servers_elsewhere'],
    ['name servers in capitals', { nameServers: ['BOB.ns.Cloudflare.com', 'Ada.ns.cloudflare.com'] }, sound, 'good'],
    [
      'what is not known is not compared',
      { addresses: ['8.8.8.8'], nameServers: ['x.example'] },
      { nameServers: null, addresses: null },
      'good',
    ],
  ])('%s', async (_, site, expected, outcome) => {
    expect(short(await lookAt(site, { expected }))).toBe(outcome)
  })
  test('expected and found values are reported', async () => {
    const { findings } = await lookAt({ addresses: ['8.8.8.8'], nameServers: ['x.example'] })
    expect(findings).toEqual([
      { code: 'name_servers_elsewhere', params: { found: 'x.example' } },
      { code: 'address_mismatch', params: { expected: 'Cloudflare', found: '8.8.8.8' } },
    ])
  })
})

describe('R-MON-03 wrong or missing DNS answers', () => {
  test.each<[Site['dns'], string]>([
    ['no-name', 'failed dns_no_such_name'],
    ['silent', 'failed dns_no_answer'],
    ['servfail', 'failed dns_no_answer'],
    ['refused', 'failed dns_no_answer'],
    ['garbage', 'failed dns_no_answer'],
    ['other-question', 'failed dns_no_answer'],
    ['other-number', 'failed dns_no_answer'],
    ['truncated-silent', 'failed dns_no_answer'],
    ['truncated', 'good'],
    ['spoofed', 'good'],
  ])('%s: %s', async (dns, expected) => {
    const startedAt = performance.now()
    expect(short(await lookAt({ dns }, { options: timeFor(expected) }))).toBe(expected)
    expect(performance.now() - startedAt).toBeLessThan(farTooLongMs)
  })
  test('a name without addresses fails', async () => {
    expect(short(await lookAt({ addresses: [] }))).toBe('failed dns_no_address')
  })
  test('an unreachable DNS server is inconclusive', async () => {
    const lost = probeOf({ dnsServers: ['127.0.0.1:1'] })
    expect(short(await lookAt({}, { by: lost }))).toBe('inconclusive')
    await lost.close()
  })
  test.each(['', 'a b.example', `${'x'.repeat(70)}.example`, '\0', '..', 'xn--', '-'])(
    'an invalid name (%j) fails and does not throw',
    async (name) => {
      expect((await look(name)).outcome).toBe('failed')
    },
  )
  test('a thousand addresses are handled', async () => {
    const addresses = Array.from({ length: 1_000 }, (_, n) => `104.18.${Math.floor(n / 250)}.${(n % 250) + 1}`)
    expect(short(await lookAt({ addresses, dns: 'truncated' }))).toBe('good')
  })
})

describe('R-MON-03 the probe never connects to a private address', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '198.51.100.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ]
  const dialledSince = (count: number) => dialled.slice(count)

  test.each(inside)('by DNS: %s', async (address) => {
    const before = dialled.length
    const result = await lookAt({ addresses: [address] }, { expected: { nameServers: null, addresses: null } })
    expect([result.outcome, result.findings]).toEqual(['failed', [{ code: 'private_address', params: {} }]])
    expect(dialledSince(before)).toEqual([])
  })
  test('one private address among several prevents any connection', async () => {
    const before = dialled.length
    expect(short(await lookAt({ addresses: ['104.16.1.1', '10.0.0.1'] }, { expected: { nameServers: null, addresses: null } }))).toBe(
      'failed private_address',
    )
    expect(dialledSince(before)).toEqual([])
  })
  test('a private IPv6 address beside a public one is reported', async () => {
    expect(short(await lookAt({ addresses: ['104.16.1.1', 'fd00::1'] }, { expected: { nameServers: null, addresses: null } }))).toBe(
      'failed private_address',
    )
  })
  test('a private address of the other family is not used as a fallback', async () => {
    const before = dialled.length
    const expected = { nameServers: null, addresses: null }
    const public4 = ['104.16.1.1']
    expect(short(await lookAt({ addresses: [...public4, 'fd00::1'], connecting: 'refused', connectingFamily: 4 }, { expected }))).toMatch(
      /^failed /,
    )
    expect(dialledSince(before).filter((address) => !public4.includes(address))).toEqual([])
  })
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    '//10.0.0.1/',
  ])('by a redirect: %s', async (to) => {
    const { name, address } = build({ page: { kind: 'redirect', to } })
    const before = dialled.length
    const { hostname } = new URL(to, 'https://x.example')
    const { findings } = await look(name)
    // Like a missing name, so that names of a private network are not revealed.
    expect(findings).toEqual([{ code: 'redirect_unreached', params: { host: hostname } }])
    expect(new Set(dialledSince(before))).toEqual(new Set([address]))
  })
  test('by a redirect to a name that resolves to a private address', async () => {
    const end = build({ addresses: ['10.0.0.1'] })
    const start = build({ page: { kind: 'redirect', to: `http://${end.name}/` } })
    const before = dialled.length
    expect((await look(start.name)).findings).toEqual([{ code: 'redirect_unreached', params: { host: end.name } }])
    expect(new Set(dialledSince(before))).toEqual(new Set([start.address]))
  })
  test('the address that was checked is the one connected to, even if DNS changes in between', async () => {
    const { name, address } = build({ laterAddresses: ['127.0.0.1'], page: { kind: 'redirect', to: '/again' } })
    const before = dialled.length
    await look(name)
    expect(new Set(dialledSince(before))).toEqual(new Set([address]))
    expect(targets.lookUps(name)).toBe(2)
  })
  test('an address allowed by the operator is reached', async () => {
    const allowed = probeOf({ outboundAllow: ['10.0.0.0/8'] })
    const expected = { nameServers: null, addresses: null }
    expect(short(await lookAt({ addresses: ['10.0.0.1'] }, { by: allowed, expected }))).toBe('good')
    await allowed.close()
  })
})

describe('R-MON-03 misbehaving targets: bounded time and memory, the right result', () => {
  test.each<[Site['page']['kind'], string]>([
    ['silent', 'failed answer_timeout'],
    ['drip', 'failed answer_timeout'],
    ['drip-body', 'failed answer_timeout'],
    ['endless-body', 'good'],
    ['endless-headers', 'failed not_http'],
    ['endless-continue', 'failed not_http'],
    ['not-http', 'failed not_http'],
    ['upgrade', 'failed not_http'],
    ['closed', 'failed connection_lost'],
    ['reset', 'failed connection_lost'],
    ['cut', 'failed connection_lost'],
  ])('%s: %s', async (kind, expected) => {
    for (const connecting of ['taken', 'https-refused'] as const) {
      const startedAt = performance.now()
      expect(short(await lookAt({ page: { kind } as Site['page'], connecting }, { options: timeFor(expected) }))).toBe(expected)
      expect(performance.now() - startedAt).toBeLessThan(farTooLongMs)
    }
    await expect.poll(() => targets.openSockets()).toBe(0)
  })
  test('a keyword is searched in at most 256 KiB of an endless page', async () => {
    const options = { keyword: 'not there' }
    expect(short(await lookAt({ page: { kind: 'endless-body' } }, { options }))).toBe('failed keyword_missing')
  })
  test.each<[Site['connecting'], string]>([
    ['refused', 'failed connect_refused'],
    ['ignored', 'failed connect_timeout'],
  ])('connections are %s: %s', async (connecting, expected) => {
    const startedAt = performance.now()
    expect(short(await lookAt({ connecting }, { options: timeFor(expected) }))).toBe(expected)
    expect(performance.now() - startedAt).toBeLessThan(farTooLongMs)
  })
  test('another address is used if one does not respond', async () => {
    const dead = build({ connecting: 'refused' })
    const alive = build()
    expect(short(await lookAt({ addresses: [dead.address, alive.address] }))).toBe('good')
  })
  test('any byte sequence gives a result with known codes, without an exception', async () => {
    const { name } = build({ connecting: 'https-refused' })
    const beginnings = [
      '',
      'HTTP/1.1 ',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      'HTTP/1.1 301 X\r\nlocation: ',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), async (beginning, bytes) => {
        targets.set(name, { page: { kind: 'bytes', bytes: Buffer.concat([Buffer.from(beginning), bytes]) } })
        const { outcome, findings } = await look(name, { options: { keyword: 'x' } })
        expect(['good', 'failed']).toContain(outcome)
        for (const { code } of findings) expect(reasonCode.options).toContain(code)
      }),
      { numRuns: 150, seed: 7 },
    )
  })
  test('text from a target is short and on one line', async () => {
    const { findings } = await lookAt({ page: { kind: 'redirect', to: `https://10.0.0.1/${'x'.repeat(5_000)}` } })
    expect(JSON.stringify(findings).length).toBeLessThan(500)
    const loop = await lookAt({ page: { kind: 'redirect', to: `/${'y'.repeat(5_000)}` } })
    expect(short(loop)).toBe('failed redirect_loop')
    expect(String(loop.findings[0]?.params['location'])).toHaveLength(200)
  })
})

describe('R-MON-03 the probe itself', () => {
  test('an aborted check ends immediately and is inconclusive', async () => {
    const ending = new AbortController()
    const { name } = build({ page: { kind: 'silent' } })
    const looking = look(name, { signal: ending.signal, options: { timeoutSeconds: 30 } })
    await expect.poll(() => targets.requests(name)).toBe(1)
    const startedAt = performance.now()
    ending.abort()
    expect(await looking).toMatchObject({ outcome: 'inconclusive', findings: [] })
    expect(performance.now() - startedAt).toBeLessThan(farTooLongMs)
    expect((await look(name, { signal: ending.signal })).outcome).toBe('inconclusive')
  })
  test('closing ends what is under way, and leaves no connection', async () => {
    const own = probeOf()
    const { name } = build({ page: { kind: 'silent' } })
    const looking = [look(name, { by: own, options: { timeoutSeconds: 30 } }), own.isOnline()]
    await expect.poll(() => targets.requests(name)).toBe(1)
    await own.close()
    expect(await looking[0]).toMatchObject({ outcome: 'inconclusive' })
    await looking[1]
    expect((await look(name, { by: own })).outcome).toBe('inconclusive')
    await expect.poll(() => targets.openSockets()).toBe(0)
  })
  test('a thousand concurrent checks all complete, none is down, and nothing stays open', async () => {
    const own = probeOf({ lateness: createLateness() })
    const { name } = build({ connecting: 'https-refused' })
    const results = await Promise.all(Array.from({ length: 1_000 }, () => look(name, { by: own })))
    expect(results.filter(({ outcome }) => outcome === 'failed').map(short)).toEqual([])
    expect(results.some(({ outcome }) => outcome === 'good')).toBe(true)
    await own.close()
    await expect.poll(() => targets.openSockets()).toBe(0)
  })
  test('a process that is itself late does not report targets as late', async () => {
    const own = probeOf({ lateness: createLateness() })
    const { name } = build({ page: { kind: 'silent' } })
    const looking = look(name, { by: own, options: briefly })
    await expect.poll(() => targets.requests(name)).toBe(1)
    const until = performance.now() + 1_200
    while (performance.now() < until);
    expect(await looking).toMatchObject({ outcome: 'inconclusive', findings: [] })
    await own.close()
  })
  test('it is online while one well-known host responds', async () => {
    targets.set('one.one.one.one', { addresses: ['1.1.1.1'] })
    expect(await probe.isOnline()).toBe(true)
    targets.set('one.one.one.one', { dns: 'silent' })
    targets.set('dns.google', { addresses: ['8.8.8.8'] })
    expect(await probe.isOnline()).toBe(true)
    targets.repair('one.one.one.one')
    targets.repair('dns.google')
    expect(await probe.isOnline()).toBe(false)
  })
  test('without a network it is offline within seconds', async () => {
    const lost = await startTargetsSimulator()
    lost.set('one.one.one.one', {})
    const own = probeOf({ dnsServers: [lost.dnsServer], via: lost.via })
    expect(await own.isOnline()).toBe(true)
    lost.setOffline(true)
    expect(await own.isOnline()).toBe(false)
    lost.setOffline(false)
    expect(await own.isOnline()).toBe(true)
    await own.close()
    await lost.close()
  })
})
