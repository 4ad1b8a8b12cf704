import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { createOtlpExporter } from '#server/integrations/otlp/adapter.ts'
import { createLog } from '#server/platform/log.ts'
import { traceTo } from '#server/platform/tracing.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { testPassword } from '#server/testing/factories.ts'
import { startOtlpCollector } from '#server/testing/otlp-collector.ts'
import type { CollectedSpan } from '#server/testing/otlp-collector.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import { startProcess, temporaryFolder } from '#server/testing/process.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A panel on its simulator with an exporter; `sent` flushes the exporter and returns all spans. */
async function start() {
  const collector = await startOtlpCollector()
  const exporter = createOtlpExporter({
    endpoint: collector.url,
    headers: {},
    resource: {},
    version: '1',
    log: createLog('silent'),
    everyMs: 20,
  })
  const stop = traceTo(exporter.take)
  const panel = await createTestPanel({ world: { zones: 3, accounts: 1 }, trackers: true })
  const app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
  const ann = await signIn(panel.services)
  closers.push(collector.close, exporter.close, panel.close, () => app.close(), stop)
  return { panel, app, ann, collector, find: (name: string) => collector.spans().filter((span) => span.name === name) }
}
const soon = { timeout: 30_000, interval: 20 }
const [trace, caller] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const isPartOf = (part: CollectedSpan | undefined, whole: CollectedSpan | undefined) =>
  part !== undefined && part.traceId === whole?.traceId && part.parentSpanId === whole.spanId

test(
  'a request, its procedure and the calls to the provider form one trace, the caller’s if it sends one',
  { timeout: 60_000 },
  async () => {
    const { panel, app, ann, find } = await start()
    const { email, globalKey } = panel.credential(0)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/accounts',
      headers: { ...ann.headers, traceparent: `00-${trace}-${caller}-01` },
      payload: { email, apiKey: globalKey },
    })
    expect(answer.statusCode).toBe(201)
    await vi.waitFor(() => expect(find('POST /api/accounts')).toHaveLength(1), soon)
    const [request] = find('POST /api/accounts')
    expect(request).toMatchObject({
      traceId: trace,
      parentSpanId: caller,
      kind: 2,
      status: { code: 0 },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/accounts',
        'http.response.status_code': '201',
        'zonedeck.request.id': answer.headers['x-request-id'],
        'user.id': ann.user.id,
      },
    })
    const [procedure] = find('accounts.add')
    expect(isPartOf(procedure, request)).toBe(true)
    const calls = find('GET /user')
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.every((call) => isPartOf(call, procedure))).toBe(true)
    expect(calls[0]).toMatchObject({
      kind: 3,
      attributes: {
        'zonedeck.provider': 'CLOUDFLARE',
        'url.template': '/user',
        'server.address': '127.0.0.1',
        'http.response.status_code': '200',
      },
    })
  },
)

test('each attempt of an operation’s item is a trace with its outcome; refusals are reported by code', { timeout: 60_000 }, async () => {
  const { panel, app, ann, find } = await start()
  const { email, globalKey } = panel.credential(0)
  await ann.call.accounts.add({ email, apiKey: globalKey })
  const synced = await panel.startSync()
  const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
  closers.push(synced.stop, runner.stop)
  const ids = await vi.waitFor(async () => {
    const rows = await panel.services.db.sql<{ id: string }[]>`select id from zones where settings_read_at is not null`
    if (rows.length < 3) throw new Error('not read yet')
    return rows.map(({ id }) => id)
  }, soon)
  const payload = { ids, settings: { minTlsVersion: '1.3' } }
  const started = await app.inject({ method: 'POST', url: '/api/zones/bulk-update-settings', headers: ann.headers, payload })
  const { operation } = started.json<{ operation: { id: string } }>()
  await vi.waitFor(() => expect(find('operation settings')).toHaveLength(3), soon)
  for (const item of find('operation settings')) {
    expect(item).toMatchObject({
      kind: 5,
      attributes: { 'zonedeck.operation.id': operation.id, 'zonedeck.operation.state': 'done', 'zonedeck.operation.attempt': '1' },
    })
    expect(find('PATCH /zones/{zone}/settings/{setting}').some((call) => isPartOf(call, item))).toBe(true)
  }
  await app.inject({ url: `/api/zones/${crypto.randomUUID()}`, headers: ann.headers })
  await vi.waitFor(() => expect(find('domains.get')).toHaveLength(1), soon)
  expect(find('domains.get')[0]).toMatchObject({ status: { code: 0 }, attributes: { 'error.type': 'not_found' } })
})

test('a span of a tracker call reports the kind and no host, since the address is user input', { timeout: 60_000 }, async () => {
  const { panel, ann, collector } = await start()
  const { keitaro, binom } = panel.trackers ?? {}
  if (keitaro === undefined || binom === undefined) throw new Error('no trackers')
  for (const given of [{ kind: 'KEITARO', ...keitaro } as const, { kind: 'BINOM', ...binom } as const])
    expect((await ann.call.trackers.test({ kind: given.kind, url: given.url, apiKey: given.apiKey })).test.ok).toBe(true)
  await vi.waitFor(() => expect(collector.spans().map(({ attributes }) => attributes['zonedeck.provider'])).toContain('BINOM'), soon)
  const calls = collector.spans().filter(({ kind }) => kind === 3)
  const hosts = { KEITARO: 'keitaro', BINOM: 'binom' }
  expect(new Set(calls.map(({ attributes }) => attributes['zonedeck.provider']))).toEqual(new Set(Object.keys(hosts)))
  for (const { attributes } of calls)
    expect(Object.entries(hosts)).toContainEqual([attributes['zonedeck.provider'], attributes['server.address']])
})

test('R-PRM-04 no span contains a secret, a query, a body, or the name of a person or a domain', { timeout: 60_000 }, async () => {
  const { panel, app, ann, collector, find } = await start()
  const { email, globalKey } = panel.credential(0)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({ method, url, headers: ann.headers, ...(payload && { payload }) })
  await ask('POST', '/api/accounts', { email, apiKey: globalKey })
  await ask('POST', '/api/accounts', { email: 'canary@example.com', apiKey: `canary${'0'.repeat(31)}` })
  await ask('GET', '/api/zones/live?search=canary')
  await ask('GET', '/trpc/domains.search?input=%7B%22text%22%3A%22canary%22%7D')
  await ask('GET', '/api/renewals.ics?token=canary')
  await ask('GET', '/api/no/such/canary')
  await ask('POST', '/api/auth/login', { email: ann.user.email, password: testPassword })
  await vi.waitFor(() => expect(find('POST /api/auth/login')).toHaveLength(1), soon)
  const sent = collector.calls.map(({ text }) => text).join('')
  const names = [...panel.simulator.state.zonesById.values()].map(({ name }) => name)
  for (const hidden of ['canary', email, globalKey, ann.token, ann.user.email, testPassword, ...names]) expect(sent).not.toContain(hidden)
})

interface Line {
  readonly msg: string
  readonly traceId?: string
  readonly route?: string
}

/** The modules a process loaded, as reported by Node at exit. */
async function loadedBy(folder: string): Promise<string[]> {
  const reports = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return reports.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url))
}

test.each([true, false])(
  'R-APP-02 a process configured with a collector (%s) exports until it stops, with trace ids in its log; without a collector no exporter code is loaded',
  { timeout: 120_000 },
  async (check) => {
    const collector = await startOtlpCollector()
    const database = await createTestDatabase()
    const data = await temporaryFolder()
    const coverage = await mkdtemp(join(tmpdir(), 'zonedeck-loaded-'))
    const server = startProcess('main.ts', {
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      NODE_V8_COVERAGE: coverage,
      ...(check && {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one%20two',
        OTEL_SERVICE_NAME: 'my panel',
      }),
    })
    onTestFinished(async () => {
      server.kill('SIGKILL')
      await server.ended
      await collector.close()
      await database.close()
      await data.remove()
      await rm(coverage, { recursive: true, force: true })
    }, 60_000)
    const address = await server.address
    await fetch(`${address}/api/auth/config`, { headers: { traceparent: `00-${trace}-${caller}-01` } })
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
    const request = lines.find(({ msg }) => msg === 'request')
    const loaded = (await loadedBy(coverage)).filter((url) => url.includes('/server/'))
    expect(loaded.length).toBeGreaterThan(100)
    expect(loaded.some((url) => url.includes('/integrations/otlp/'))).toBe(check)
    if (!check) {
      expect(request?.traceId).toBeUndefined()
      return
    }
    expect(request?.traceId).toBe(trace)
    expect(collector.spans()).toContainEqual(expect.objectContaining({ traceId: trace, parentSpanId: caller, kind: 2 }))
    expect(collector.calls[0]).toMatchObject({
      headers: { 'x-key': 'one two' },
      resource: { 'service.name': 'my panel', 'zonedeck.role': 'all' },
    })
  },
)
