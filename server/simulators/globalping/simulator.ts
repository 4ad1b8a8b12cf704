import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { listen } from '../listen.ts'

const request = z.strictObject({
  type: z.literal('http'),
  /** Timeout of a test in seconds; default 30. */
  timeout: z.int().min(5).max(30),
  target: z.string().regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/),
  locations: z
    .array(z.strictObject({ continent: z.enum(['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA']), limit: z.int().min(1).max(200) }))
    .min(1),
  measurementOptions: z.strictObject({
    protocol: z.enum(['HTTP', 'HTTPS', 'HTTP2']),
    port: z.int().min(0).max(65_535),
    request: z.strictObject({ method: z.enum(['HEAD', 'GET', 'OPTIONS']), path: z.string(), query: z.string().optional() }),
  }),
})
export type Measured = z.infer<typeof request>

/** The result of a probe on a continent; other fields of a finished test are generated. */
export type Sight =
  | {
      readonly kind: 'answer'
      readonly status?: number
      readonly body?: string
      readonly truncated?: boolean
      readonly headers?: Readonly<Record<string, string>>
      /** Why the certificate is not trusted; null: it is trusted. */
      readonly certificateError?: string | null
      readonly expiresAt?: string
    }
  | { readonly kind: 'failed'; readonly output: string; readonly source?: 'target' | 'resolver' | 'internal' }
  | { readonly kind: 'offline' }
  /** The test never ends. */
  | { readonly kind: 'stuck' }
  /** No probe on that continent. */
  | { readonly kind: 'nobody' }

export type GlobalpingFault = 'silent' | 'server-error' | 'html' | 'reset' | 'unauthorized' | 'limited'

export interface GlobalpingOptions {
  readonly port?: number
  /** The result for a target from a continent. Default: a good response. */
  readonly see?: (measured: Measured, continent: string) => Sight
  /** Names refused as malicious. */
  readonly blocked?: (target: string) => boolean
  /** Tests per hour; twice as many with a token. */
  readonly testsPerHour?: number
  /** How often a measurement is reported as in progress. */
  readonly pollsUntilDone?: number
  readonly now?: () => number
}

const hourMs = 3_600_000

/** Globalping's API v1 for HTTP measurements: creation, polling, hourly limits, and refusal of blocked names. */
export async function startGlobalpingSimulator(options: GlobalpingOptions = {}) {
  const now = options.now ?? Date.now
  const measurements = new Map<string, { readonly measured: Measured; polls: number }>()
  const budgetOf = createBudgets(now)
  const asked: { readonly measured: Measured; readonly token: string | null }[] = []
  const polledAt: number[] = []
  let fault: GlobalpingFault | null = null

  const server = createServer((incoming, response) => {
    void (async () => {
      const text = await read(incoming)
      if (fault !== null) corrupt(fault, response)
      else if (incoming.method === 'POST' && incoming.url === '/v1/measurements') create(incoming, text, response)
      else if (incoming.method === 'GET') sendResult(incoming.url?.replace('/v1/measurements/', '') ?? '', response)
      else refuse(response, 404, 'not_found', "Couldn't find the requested item.")
    })()
  })

  function create(incoming: IncomingMessage, text: string, response: ServerResponse): void {
    const token = incoming.headers.authorization?.replace(/^Bearer /, '') ?? null
    const parsed = request.safeParse(JSON.parse(text))
    if (!parsed.success) {
      refuse(response, 400, 'validation_error', 'Parameter validation failed.', { measurement: z.prettifyError(parsed.error) })
      return
    }
    const measured = parsed.data
    asked.push({ measured, token })
    if (options.blocked?.(measured.target) === true) {
      refuse(response, 400, 'validation_error', 'Parameter validation failed.', { target: 'Provided address is blacklisted.' })
      return
    }
    const present = measured.locations.filter(({ continent }) => see(measured, continent).kind !== 'nobody')
    if (present.length === 0) {
      refuse(response, 422, 'no_probes_found', 'No suitable probes found.')
      return
    }
    const limit = (options.testsPerHour ?? 250) * (token === null ? 1 : 2)
    const budget = budgetOf(token ?? 'address')
    const isOver = budget.used + present.length > limit
    if (!isOver) budget.used += present.length
    response.setHeader('x-ratelimit-limit', limit)
    response.setHeader('x-ratelimit-consumed', budget.used)
    response.setHeader('x-ratelimit-remaining', limit - budget.used)
    response.setHeader('x-ratelimit-reset', Math.ceil((budget.resetAt - now()) / 1000))
    if (isOver) {
      refuse(response, 429, 'rate_limit_exceeded', 'API rate limit exceeded.')
      return
    }
    const id = createHash('sha256').update(`${asked.length}`).digest('base64url').slice(0, 16)
    measurements.set(id, { measured, polls: 0 })
    response.setHeader('location', `/v1/measurements/${id}`)
    json(response, 202, { id, probesCount: present.length })
  }

  const see = (measured: Measured, continent: string): Sight => options.see?.(measured, continent) ?? { kind: 'answer' }

  function sendResult(id: string, response: ServerResponse): void {
    polledAt.push(now())
    const found = measurements.get(id)
    if (found === undefined) {
      refuse(response, 404, 'not_found', "Couldn't find the requested item.")
      return
    }
    found.polls += 1
    const { measured } = found
    const isEarly = found.polls <= (options.pollsUntilDone ?? 1)
    const results = measured.locations.flatMap(({ continent }) => {
      const sight = see(measured, continent)
      if (sight.kind === 'nobody') return []
      const result = isEarly || sight.kind === 'stuck' ? { status: 'in-progress', rawOutput: '' } : resultOf(sight, measured, now())
      return [{ probe: { continent, region: 'Somewhere', country: 'XX', city: 'Town', asn: 64_496, network: 'Simulated' }, result }]
    })
    const isRunning = results.some(({ result }) => result.status === 'in-progress')
    const at = new Date(now()).toISOString()
    json(response, 200, {
      id,
      type: 'http',
      status: isRunning ? 'in-progress' : 'finished',
      createdAt: at,
      updatedAt: at,
      target: measured.target,
      probesCount: results.length,
      results,
    })
  }

  const { port, close } = await listen(server, options.port)
  return {
    /** In the format of `GLOBALPING_BASE_URL`. */
    url: `http://127.0.0.1:${port}/v1`,
    /** All requested measurements, oldest first. */
    asked,
    /** Times of result requests, milliseconds. */
    polledAt,
    setFault(next: GlobalpingFault | null): void {
      fault = next
    },
    close,
  }
}

/** Tests per caller in the current hour. */
function createBudgets(now: () => number) {
  const budgets = new Map<string, { used: number; resetAt: number }>()
  return (who: string) => {
    const known = budgets.get(who)
    if (known !== undefined && known.resetAt > now()) return known
    const fresh = { used: 0, resetAt: now() + hourMs }
    budgets.set(who, fresh)
    return fresh
  }
}

function resultOf(sight: Exclude<Sight, { readonly kind: 'stuck' | 'nobody' }>, { measurementOptions, target }: Measured, nowMs: number) {
  if (sight.kind === 'offline') return { status: 'offline', rawOutput: 'This probe is currently offline.' }
  if (sight.kind === 'failed') {
    return { status: 'failed', rawOutput: sight.output, failureSource: sight.source, resolvedAddress: null, headers: {}, tls: null }
  }
  const error = sight.certificateError ?? null
  const tls = {
    authorized: error === null,
    protocol: 'TLSv1.3',
    cipherName: 'TLS_AES_256_GCM_SHA384',
    ...(error !== null && { error }),
    createdAt: new Date(nowMs - 20 * 86_400_000).toISOString(),
    expiresAt: sight.expiresAt ?? new Date(nowMs + 70 * 86_400_000).toISOString(),
    subject: { CN: target, alt: `DNS:${target}, DNS:*.${target}` },
    issuer: { C: 'US', O: 'Simulated Trust', CN: 'S1' },
    keyType: 'EC',
    keyBits: 256,
    serialNumber: '01:02',
    fingerprint256: 'AB:CD:EF',
    publicKey: null,
  }
  return {
    status: 'finished',
    rawOutput: `HTTP/1.1 ${sight.status ?? 200}`,
    rawHeaders: '',
    rawBody: sight.body ?? '',
    truncated: sight.truncated ?? false,
    headers: sight.headers ?? {},
    statusCode: sight.status ?? 200,
    statusCodeName: 'OK',
    resolvedAddress: '104.16.1.1',
    timings: { total: 90, dns: 10, tcp: 20, tls: 30, firstByte: 25, download: 5 },
    tls: measurementOptions.protocol === 'HTTP' ? null : tls,
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, type: string, message: string, params?: object): void {
  json(response, status, { error: { type, message, ...(params !== undefined && { params }) } })
}

function corrupt(fault: GlobalpingFault, response: ServerResponse): void {
  switch (fault) {
    case 'silent':
      return
    case 'server-error':
      refuse(response, 500, 'api_error', 'Internal server error.')
      return
    case 'unauthorized':
      refuse(response, 401, 'unauthorized', 'Unauthorized.')
      return
    case 'limited':
      // Sent by a proxy in front of their own counting, without the remaining number.
      response.setHeader('retry-after', 120)
      refuse(response, 429, 'rate_limit_exceeded', 'API rate limit exceeded.')
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Maintenance</title>')
      return
    case 'reset':
      response.socket?.destroy()
  }
}
