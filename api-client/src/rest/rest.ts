import { errorOfRest, unreadable } from '../errors.ts'
import { createHttp } from '../http.ts'
import type { PanelOptions } from '../http.ts'
import type { RestRequest } from './arrange.ts'
import { callsOf } from './calls.ts'
import type { OpenApiDocument, RestCall } from './calls.ts'

export interface RestAnswer {
  readonly status: number
  /** The JSON as data, the text of a file, or null without a body. */
  readonly data: unknown
  readonly isText: boolean
}

export interface Rest {
  /** All calls of the panel, fetched once. @throws ZonedeckError */
  calls(): Promise<readonly RestCall[]>
  /** @throws ZonedeckError */
  send(request: RestRequest, idempotencyKey?: string): Promise<RestAnswer>
}

/** A REST client driven by the panel's OpenAPI document, so it works with any version of the panel. */
export function createRest(options: PanelOptions): Rest {
  const http = createHttp(options)
  let read: Promise<readonly RestCall[]> | undefined

  async function send({ method, path, body }: RestRequest, idempotencyKey?: string): Promise<RestAnswer> {
    const headers = {
      ...http.headers(),
      accept: 'application/json, */*;q=0.5',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
    const init = { method, headers, ...(body !== null && { body: JSON.stringify(body) }) }
    const response = await http.send(`/api${path}`, init, AbortSignal.timeout(http.timeoutMs), undefined)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    if (!response.ok) throw errorOfRest(isJson ? text : '', response.status) ?? unreadable(http.base, response.status)
    if (text === '') return { status: response.status, data: null, isText: false }
    return { status: response.status, data: isJson ? (JSON.parse(text) as unknown) : text, isText: !isJson }
  }

  return {
    send,
    calls() {
      read ??= send({ method: 'GET', path: '/openapi.json', body: null }).then(
        ({ data }) => callsOf(data as OpenApiDocument),
        (error: unknown) => {
          read = undefined
          throw error
        },
      )
      return read
    },
  }
}
