import type { Refusals, SimulatorReply } from '../serve.ts'

/** A complete response: the body is already text, so that large lists are serialized once. */
export type Reply = SimulatorReply

type ApiErrorItem = {
  readonly code: number
  readonly message: string
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[]
  readonly source?: { readonly pointer: string }
}

export type ResultInfo = {
  readonly page: number
  readonly per_page: number
  readonly count: number
  readonly total_count: number
  readonly total_pages: number
}

/** Of lists that are read with a cursor; empty on the last page. */
type CursorInfo = { readonly cursor?: string; readonly cursors?: { readonly after: string } }

const JSON_TYPE = 'application/json'

/** Thrown anywhere in a handler; becomes an envelope with `success: false`. */
export class CloudflareError extends Error {
  readonly status: number
  readonly errors: readonly ApiErrorItem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, errors: readonly ApiErrorItem[], headers: Readonly<Record<string, string>> = {}) {
    super(errors[0]?.message ?? 'refused')
    this.status = status
    this.errors = errors
    this.headers = headers
  }
}

export function refuse(status: number, code: number, message: string): CloudflareError {
  return new CloudflareError(status, [{ code, message }])
}

export function ok(result: unknown, resultInfo?: ResultInfo | CursorInfo): Reply {
  return okText(JSON.stringify(result), resultInfo)
}

/** `result` is JSON text. */
export function okText(result: string, resultInfo?: ResultInfo | CursorInfo): Reply {
  const info = resultInfo === undefined ? '' : `,"result_info":${JSON.stringify(resultInfo)}`
  return {
    status: 200,
    body: `{"result":${result}${info},"success":true,"errors":[],"messages":[]}`,
    contentType: JSON_TYPE,
  }
}

export function plainText(body: string): Reply {
  return { status: 200, body, contentType: 'text/plain; charset=utf-8' }
}

/** JSON outside the envelope (GraphQL, the control API). */
export function bareJson(value: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(value), contentType: JSON_TYPE }
}

export function errorReply(error: CloudflareError): Reply {
  return {
    status: error.status,
    body: JSON.stringify({ result: null, success: false, errors: error.errors, messages: [] }),
    contentType: JSON_TYPE,
    headers: error.headers,
  }
}

/** For faults that stop a call before it has an effect. */
export const refusalsFor = (withToken: boolean): Refusals => ({
  'rate-limited': () => errorReply(refuse(429, 10429, 'Rate limited. Please wait and retry later.')),
  'server-error': (status) => errorReply(refuse(status, 10000 + status, 'Internal server error')),
  forbidden: () => errorReply(refuse(403, 10000, 'Authentication error')),
  'revoked-key': () =>
    errorReply(withToken ? refuse(403, 9109, 'Invalid access token') : refuse(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email')),
  'success-false': () => ({ ...errorReply(refuse(500, 1000, 'The request could not be carried out')), status: 200 }),
})
