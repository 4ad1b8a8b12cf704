import type { CallOptions } from './calls.ts'
import { errorOf, unreachable, unreadable, ZonedeckError } from './errors.ts'
import { createHttp } from './http.ts'
import type { PanelOptions } from './http.ts'
import { readEvents } from './stream.ts'
import { pause } from './wait-for-operation.ts'

export interface Wire {
  call(path: string, input: unknown, options?: CallOptions): Promise<unknown>
  listen(path: string, input: unknown, options?: CallOptions): AsyncGenerator<unknown, void, undefined>
}

const firstPauseMs = 500
const longestPauseMs = 30_000
/** The panel sends a ping every 15 seconds. */
const silenceMs = 45_000

const dataOf = (body: unknown) => (body as { readonly error?: { readonly data?: unknown } } | null)?.error?.data

/**
 * tRPC over `fetch`: a call is a POST request, a subscription is an event stream.
 * @throws TypeError if `url` is not an HTTP or HTTPS URL, and on a call if the token is not a valid header value
 */
export function createWire(options: PanelOptions): Wire {
  const { base, timeoutMs, headers, send: sendTo } = createHttp(options)
  const send = (path: string, init: RequestInit, own: AbortSignal, given: AbortSignal | undefined) =>
    sendTo(`/trpc/${path}`, init, own, given)

  async function refused(response: Response): Promise<ZonedeckError> {
    const body: unknown = await response.json().catch(() => null)
    return errorOf(dataOf(body)) ?? unreadable(base, response.status)
  }

  /** Events of one connection until it ends. @throws ZonedeckError if the panel rejects it */
  async function* connection(path: string, input: object, own: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), silenceMs)
    try {
      const asked = `${path}?input=${encodeURIComponent(JSON.stringify(input))}`
      const response = await send(asked, { headers: { ...own, accept: 'text/event-stream' } }, silence.signal, signal)
      if (!response.ok || response.body === null) throw await refused(response)
      for await (const event of readEvents(response.body)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), silenceMs)
        if (event.type === 'serialized-error') {
          const shape = JSON.parse(event.data) as { readonly data?: unknown }
          throw errorOf(shape.data) ?? unreadable(base, 200)
        }
        if (event.type === 'message') yield { id: event.id, data: JSON.parse(event.data) as unknown }
      }
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
  }

  return {
    async call(path, input, { signal } = {}) {
      const patience = AbortSignal.timeout(timeoutMs)
      const init = { method: 'POST', headers: { ...headers(), 'content-type': 'application/json' }, body: JSON.stringify(input ?? {}) }
      const response = await send(path, init, patience, signal)
      if (!response.ok) throw await refused(response)
      const body = (await response.json().catch(() => null)) as { readonly result?: { readonly data?: unknown } } | null
      signal?.throwIfAborted()
      if (patience.aborted) throw unreachable(base, patience.reason)
      if (body?.result === undefined) throw unreadable(base, response.status)
      return body.result.data
    },
    async *listen(path, input, { signal } = {}) {
      let lastEventId: string | undefined
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        const own = headers()
        try {
          const asked = { ...(input as object | undefined), ...(lastEventId !== undefined && { lastEventId }) }
          for await (const { id, data } of connection(path, asked, own, signal)) {
            pauseMs = firstPauseMs
            lastEventId = id ?? lastEventId
            yield data
          }
        } catch (error) {
          signal?.throwIfAborted()
          // Retries a lost connection but not a rejected one.
          if (error instanceof ZonedeckError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
        }
        await pause(pauseMs, signal)
      }
    },
  }
}
