import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { deliver } from '../deliver.ts'
import { createFaults } from '../faults.ts'
import type { FaultEffect, Faults } from '../faults.ts'
import { createJournal } from '../journal.ts'
import type { Journal } from '../journal.ts'
import { listen } from '../listen.ts'
import { hash32, randomFrom } from '../random.ts'
import { carryOut, refuse } from './methods.ts'
import type { Outcome } from './methods.ts'
import { TelegramState } from './state.ts'

export interface TelegramSimulator {
  readonly url: string
  readonly port: number
  readonly journal: Journal
  /** `path` of a fault is the method: `/sendMessage`. */
  readonly faults: Faults
  /** Chats, bots, and every delivered message, in order. */
  readonly state: TelegramState
  /** Accepts calls without answering or processing them, until reset. */
  setSilent(silent: boolean): void
  close(): Promise<void>
}

export interface TelegramSimulatorOptions {
  readonly port?: number
  readonly latencyMs?: number
  readonly seed?: number
  readonly now?: () => number
  /** Whether the limits of 1 message a second per chat and 20 a minute per group apply; otherwise 429 is never sent. Default true. */
  readonly limits?: boolean
}

/** The parts of Telegram's Bot API used by the panel; facts are in the README of the integration. */
export async function startTelegramSimulator(options: TelegramSimulatorOptions = {}): Promise<TelegramSimulator> {
  const now = options.now ?? Date.now
  const journal = createJournal()
  const faults = createFaults(randomFrom(hash32(options.seed ?? 7, 78)), now)
  const state = new TelegramState({ now, limits: options.limits ?? true })
  let silent = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const path = `/${method}`
    if (silent) return
    const effect = faults.find({ method: request.method ?? 'GET', path, accountId: null, userId: null })
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const outcome = (effect === null ? null : stopped(effect)) ?? (await carryOut(state, token, method, parse(chunks), gone.signal))
    // The URL contains the token.
    journal.add({
      method: request.method ?? 'GET',
      path,
      status: effect?.kind === 'reset' ? 0 : outcome.status,
      userId: null,
      atMs: now(),
      url: path,
    })
    const waitMs = (options.latencyMs ?? 0) + (effect?.kind === 'slow' ? effect.delayMs : 0)
    if (waitMs > 0) setTimeout(() => send(response, outcome, effect), waitMs)
    else send(response, outcome, effect)
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`simulator fault: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  const { port, close } = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    journal,
    faults,
    state,
    setSilent: (value) => {
      silent = value
    },
    close,
  }
}

/** The response of a fault that stops the call; null: it is executed, and at most the response is damaged. */
function stopped(effect: FaultEffect): Outcome | null {
  switch (effect.kind) {
    case 'rate-limited': {
      const seconds = effect.retryAfterSeconds ?? 2
      return refuse(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
    }
    case 'server-error':
      return effect.body === 'html'
        ? { status: effect.status ?? 502, contentType: 'text/html', body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }
        : refuse(effect.status ?? 500, 'Internal Server Error')
    case 'forbidden':
      return refuse(403, 'Forbidden: bot was blocked by the user')
    case 'revoked-key':
      return refuse(401, 'Unauthorized')
    case 'success-false':
      return refuse(400, 'Bad Request: chat not found')
    case 'reset':
      return { status: 500, contentType: 'text/plain', body: '' }
    default:
      return null
  }
}

function send(response: ServerResponse, outcome: Outcome, effect: FaultEffect | null): void {
  const reply = effect?.kind === 'unknown-fields' ? { ...outcome, body: outcome.body.replace('{', '{"surprise":[1],') } : outcome
  deliver(response, reply, effect)
}

function parse(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return {}
  }
}
