import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import type { Log } from '#server/platform/log.ts'
import type { Attributes, FinishedSpan } from '#server/platform/tracing.ts'
import { exportRequest } from './wire.ts'

interface OtlpExporter {
  /** Buffers a span until it is sent; if the collector is too slow, the newest ones are dropped. */
  take(span: FinishedSpan): void
  /** Sends remaining spans, for a few seconds at most. */
  close(): Promise<void>
}

interface OtlpOptions {
  /** The collector's URL, without `/v1/traces`. */
  readonly endpoint: string
  /** Sent with each call; may contain keys. */
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Attributes
  readonly version: string
  readonly log: Log
  /** Default 5 s. */
  readonly everyMs?: number
}

const mostKept = 4_096
const sentPerBatch = 512
const timeoutMs = 10_000
const partingMs = 3_000
const warnedEveryMs = 60_000
/** Retryable statuses of the protocol; all others are permanent. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends spans to a collector in batches. An unreachable collector only causes a log line a minute. */
export function createOtlpExporter({ endpoint, headers, resource, version, log, everyMs = 5_000 }: OtlpOptions): OtlpExporter {
  const http = createHttpClient({ userAgent: `zonedeck/${version}`, maxBytes: 1024 * 1024, connectionsPerOrigin: 1 })
  let waiting: FinishedSpan[] = []
  let lost = 0
  let warnedAt = -Infinity
  let sending: Promise<boolean> | null = null

  function warn(details: object): void {
    if (performance.now() - warnedAt < warnedEveryMs) return
    warnedAt = performance.now()
    log.warn({ ...details, lost, waiting: waiting.length }, 'the collector did not accept spans')
    lost = 0
  }

  /** True if the batch is done, whether delivered or dropped. */
  async function send(spans: readonly FinishedSpan[], signal?: AbortSignal): Promise<boolean> {
    const body = JSON.stringify(exportRequest(resource, { name: 'zonedeck', version }, spans))
    const call = { method: 'POST', url: `${endpoint}/v1/traces`, body, headersTimeoutMs: timeoutMs, timeoutMs, signal } as const
    try {
      const { status } = await http.request({ ...call, headers: { ...headers, 'content-type': 'application/json' } })
      if (status >= 200 && status < 300) return true
      const again = passing.has(status)
      if (!again) lost += spans.length
      warn({ status })
      return !again
    } catch (error) {
      warn({ why: error instanceof HttpError ? error.failure : 'unknown' })
      return false
    }
  }

  /** One batch after another, until all are sent or one must wait. */
  async function sendAll(signal?: AbortSignal): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, sentPerBatch)
      waiting = waiting.slice(sentPerBatch)
      if (await send(batch, signal)) continue
      const kept = [...batch, ...waiting]
      lost += Math.max(0, kept.length - mostKept)
      waiting = kept.slice(0, mostKept)
      return false
    }
    return true
  }
  const flush = () => (sending ??= sendAll().finally(() => (sending = null)))

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    take(span) {
      if (waiting.length >= mostKept) {
        lost += 1
        return
      }
      waiting.push(span)
      if (waiting.length === sentPerBatch) void flush()
    },
    async close() {
      clearInterval(timer)
      const parting = AbortSignal.timeout(partingMs)
      const gone = new Promise<void>((resolve) => parting.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([sending, gone])
      if (!parting.aborted) await sendAll(parting)
      await http.close()
    },
  }
}
