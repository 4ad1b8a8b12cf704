import type { Attributes, FinishedSpan, SpanKind } from '#server/platform/tracing.ts'

// OTLP 1.x as JSON: ids are hexadecimal, 64-bit integers are strings, enums are numbers (opentelemetry.io/docs/specs/otlp, read
// 2026-11-22).

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const satisfies Record<SpanKind, number>
const unset = 0
const failed = 2

const valueOf = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : Number.isSafeInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value }

const attributesOf = (attributes: Attributes) => Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))

/** Microseconds are the precision of a number, and of the clock. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

const spanOf = ({ context, parentSpanId, name, kind, startedAtMs, endedAtMs, attributes, failed: isFailed }: FinishedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentSpanId !== null && { parentSpanId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startedAtMs),
  endTimeUnixNano: nanoseconds(endedAtMs),
  attributes: attributesOf(attributes),
  status: { code: isFailed ? failed : unset },
})

/** The body of a call to `/v1/traces`. */
export const exportRequest = (
  resource: Attributes,
  scope: { readonly name: string; readonly version: string },
  spans: readonly FinishedSpan[],
) => ({
  resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }],
})
