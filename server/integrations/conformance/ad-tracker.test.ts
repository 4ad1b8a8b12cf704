import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAdTrackers } from '#server/integrations/trackers/create-ad-trackers.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { AdTrackers, NewTrackedDomain, TrackerConnection } from '#server/ports/ad-tracker.ts'
import type { FaultEffect } from '#server/simulators/faults.ts'
import type { ProviderSimulator } from '#server/simulators/serve.ts'
import { createAuthority } from '#server/simulators/targets/authority.ts'
import { startBinomSimulator } from '#server/simulators/trackers/binom.ts'
import { startKeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import type { TrackerState } from '#server/simulators/trackers/state.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { connectTestTrackers } from '#server/testing/test-trackers.ts'
import type { TrackerKind } from '#shared/features/trackers/schema.ts'

type Simulator = ProviderSimulator & { readonly apiKey: string; readonly state: TrackerState }

const kinds: readonly { readonly kind: TrackerKind; readonly name: string; start(): Promise<Simulator> }[] = [
  { kind: 'KEITARO', name: 'Keitaro', start: startKeitaroSimulator },
  { kind: 'BINOM', name: 'Binom', start: startBinomSimulator },
]

const person = { priority: 'person' } as const
const bulk = { priority: 'bulk' } as const
const orderOf = (name: string, others: Partial<NewTrackedDomain> = {}): NewTrackedDomain => ({
  name,
  campaignId: null,
  groupId: null,
  sslRedirect: false,
  ...others,
})

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Behavior common to all trackers. Repeating a step leads to the same state. */
for (const { kind, name: testedProvider, start } of kinds) {
  describe(`${testedProvider} is a tracker`, () => {
    let simulator: Simulator
    let trackers: AdTrackers
    let connection: TrackerConnection
    let campaignId: string
    const connect = (url = simulator.url, apiKey = simulator.apiKey) => trackers.connect({ kind, url, apiKey })
    /** For writes only. */
    const writes = () => simulator.journal.count() - simulator.journal.count({ method: 'GET' })
    const named = (name: string) => [...simulator.state.domains.values()].filter((domain) => domain.name === name)

    beforeEach(async () => {
      simulator = await start()
      campaignId = simulator.state.addCampaign('DE | Nutra | Keto').id
      trackers = connectTestTrackers(database.db.sql)
      connection = connect()
    })
    afterEach(async () => {
      await trackers.close()
      await simulator.close()
    })

    test('R-TRK-02 lists its domains with their campaigns and problems', async () => {
      const { state } = simulator
      state.add({ name: 'shows.com', campaignId })
      state.add({ name: 'xn--e1afmkfd.com', ssl: 'error', error: { description: 'Timeout was reached', solution: 'Check the A record' } })
      for (const _ of [1, 2]) {
        const domains = await connection.listDomains(person)
        expect(domains.map(({ name }) => name)).toEqual(['shows.com', 'xn--e1afmkfd.com'])
        const [shows, broken] = domains
        expect(shows).toMatchObject({ archived: false, problem: null, sslProblem: null, campaignsCount: 1 })
        expect(shows?.campaign).toEqual({ id: campaignId, name: 'DE | Nutra | Keto' })
        expect(broken).toMatchObject({ problem: 'Timeout was reached', campaign: null })
        expect(broken?.sslProblem).toContain('oo many failed authorizations')
      }
      expect(await connection.listCampaigns(person)).toMatchObject([{ id: campaignId, name: 'DE | Nutra | Keto' }])
    })

    test('R-TRK-02 five thousand domains need two calls at most', async () => {
      for (let serial = 0; serial < 5_000; serial += 1) simulator.state.add({ name: `domain-${serial}.com`, campaignId })
      expect(await connection.listDomains({ priority: 'sync' })).toHaveLength(5_000)
      expect(simulator.journal.count()).toBeLessThanOrEqual(2)
    })

    test('R-TRK-03 a domain is added with its campaign, once', async () => {
      const first = await connection.addDomain(orderOf('new.com', { campaignId }), person)
      expect(first).toMatchObject({ name: 'new.com', archived: false })
      const again = await connection.addDomain(orderOf('new.com', { campaignId }), person)
      expect(again.id).toBe(first.id)
      expect(again.campaign?.id).toBe(campaignId)
      expect(named('new.com')).toMatchObject([{ campaignId }])
    })

    test('R-TRK-03 an existing domain is adopted: requested values are set, others stay', async () => {
      const other = simulator.state.addCampaign('IT | Sweeps').id
      const there = simulator.state.add({ name: 'there.com', campaignId })
      for (const _ of [1, 2]) {
        expect((await connection.addDomain(orderOf('there.com'), person)).id).toBe(there.id)
        expect(there.campaignId).toBe(campaignId)
      }
      const moved = await connection.addDomain(orderOf('there.com', { campaignId: other }), person)
      expect(moved).toMatchObject({ id: there.id, campaign: { id: other } })
      expect(named('there.com')).toHaveLength(1)
    })

    const lost: readonly FaultEffect[] = [{ kind: 'error-after-write' }, { kind: 'cut-body' }, { kind: 'malformed-json' }]
    test.each(lost)('R-TRK-03 an order whose answer was lost ($kind) is not sent again, and its result is found', async (effect) => {
      await connection.listDomains(person)
      simulator.faults.add({ method: 'POST', path: '*', times: 1, effect })
      const domain = await connection.addDomain(orderOf('lost.com', { campaignId }), bulk)
      expect(domain.name).toBe('lost.com')
      expect(named('lost.com')).toHaveLength(1)
      expect(simulator.journal.count({ method: 'POST' })).toBe(1)
    })

    test('R-TRK-03 a failed order without effect is reported and not sent again', async () => {
      simulator.faults.add({ method: 'POST', path: '*', effect: { kind: 'server-error' } })
      await expect(connection.addDomain(orderOf('failed.com'), bulk)).rejects.toMatchObject({ code: 'tracker_unavailable' })
      expect(simulator.journal.count({ method: 'POST' })).toBe(1)
      expect(named('failed.com')).toEqual([])
    })

    test('R-TRK-03 a refusal is reported in the tracker’s words', async () => {
      await connection.listDomains(person)
      const refusal = connection.addDomain(orderOf('no_domain'), person)
      await expect(refusal).rejects.toMatchObject({
        code: 'tracker_rejected',
        provider: { message: expect.stringMatching(/valid/i) as string },
      })
    })

    test('R-TRK-03 the front-page campaign is changed and removed', async () => {
      const { id } = simulator.state.add({ name: 'changes.com' })
      for (const wanted of [campaignId, campaignId, null, null]) {
        const domain = await connection.updateDomain(id, { campaignId: wanted }, person)
        expect(domain.campaign?.id ?? null).toBe(wanted)
        expect(simulator.state.domains.get(id)?.campaignId).toBe(wanted)
      }
      const none = simulator.state.add({ name: 'gone.com' }).id
      simulator.state.domains.delete(none)
      await expect(connection.updateDomain(none, { campaignId }, person)).rejects.toMatchObject({ code: 'tracker_not_found' })
    })

    test('R-TRK-03 a domain is unbound, and unbinding it again succeeds', async () => {
      const { id } = simulator.state.add({ name: 'leaves.com' })
      for (const _ of [1, 2]) {
        await connection.archiveDomain(id, person)
        expect((await connection.listDomains(person)).filter((domain) => domain.id === id && !domain.archived)).toEqual([])
      }
    })

    test('R-TRK-03 a domain is checked again, and its new state is reported', async () => {
      const error = { description: 'Couldn’t connect to server', solution: 'Open port 80' }
      const { id } = simulator.state.add({ name: 'healed.com', ssl: 'error', error, healed: true })
      for (const checks of [1, 2]) {
        expect(await connection.checkDomain(id, person)).toMatchObject({ id, problem: null, sslProblem: null })
        expect(simulator.state.domains.get(id)?.checks).toBe(checks)
      }
      simulator.state.domains.delete(id)
      await expect(connection.checkDomain(id, person)).rejects.toMatchObject({ code: 'tracker_not_found' })
    })

    test('an unsupported action is refused before anything is sent', async () => {
      const { able } = connection
      const { id } = simulator.state.add({ name: 'able.com' })
      if (!able.restore) await expect(connection.restoreDomain(id, person)).rejects.toMatchObject({ code: 'tracker_unable' })
      if (!able.moveCampaign)
        await expect(connection.moveCampaign(campaignId, id, person)).rejects.toMatchObject({ code: 'tracker_unable' })
      if (!able.sslRedirect)
        await expect(connection.updateDomain(id, { sslRedirect: true }, person)).rejects.toMatchObject({ code: 'tracker_unable' })
      if (!able.group) expect(await connection.listGroups(person)).toEqual([])
      expect(kind === 'KEITARO' || writes() === 0).toBe(true)
    })

    test('R-TRK-02 a wrong key and a revoked key are reported', async () => {
      for (const _ of [1, 2])
        await expect(connect(simulator.url, 'wrong-key').listDomains(person)).rejects.toMatchObject({ code: 'tracker_auth' })
      simulator.faults.add({ path: '*', effect: { kind: 'forbidden' } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({ code: 'tracker_auth' })
    })

    test('R-TRK-02 an HTML page is not accepted as a tracker; from a known tracker it is retried', async () => {
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'page' } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({ code: 'tracker_not_one', provider: { message: 'HTTP 200' } })
      expect(await connection.listDomains(person)).toEqual([])
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'page' } })
      expect(await connection.listDomains(person)).toEqual([])
      simulator.faults.add({ path: '*', effect: { kind: 'page' } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({ code: 'tracker_unreadable' })
    })

    test('R-TRK-02 other JSON and an unknown path are not accepted as a tracker', async () => {
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'success-false' } })
      const refusal = connection.listDomains(person)
      await expect(refusal).rejects.toMatchObject({ code: 'tracker_not_one', provider: { message: 'HTTP 200' } })
      await expect(connect(`${simulator.url}/somewhere`).listDomains(person)).rejects.toMatchObject({ code: 'tracker_not_one' })
    })

    test('R-TRK-02 a URL copied from inside the tracker works', async () => {
      for (const tail of ['/', '/admin', '/admin/', '/admin_api/v1', '/public/api/v1/', '/?tab=domains#x'])
        expect(await connect(simulator.url + tail).listDomains(person)).toEqual([])
    })

    test('a redirect is not followed, and is reported without its path', async () => {
      let asked = 0
      const elsewhere = createServer((_, response) => {
        asked += 1
        response.end('[]')
      })
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void elsewhere.close())
      const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'redirect', location: `${origin}/secret?key=1` } })
      // Responses are not quoted unless they come from a tracker, because servers in private networks may be queried here.
      const stranger = connection.listDomains(person)
      await expect(stranger).rejects.toMatchObject({
        code: 'tracker_not_one',
        provider: { message: expect.stringMatching(/^HTTP 3\d\d$/) as string },
      })
      expect(await connection.listDomains(person)).toEqual([])
      simulator.faults.add({ path: '*', effect: { kind: 'redirect', location: `${origin}/secret?key=1` } })
      const refusal = connection.listDomains(person)
      await expect(refusal).rejects.toMatchObject({ code: 'tracker_not_one', provider: { message: `→ ${origin}` } })
      expect(asked).toBe(0)
    })

    test('a response of millions of values, or with more rows than any tracker has, is refused before it is processed', async () => {
      let text = ''
      const server = createServer((_, response) => response.end(text))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const trackers = connectTestTrackers(database.db.sql)
      onTestFinished(() => trackers.close())
      for (const row of ['0,', '{},', '[],']) {
        text = `[${row.repeat(4_000_000)}0]`
        const began = performance.now()
        await expect(trackers.connect({ kind, url, apiKey: row }).listDomains(person)).rejects.toThrow('tracker_unreadable')
        expect(performance.now() - began).toBeLessThan(5_000)
      }
      text = `[${'{"id":1,"name":"a.com"},'.repeat(100_000)}{"id":1,"name":"a.com"}]`
      await expect(trackers.connect({ kind, url, apiKey: 'x' }).listCampaigns(person)).rejects.toThrow('tracker_not_one')
    })

    test('nothing is sent to private networks that the operator does not allow', async () => {
      const guarded = createAdTrackers({
        allow: [],
        sql: database.db.sql,
        clock: systemClock,
        log: createLog('silent'),
        userAgent: 'zonedeck-test',
      })
      onTestFinished(() => guarded.close())
      const { port } = simulator
      for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1']) {
        const own = guarded.connect({ kind, url: `http://${host}:${port}`, apiKey: simulator.apiKey })
        await expect(own.listDomains(person)).rejects.toMatchObject({ code: 'tracker_private' })
        await expect(own.addDomain(orderOf('private.com'), person)).rejects.toMatchObject({ code: 'tracker_private' })
      }
      expect(simulator.journal.count()).toBe(0)
      expect(await guarded.findAddresses(`http://localhost:${port}`)).toEqual([])
      // The addresses of a private name are not reported, even if connecting is permitted.
      expect(await trackers.findAddresses(`http://localhost:${port}`)).toEqual([])
      expect(await trackers.findAddresses(`http://127.0.0.1:${port}`)).toEqual(['127.0.0.1'])
    })

    test('reads that fail temporarily are retried; a lasting failure is reported', async () => {
      await connection.listDomains(bulk)
      const effects: readonly FaultEffect[] = [
        { kind: 'server-error' },
        { kind: 'server-error', body: 'html' },
        { kind: 'cut-body' },
        { kind: 'malformed-json' },
        { kind: 'reset' },
        { kind: 'rate-limited', retryAfterSeconds: 1 },
      ]
      for (const effect of effects) {
        simulator.faults.add({ path: '*', times: 1, effect })
        expect(await connection.listDomains(bulk)).toEqual([])
      }
      simulator.faults.add({ path: '*', effect: { kind: 'server-error' } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({ code: 'tracker_unavailable' })
    })

    test('no calls are made while the tracker asks to wait, and a person is shown the wait if it is too long', async () => {
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'rate-limited', retryAfterSeconds: 300 } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({
        code: 'tracker_rate_limited',
        params: { retryAfterSeconds: 300 },
      })
      await expect(connection.listCampaigns(person)).rejects.toMatchObject({ code: 'tracker_rate_limited' })
      expect(simulator.journal.count()).toBe(1)
    })

    test('an endless response is aborted', async () => {
      simulator.faults.add({ path: '*', effect: { kind: 'endless-body' } })
      await expect(connection.listDomains(person)).rejects.toMatchObject({ code: 'tracker_unreadable' })
    })

    test('no error contains the key, for any response', async () => {
      const { apiKey } = simulator
      const server = createServer((request, response) =>
        response.writeHead(406).end(JSON.stringify({ error: `no: ${request.rawHeaders.join()}` })),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const error: unknown = await connect(url)
        .listDomains(person)
        .catch((failure: unknown) => failure)
      expect(error).toMatchObject({ code: 'tracker_rejected' })
      expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(apiKey)
    })

    test('R-TRK-02 an untrusted certificate is reported as such, and nothing is sent', async () => {
      const day = 86_400_000
      const own = { names: ['localhost'], notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day), selfSigned: true }
      let asked = 0
      const server = createSecureServer(createAuthority(Date.now()).issue(own), (_, response) => {
        asked += 1
        response.end('[]')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const at = connect(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
      await expect(at.listDomains(person)).rejects.toMatchObject({
        code: 'tracker_certificate',
        provider: { code: expect.any(String) as string },
      })
      expect(asked).toBe(0)
    })

    test('an unreachable tracker is reported with the system’s error', async () => {
      await simulator.close()
      await expect(connection.listDomains(person)).rejects.toMatchObject({
        code: 'tracker_unavailable',
        provider: { code: 'ECONNREFUSED', message: 'ECONNREFUSED' },
      })
    })
  })
}
