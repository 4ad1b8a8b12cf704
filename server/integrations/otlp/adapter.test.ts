import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createOtlpExporter } from '#server/integrations/otlp/adapter.ts'
import { exportRequest } from '#server/integrations/otlp/wire.ts'
import { createLog } from '#server/platform/log.ts'
import type { FinishedSpan } from '#server/platform/tracing.ts'
import { startOtlpCollector } from '#server/testing/otlp-collector.ts'

const soon = { timeout: 20_000, interval: 20 }
const span: FinishedSpan = {
  context: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true },
  parentSpanId: '00f067aa0ba902b7',
  name: 'GET /api/zones/:id',
  kind: 'server',
  startedAtMs: 1_700_000_000_123.456,
  endedAtMs: 1_700_000_000_223.456,
  attributes: { 'http.request.method': 'GET', 'http.response.status_code': 500, share: 0.5, flag: true },
  failed: true,
}

test('a span is encoded like the official exporter’s', async () => {
  const text = await readFile(new URL('fixtures/official-exporter.json', import.meta.url), 'utf8')
  // 64-bit integers are strings in protobuf's JSON; collectors accept both.
  const official: unknown = JSON.parse(text, (key, value: unknown) => (key === 'intValue' ? String(value) : value))
  expect(official).toMatchObject(exportRequest({ 'service.name': 'zonedeck' }, { name: 'zonedeck', version: '0.1.0' }, [span]))
})

async function create(everyMs = 3_600_000) {
  const collector = await startOtlpCollector()
  const lines: string[] = []
  const log = createLog('info', new Writable({ write: (line: Buffer, _, done) => (lines.push(line.toString()), done()) }))
  const headers = { 'x-key': 'canary' }
  const exporter = createOtlpExporter({
    endpoint: collector.url,
    headers,
    resource: { 'service.name': 'panel' },
    version: '1.2.3',
    log,
    everyMs,
  })
  onTestFinished(async () => {
    await exporter.close()
    await collector.close()
  })
  return { collector, exporter, lines }
}

test('spans are sent in batches with the configured headers, and the last ones at shutdown', async () => {
  const { collector, exporter } = await create(20)
  exporter.take(span)
  await vi.waitFor(() => expect(collector.spans()).toHaveLength(1), soon)
  expect(collector.calls[0]).toMatchObject({
    path: 'POST /v1/traces',
    headers: { 'x-key': 'canary', 'content-type': 'application/json', 'user-agent': 'zonedeck/1.2.3' },
    resource: { 'service.name': 'panel' },
  })
  exporter.take(span)
  await exporter.close()
  expect(collector.spans()).toHaveLength(2)
})

test('512 spans are sent immediately, without waiting for the interval', async () => {
  const { collector, exporter } = await create()
  for (let n = 0; n < 600; n += 1) exporter.take(span)
  await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThanOrEqual(512), soon)
})

test.each([429, 503])('spans answered with %s are sent again later, in order and once', async (status) => {
  const { collector, exporter, lines } = await create(20)
  collector.answer(status)
  for (const name of ['one', 'two', 'three']) exporter.take({ ...span, name })
  await vi.waitFor(() => expect(collector.calls.length).toBeGreaterThan(1), soon)
  collector.answer(200)
  await vi.waitFor(() => expect(collector.spans().map(({ name }) => name)).toEqual(['one', 'two', 'three']), soon)
  await exporter.close()
  expect(collector.spans()).toHaveLength(3)
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('canary')
})

test('permanently refused spans are dropped, and logged once a minute', async () => {
  const { collector, exporter, lines } = await create()
  collector.answer(401)
  for (let n = 0; n < 2; n += 1) for (let count = 0; count < 512; count += 1) exporter.take(span)
  await vi.waitFor(() => expect(collector.calls).toHaveLength(2), soon)
  collector.answer(200)
  await exporter.close()
  expect(collector.spans()).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 40, status: 401, lost: 512 }])
})

test('up to 4,096 unsent spans are kept, the oldest ones', async () => {
  const { collector, exporter } = await create()
  collector.answer(503)
  for (let n = 0; n < 5_000; n += 1) exporter.take({ ...span, name: `${n}` })
  await vi.waitFor(() => expect(collector.calls).toHaveLength(1), soon)
  for (let n = 5_000; n < 10_000; n += 1) exporter.take({ ...span, name: `${n}` })
  collector.answer(200)
  await exporter.close()
  expect(collector.spans().map(({ name }) => Number(name))).toEqual(Array.from({ length: 4_096 }, (_, n) => n))
})

test('an unreachable collector does not delay shutdown, and an unresponsive one delays it by 3 s', async () => {
  const { collector, exporter } = await create()
  await collector.close()
  exporter.take(span)
  const began = performance.now()
  await exporter.close()
  expect(performance.now() - began).toBeLessThan(9_000)
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => silent.close().closeAllConnections())
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const patient = createOtlpExporter({ endpoint, headers: {}, resource: {}, version: '1', log: createLog('silent') })
  patient.take(span)
  const asked = performance.now()
  await patient.close()
  expect(performance.now() - asked).toBeGreaterThan(2_900)
  expect(performance.now() - asked).toBeLessThan(9_000)
})
