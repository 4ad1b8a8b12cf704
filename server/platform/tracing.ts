import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'

// What a process does, as spans of traces, in the words of OpenTelemetry. There is one receiver a process, as there is one log; without one nothing is
// kept, measured or carried along.

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** Never names of people or domains, keys, queries or bodies. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the trace is kept. */
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
  /** It ended otherwise than it should. */
  fail(why: string): void
  /** Asks it to the receiver; once. */
  end(): void
  /** Does something as a part of it. */
  run<T>(work: () => T): T
}

interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** A caller's, whom nobody has recognised yet: its trace is taken over and its wish not to be kept, never its wish to be. Absent: what is being done here, if anything is. */
  readonly parent?: SpanContext | null
}

type Receive = (span: FinishedSpan) => void

let receiver: { readonly receive: Receive; readonly share: number } | null = null
const current = new AsyncLocalStorage<{ readonly context: SpanContext; readonly originMs: number }>()

/**
 * From now on spans are reported to `receive`, until the answered function is called.
 * @param share of what begins here that is kept, 0 to 1, whatever callers ask for; what follows from it is kept with it or not at all
 */
export function traceTo(receive: Receive, share = 1): () => void {
  const own = { receive, share }
  receiver = own
  return () => {
    if (receiver === own) receiver = null
  }
}

export const isTracing = (): boolean => receiver !== null

/** The trace that is being worked on; null where there is none. */
export const currentTraceId = (): string | null => (receiver === null ? null : (current.getStore()?.context.traceId ?? null))

/** Begins a span; null where nothing is exported. */
export function startSpan(name: string, { kind = 'internal', attributes = {}, parent: remote = null }: SpanOptions = {}): Span | null {
  if (receiver === null) return null
  const { receive, share } = receiver
  const above = current.getStore()
  const parent = remote ?? above?.context ?? null
  // One clock for a whole trace, so that a clock that is set meanwhile puts no part before its whole.
  const originMs = above?.originMs ?? Date.now() - performance.now()
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
  // By a die of our own: who makes up identifiers would otherwise choose what is kept, and fill the collector.
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

/** Does something as a span of its own; without a receiver just does it. Of an error its code is reported, never its text. */
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

/** A caller's trace, from the header of W3C Trace Context; null where that reports none. */
export function readTraceparent(header: string): SpanContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
