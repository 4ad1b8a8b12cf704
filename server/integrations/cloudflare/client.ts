import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { HttpAnswer, HttpRequest } from '#server/integrations/http/http-client.ts'
import type { ProviderClient, Repeat } from '#server/integrations/http/provider-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { CallOptions, Credential } from '#server/ports/dns-host.ts'
import { mapRefusal } from './map-error.ts'
import { readRateHeaders } from './rate-headers.ts'
import { envelope } from './wire.ts'
import type { WireError, WireResultInfo } from './wire.ts'

export interface Call {
  readonly method: HttpRequest['method']
  /** `/zones/{zone}/settings/{setting}`; placeholders are filled from `ids`. */
  readonly path: string
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: { readonly contentType: string; readonly text: string }
  readonly repeat: Repeat
  readonly ownLimit?: boolean
}

interface Envelope<T> {
  readonly result: T
  readonly info: WireResultInfo | null
}

export interface Client {
  /** The validated `result` of an envelope. */
  call<S extends z.ZodType>(call: Call, schema: S, options: CallOptions): Promise<Envelope<z.output<S>>>
  /** As `call`, without the page information. */
  result<S extends z.ZodType>(call: Call, schema: S, options: CallOptions): Promise<z.output<S>>
  /** The response of a GET; of a list, its first page. */
  read<S extends z.ZodType>(
    path: string,
    ids: Call['ids'] & object,
    schema: S,
    options: CallOptions,
    query?: Call['query'],
  ): Promise<z.output<S>>
  /** A body outside the envelope: text, or JSON to be validated by the caller. */
  text(call: Call, options: CallOptions): Promise<string>
}

/** Cloudflare's envelope and errors, on top of the rate-limited client of one credential. */
export function createClient(provider: ProviderClient, baseUrl: string, credential: Credential, clock: Clock): Client {
  const credentialHeaders = headersOf(credential)

  async function send<T>(call: Call, options: CallOptions, read: (answer: HttpAnswer) => T): Promise<T> {
    const body = call.raw?.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    const sent = {
      method: call.method,
      url: baseUrl + fill(call),
      template: call.path,
      headers: { ...credentialHeaders, ...contentTypeOf(call) },
      ...(body === undefined ? {} : { body }),
      repeat: call.repeat,
      ownLimit: call.ownLimit ?? false,
    }
    let isRepeated = false
    try {
      return await provider.call(sent, options, (answer, attempt) => {
        isRepeated = attempt > 1
        return read(answer)
      })
    } catch (error) {
      const isGone = isRepeated && call.method === 'DELETE' && error instanceof AppError && error.code === 'provider_not_found'
      throw isGone ? new GoneAlready(error) : error
    }
  }

  const call: Client['call'] = (target, schema, options) =>
    send(target, options, (answer) => {
      const parsed = envelope.safeParse(parseJson(answer.text))
      const errors = parsed.success ? (parsed.data.errors ?? []) : []
      if (answer.status >= 400 || (parsed.success && parsed.data.success === false)) throw refusal(answer, errors, clock)
      if (answer.status >= 300 || !parsed.success) throw unreadable(parsed.success ? null : parsed.error)
      const result = schema.safeParse(parsed.data.result)
      if (!result.success) throw unreadable(result.error)
      return { result: result.data, info: parsed.data.result_info ?? null }
    })
  const result: Client['result'] = async (target, schema, options) => (await call(target, schema, options)).result

  return {
    call,
    result,
    read: (path, ids, schema, options, query = {}) => result({ method: 'GET', path, ids, query, repeat: 'read' }, schema, options),
    text: (target, options) =>
      send(target, options, (answer) => {
        if (answer.status < 300) return answer.text
        const parsed = envelope.safeParse(parseJson(answer.text))
        throw refusal(answer, parsed.success ? (parsed.data.errors ?? []) : [], clock)
      }),
  }
}

/** Null: there is nothing to read. */
type ReadPage<T> = (query: { readonly page: number; readonly per_page: number }) => Promise<Envelope<readonly T[]> | null>

/** All pages of a list, one after another. */
export async function everyPage<T>(perPage: number, read: ReadPage<T>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const found = await read({ page, per_page: perPage })
    if (found === null) return all
    all.push(...found.result)
    const pages = found.info?.total_pages ?? null
    if (pages === null ? found.result.length < perPage : page >= pages) return all
  }
}

/** A retried DELETE found nothing, so the first one succeeded. */
export class GoneAlready extends Error {
  constructor(cause: unknown) {
    super('gone already', { cause })
    this.name = 'GoneAlready'
  }
}

function refusal({ status, headers }: HttpAnswer, errors: readonly WireError[], clock: Clock): AppError {
  const { retryAfterMs, resetMs } = readRateHeaders(headers, clock.now())
  const waitMs = retryAfterMs ?? (resetMs > 0 ? resetMs : null)
  return mapRefusal({ status, errors, retryAfterSeconds: waitMs === null ? null : Math.ceil(waitMs / 1000) })
}

export const unreadable = (cause: unknown) => new AppError('provider_unreadable', cause === null ? {} : { cause })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function headersOf(credential: Credential): Record<string, string> {
  switch (credential.kind) {
    case 'global_key':
      return { 'x-auth-email': credential.email, 'x-auth-key': credential.apiKey }
    case 'api_token':
      return { authorization: `Bearer ${credential.token}` }
  }
}

function contentTypeOf(call: Call): Record<string, string> {
  if (call.raw !== undefined) return { 'content-type': call.raw.contentType }
  return call.body === undefined ? {} : { 'content-type': 'application/json' }
}

function fill(call: Call): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = call.ids?.[name]
    if (id === undefined) throw new Error(`${call.path} needs ${name}`)
    return encodeURIComponent(id)
  })
  // URLSearchParams does the same at ten times the cost.
  const text = Object.entries(call.query ?? {})
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&')
  return text === '' ? path : `${path}?${text}`
}
