import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'

// Spans of traces in OpenTelemetry terms. There is one exporter per process, like one log; without one nothing is recorded, measured or
// propagated.

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** Never contains names of people or domains, keys, queries or bodies. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is sampled. */
  readonly sampled: boolean
}

export interface FinishedSpan {
  readonly context: SpanContext
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly attributes: Attributes
  readonly failed: boolean
}

export interface Span {
  readonly context: SpanContext
  note(attributes: Attributes): void
  /** Marks the span as failed. */
  fail(why: string): void
  /** Ends and exports the span; once. */
  end(): void
  /** Runs a function as a child of this span. */
  run<T>(work: () => T): T
}

interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /**
   * The context sent by an unauthenticated caller: its trace id is used, and a request not to be sampled is respected, but a request to be sampled never is.
   * If absent, the current span is the parent.
   */
  readonly parent?: SpanContext | null
}

type Receive = (span: FinishedSpan) => void

let receiver: { readonly receive: Receive; readonly share: number } | null = null
const current = new AsyncLocalStorage<{ readonly context: SpanContext; readonly originMs: number }>()

/**
 * Sends spans to `receive` until the returned function is called.
 * @param share fraction of new traces that are sampled, 0 to 1, regardless of callers; child spans follow the decision of their trace
 */
export function traceTo(receive: Receive, share = 1): () => void {
  const own = { receive, share }
  receiver = own
  return () => {
    if (receiver === own) receiver = null
  }
}

export const isTracing = (): boolean => receiver !== null

/** The current trace; null if there is none. */
export const currentTraceId = (): string | null => (receiver === null ? null : (current.getStore()?.context.traceId ?? null))

/** Starts a span; null if nothing is exported. */
export function startSpan(name: string, { kind = 'internal', attributes = {}, parent: remote = null }: SpanOptions = {}): Span | null {
  if (receiver === null) return null
  const { receive, share } = receiver
  const above = current.getStore()
  const parent = remote ?? above?.context ?? null
  // One clock for a whole trace, so that a clock change places no child before its parent.
  const originMs = above?.originMs ?? Date.now() - performance.now()
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
  // A random decision instead of one based on the trace id: callers who choose ids could otherwise force sampling and flood the collector.
  const sampled = above?.context.sampled ?? (remote?.sampled !== false && Math.random() < share)
  const context: SpanContext = { traceId, spanId: randomBytes(8).toString('hex'), sampled }
  const startedAtMs = originMs + performance.now()
  const noted: Record<string, string | number | boolean> = { ...attributes }
  let failed = false
  let ended = false
  return {
    context,
    note: (more) => void Object.assign(noted, more),
    fail(why) {
      failed = true
      noted['error.type'] = why
    },
    end() {
      if (ended || !sampled) return
      ended = true
      const endedAtMs = originMs + performance.now()
      receive({ context, parentSpanId: parent?.spanId ?? null, name, kind, startedAtMs, endedAtMs, attributes: noted, failed })
    },
    run: (work) => current.run({ context, originMs }, work),
  }
}

/** Runs a function in its own span; without an exporter just runs it. Errors are reported by code, never by text. */
export async function traced<T>(name: string, options: SpanOptions, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = startSpan(name, options)
  if (span === null) return work(null)
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail(error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

/** A caller's trace context from the W3C traceparent header; null if invalid. */
export function readTraceparent(header: string): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
