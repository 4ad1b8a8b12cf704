import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

import { deliver, gatewayPage } from './deliver.ts'
import type { SimulatorReply } from './deliver.ts'
import { createFaults } from './faults.ts'
import type { FaultEffect, Faults } from './faults.ts'
import { createJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { listen } from './listen.ts'
import { hash32, randomFrom } from './random.ts'

export type { SimulatorReply } from './deliver.ts'

/** One call to a provider's simulator. */
export type SimulatorCall = {
  readonly method: string
  /** Without the base and the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The caller's IP address, as checked by allow-lists. */
  readonly address: string
  readonly nowMs: number
}

export type ProviderSimulator = {
  readonly url: string
  readonly port: number
  readonly journal: Journal
  readonly faults: Faults
  close(): Promise<void>
}

export type Refusals = Readonly<Record<'rate-limited' | 'forbidden' | 'revoked-key' | 'success-false', () => SimulatorReply>> & {
  readonly 'server-error': (status: number) => SimulatorReply
}

type ServeOptions = {
  /** The path prefix: `/api/json/v3`. */
  readonly base: string
  readonly port?: number | undefined
  readonly latencyMs?: number | undefined
  readonly seed?: number
  readonly now?: () => number
  /** The name in the journal: `namecheap.domains.check` or `/v1/domains/{domain}`. */
  readonly nameOf: (call: SimulatorCall) => string
  /** Called for each request before it is refused, modified or executed. */
  readonly onCall?: (call: SimulatorCall) => void
  /** In the provider's own envelope. */
  readonly refusals: Refusals
  readonly handle: (call: SimulatorCall) => SimulatorReply
}

const PAGE = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form method="post"><input name="login"></form></body></html>'

/** Serves one provider over HTTP, with faults, latency and a journal of all calls. `path` of a fault is the result of `nameOf`. */
export async function serveSimulator(options: ServeOptions): Promise<ProviderSimulator> {
  const now = options.now ?? Date.now
  const journal = createJournal()
  const faults = createFaults(randomFrom(hash32(options.seed ?? 7, 77)), now)

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://simulator')
      const call: SimulatorCall = {
        method: request.method ?? 'GET',
        path: url.pathname.startsWith(options.base) ? url.pathname.slice(options.base.length) : url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
        nowMs: now(),
      }
      const path = options.nameOf(call)
      options.onCall?.(call)
      const effect = faults.find({ method: call.method, path, accountId: null, userId: null })
      let reply: SimulatorReply
      try {
        reply = (effect === null ? null : stopped(effect, options.refusals)) ?? options.handle(call)
      } catch (error) {
        reply = { status: 500, contentType: 'text/plain', body: `simulator fault: ${error instanceof Error ? error.stack : String(error)}` }
      }
      journal.add({
        method: call.method,
        path,
        status: effect?.kind === 'reset' ? 0 : reply.status,
        userId: null,
        atMs: call.nowMs,
        url: url.pathname,
      })
      const waitMs = (options.latencyMs ?? 0) + (effect?.kind === 'slow' ? effect.delayMs : 0)
      if (waitMs > 0) setTimeout(() => deliver(response, reply, effect), waitMs)
      else deliver(response, reply, effect)
    })
  })
  const { port, close } = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}${options.base}`,
    port,
    journal,
    faults,
    close,
  }
}

/** The response of a fault that stops the request before it has an effect; null for faults that only damage the response. */
export function stopped(effect: FaultEffect, refusals: Refusals): SimulatorReply | null {
  switch (effect.kind) {
    case 'server-error':
      return effect.body === 'html'
        ? { status: effect.status ?? 502, contentType: 'text/html', body: gatewayPage }
        : refusals[effect.kind](effect.status ?? 502)
    case 'rate-limited': {
      const reply = refusals[effect.kind]()
      const { retryAfterSeconds } = effect
      return retryAfterSeconds === undefined ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfterSeconds) } }
    }
    case 'forbidden':
    case 'revoked-key':
    case 'success-false':
      return refusals[effect.kind]()
    case 'page':
      return { status: effect.status ?? 200, contentType: 'text/html; charset=utf-8', body: PAGE }
    case 'redirect':
      return { status: 302, contentType: 'text/html', body: '', headers: { location: effect.location } }
    case 'reset':
    case 'endless-body':
      return { status: 500, contentType: 'text/plain', body: '' }
    default:
      return null
  }
}

/** @param body replaces the content's JSON, for example an empty body */
export const jsonReply = (content: unknown, status = 200, body = JSON.stringify(content)): SimulatorReply => ({
  status,
  contentType: 'application/json',
  body,
})

/** Null: invalid JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return null
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
