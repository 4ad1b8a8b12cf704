import { Agent } from 'undici'
import type { Dispatcher } from 'undici'

/** Why no whole answer came. `unreached` is certain: the request was never sent. */
export type HttpFailure = 'unreached' | 'lost' | 'timeout' | 'cut' | 'too_large' | 'aborted'

export class HttpError extends Error {
  readonly failure: HttpFailure

  constructor(failure: HttpFailure, cause: unknown) {
    super(failure, { cause })
    this.name = 'HttpError'
    this.failure = failure
  }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly headersTimeoutMs: number
  /** For everything, from the first byte sent to the last received. */
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface HttpClient {
  /** @throws HttpError; an answer of any status is an answer. */
  request(request: HttpRequest): Promise<HttpAnswer>
  /** Breaks off what is under way. */
  close(): Promise<void>
}

/** Kept-alive connections, bounded waits and answers. Says nothing of headers and bodies to anybody. */
export function createHttpClient(options: { readonly userAgent: string; readonly connectionsPerOrigin?: number }): HttpClient {
  const agent = new Agent({
    connections: options.connectionsPerOrigin ?? 256,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: 10_000 },
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
  })
  return {
    request: (request) => send(agent, options.userAgent, request),
    close: () => agent.destroy(),
  }
}

async function send(agent: Agent, userAgent: string, request: HttpRequest): Promise<HttpAnswer> {
  const stop = new AbortController()
  const url = new URL(request.url)
  let timedOut = false
  let answered = false
  const timer = setTimeout(() => {
    timedOut = true
    stop.abort()
  }, request.timeoutMs)
  const abort = () => stop.abort()
  if (request.signal?.aborted === true) stop.abort()
  request.signal?.addEventListener('abort', abort, { once: true })
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers, 'user-agent': userAgent },
      body: request.body ?? null,
      headersTimeout: request.headersTimeoutMs,
      bodyTimeout: request.headersTimeoutMs,
      signal: stop.signal,
    })
    answered = true
    const text = await readText(response, request.maxBytes)
    return { status: response.statusCode, headers: response.headers, text }
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (request.signal?.aborted === true) throw new HttpError('aborted', request.signal.reason)
    throw new HttpError(timedOut ? 'timeout' : failureOf(error, answered), error)
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', abort)
  }
}

async function readText(response: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  // A body that is given up says so once more, to nobody.
  response.body.on('error', () => undefined)
  const told = Number(response.headers['content-length'])
  if (told > maxBytes) {
    response.body.destroy()
    throw new HttpError('too_large', `${told} bytes`)
  }
  if (told <= maxBytes) return response.body.text()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      response.body.destroy()
      throw new HttpError('too_large', `more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

function failureOf(error: unknown, answered: boolean): HttpFailure {
  const { code, syscall } = detailsOf(error)
  if (unreachedCodes.has(code) || syscall === 'connect' || /CERT|SELF_SIGNED|ERR_TLS/.test(code)) return 'unreached'
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout'
  return answered ? 'cut' : 'lost'
}

function detailsOf(error: unknown): { readonly code: string; readonly syscall: string } {
  if (!(error instanceof Error)) return { code: '', syscall: '' }
  const { code, syscall } = error as Error & { readonly code?: unknown; readonly syscall?: unknown }
  return { code: typeof code === 'string' ? code : '', syscall: typeof syscall === 'string' ? syscall : '' }
}
