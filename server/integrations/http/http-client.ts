import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import { OutboundRefused } from './outbound-guard.ts'
import type { OutboundGuard } from './outbound-guard.ts'

/**
 * Why there was no complete response. `unreached`: the request was certainly never sent. `forbidden`: nothing is ever sent to such an address.
 */
type HttpFailure = 'unreached' | 'forbidden' | 'lost' | 'timeout' | 'cut' | 'too_large' | 'redirects' | 'aborted'

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
  /** Timeout of the whole response. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /**
   * Called when a connection is available, right before the first byte is written. If it throws, nothing is written and the error is passed
   * on.
   */
  readonly beforeWrite?: (() => void) | undefined
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface HttpClient {
  /** @throws HttpError; a response with any status is not an error. */
  request(request: HttpRequest): Promise<HttpAnswer>
  /** Aborts running requests. */
  close(): Promise<void>
}

/** Keep-alive connections with limits on time and response size. Never logs headers or bodies. */
export function createHttpClient(options: {
  readonly userAgent: string
  /** Maximum size of a body. */
  readonly maxBytes: number
  readonly connectionsPerOrigin?: number
  /** For URLs entered by people. */
  readonly guard?: OutboundGuard
}): HttpClient {
  const agent = new Agent({
    connections: options.connectionsPerOrigin ?? 256,
    pipelining: 1,
    maxResponseSize: options.maxBytes,
    allowH2: false,
    connect: options.guard === undefined ? { timeout: 10_000 } : guardedConnector(options.guard),
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
  })
  const dispatcher = agent.compose(checkingBeforeWrite)
  return {
    request: (request) => send(dispatcher, options.userAgent, request),
    close: () => agent.destroy(),
  }
}

/** Names are checked when resolved, which does not happen for literals. IPv6 literals arrive without brackets. */
function guardedConnector(guard: OutboundGuard): buildConnector.connector {
  // One per port, because each keeps its TLS sessions.
  const connectors = new Map<number, buildConnector.connector>()
  return (target, callback) => {
    const host = target.hostname
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    if (isIP(host) !== 0 && !guard.allows(host, port)) {
      callback(new OutboundRefused(host), null)
      return
    }
    const connect = connectors.get(port) ?? buildConnector({ timeout: 10_000, allowH2: false, lookup: guard.lookupFor(port) })
    connectors.set(port, connect)
    connect(target, callback)
  }
}

type Asked = Dispatcher.DispatchOptions & Pick<HttpRequest, 'beforeWrite'>

/** A request may wait for its connection, for long if the process is suspended in the meantime. */
const checkingBeforeWrite: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (given, handler) => {
  const { beforeWrite, ...asked }: Asked = given
  if (beforeWrite !== undefined) {
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (controller, context) => {
      try {
        beforeWrite()
      } catch (error) {
        throw new NotWritten(error)
      }
      start?.(controller, context)
    }
  }
  return dispatch(asked, handler)
}

class NotWritten extends Error {
  constructor(cause: unknown) {
    super('not written', { cause })
    this.name = 'NotWritten'
  }
}

async function send(agent: Dispatcher, userAgent: string, request: HttpRequest): Promise<HttpAnswer> {
  const url = new URL(request.url)
  const startedAtMs = performance.now()
  const waitMs = Math.min(request.headersTimeoutMs, request.timeoutMs)
  let timer: NodeJS.Timeout | undefined
  let answered = false
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers, 'user-agent': userAgent },
      body: request.body ?? null,
      headersTimeout: waitMs,
      bodyTimeout: waitMs,
      signal: request.signal ?? null,
      ...(request.beforeWrite === undefined ? {} : { beforeWrite: request.beforeWrite }),
    })
    answered = true
    // A trickle of bytes could continue forever without triggering either timeout.
    const giveUp = () => response.body.destroy(new HttpError('timeout', `${request.timeoutMs} ms`))
    timer = setTimeout(giveUp, Math.max(1, request.timeoutMs - (performance.now() - startedAtMs)))
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, text }
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (error instanceof NotWritten) throw error.cause
    if (request.signal?.aborted === true) throw new HttpError('aborted', request.signal.reason)
    throw new HttpError(failureOf(error, answered), error)
  } finally {
    clearTimeout(timer)
  }
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
  if (error instanceof OutboundRefused) return 'forbidden'
  const { code, syscall } = detailsOf(error)
  if (unreachedCodes.has(code) || syscall === 'connect' || /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) return 'unreached'
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout'
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'too_large'
  return answered ? 'cut' : 'lost'
}

function detailsOf(error: unknown): { readonly code: string; readonly syscall: string } {
  if (!(error instanceof Error)) return { code: '', syscall: '' }
  const { code, syscall } = error as Error & { readonly code?: unknown; readonly syscall?: unknown }
  return { code: typeof code === 'string' ? code : '', syscall: typeof syscall === 'string' ? syscall : '' }
}
