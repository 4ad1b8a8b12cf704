import { afterEach, expect, test } from 'vitest'
import { currentTraceId, isTracing, readTraceparent, startSpan, traced, traceTo } from '#server/platform/tracing.ts'
import type { FinishedSpan } from '#server/platform/tracing.ts'
import { AppError } from '#shared/errors/app-error.ts'

let stop: () => void = () => undefined
afterEach(() => stop())
function receive(share?: number): FinishedSpan[] {
  const spans: FinishedSpan[] = []
  stop = traceTo((span) => void spans.push(span), share)
  return spans
}

test('without an exporter, spans do nothing and work runs normally', async () => {
  expect(isTracing()).toBe(false)
  expect(startSpan('nothing')).toBeNull()
  expect(await traced('nothing', {}, async (span) => [span, currentTraceId()])).toEqual([null, null])
})

test('work within a span is its child, also concurrently, and starts and ends within it', async () => {
  const spans = receive()
  await traced('whole', {}, () => Promise.all(['one', 'other'].map((name) => traced(name, {}, async () => currentTraceId()))))
  const whole = spans.find(({ name }) => name === 'whole')
  const parts = spans.filter((span) => span !== whole)
  expect(parts.map(({ name }) => name)).toEqual(['one', 'other'])
  for (const part of parts) {
    expect([part.context.traceId, part.parentSpanId]).toEqual([whole?.context.traceId, whole?.context.spanId])
    expect(part.startedAtMs).toBeGreaterThanOrEqual(whole?.startedAtMs ?? Infinity)
    expect(part.endedAtMs).toBeLessThanOrEqual(whole?.endedAtMs ?? 0)
  }
  expect(whole?.parentSpanId).toBeNull()
  expect(Math.abs((whole?.startedAtMs ?? 0) - Date.now())).toBeLessThan(60_000)
})

test('an error is reported by its code, never its text', async () => {
  const spans = receive()
  const failures = [new AppError('not_found', { params: { name: 'canary' } }), new TypeError('canary')]
  for (const failure of failures) await expect(traced('fails', {}, () => Promise.reject(failure))).rejects.toBe(failure)
  expect(spans.map(({ attributes, failed }) => [attributes['error.type'], failed])).toEqual([
    ['not_found', true],
    ['TypeError', true],
  ])
  expect(JSON.stringify(spans)).not.toContain('canary')
})

test('a trace is sampled as a whole at about the configured rate, and a trace the caller does not sample is not sampled here', () => {
  const spans = receive(0.25)
  const roots = 2_000
  for (let n = 0; n < roots; n += 1) {
    const root = startSpan('root')
    root?.run(() => startSpan('part')?.end())
    root?.end()
  }
  const kept = new Set(spans.map(({ context }) => context.traceId))
  expect(spans).toHaveLength(kept.size * 2)
  expect(kept.size / roots).toBeGreaterThan(0.2)
  expect(kept.size / roots).toBeLessThan(0.3)
  stop()
  const all = receive()
  startSpan('unkept', { parent: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false } })?.end()
  expect(all).toEqual([])
})

test('a caller that requests sampling and chooses the trace id does not raise the sampled share', () => {
  const spans = receive(0.25)
  const asked = 2_000
  for (const traceId of ['0'.repeat(31) + '1', 'f'.repeat(32)])
    for (let n = 0; n < asked; n += 1) startSpan('asked', { parent: { traceId, spanId: 'b'.repeat(16), sampled: true } })?.end()
  expect(new Set(spans.map(({ context }) => context.traceId)).size).toBe(2)
  for (const traceId of ['0'.repeat(31) + '1', 'f'.repeat(32)]) {
    const kept = spans.filter(({ context }) => context.traceId === traceId).length
    expect(kept / asked).toBeGreaterThan(0.2)
    expect(kept / asked).toBeLessThan(0.3)
  }
  stop()
  const none = receive(0)
  startSpan('asked', { parent: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true } })?.end()
  expect(none).toEqual([])
})

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
test.each<[header: string, expected: object | null]>([
  [`00-${trace}-${span}-01`, { traceId: trace, spanId: span, sampled: true }],
  [`00-${trace}-${span}-00`, { traceId: trace, spanId: span, sampled: false }],
  [`cc-${trace}-${span}-01-what-a-later-version-adds`, { traceId: trace, spanId: span, sampled: true }],
  [`00-${trace}-${span}-01-more`, null],
  [`ff-${trace}-${span}-01`, null],
  [`00-${'0'.repeat(32)}-${span}-01`, null],
  [`00-${trace}-${'0'.repeat(16)}-01`, null],
  [`00-${trace.toUpperCase()}-${span}-01`, null],
  ['', null],
  ["00-'; drop table spans", null],
])('traceparent %j is parsed according to W3C Trace Context', (header, expected) => {
  expect(readTraceparent(header)).toEqual(expected)
})
