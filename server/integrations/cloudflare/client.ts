import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import { HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpRequest } from '#server/integrations/http/http-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { CallOptions, Credential, Priority } from '#server/ports/dns-host.ts'
import type { Door, DoorAnswer } from './door.ts'
import { mapFailure, mapRefusal } from './map-error.ts'
import { envelope } from './wire.ts'
import type { WireError, WireResultInfo } from './wire.ts'

/**
 * When a call may be sent again. `read`: always. `harmless`: a write that leaves the same state when it is done twice.
 * `once`: only where Cloudflare certainly did not take it (never reached, or refused with 429).
 */
export type Repeat = 'read' | 'harmless' | 'once'

export interface Call {
  readonly method: HttpRequest['method']
  /** `/zones/{zone}/settings/{setting}`; the braces are filled from `ids`. */
  readonly path: string
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** Sent as it is instead of `body`. */
  readonly raw?: { readonly contentType: string; readonly text: string }
  readonly repeat: Repeat
  readonly ownLimit?: boolean
}

export interface Envelope<T> {
  readonly result: T
  readonly info: WireResultInfo | null
}

export interface Client {
  /** The checked `result` of an envelope. */
  call<S extends z.ZodType>(call: Call, schema: S, options: CallOptions): Promise<Envelope<z.output<S>>>
  /** A body outside of the envelope: text, or JSON to be checked by the caller. */
  text(call: Call, options: CallOptions): Promise<string>
}

interface Patience {
  readonly tries: number
  readonly baseMs: number
  readonly longestMs: number
  /** No further try begins after so long. */
  readonly totalMs: number
}

const patience: Record<Priority, Patience> = {
  person: { tries: 3, baseMs: 200, longestMs: 1_000, totalMs: 20_000 },
  bulk: { tries: 4, baseMs: 500, longestMs: 10_000, totalMs: Infinity },
  sync: { tries: 4, baseMs: 500, longestMs: 10_000, totalMs: Infinity },
}

export function createClient(door: Door, credential: Credential, clock: Clock): Client {
  const credentialHeaders = headersOf(credential)

  async function repeated<T>(call: Call, options: CallOptions, read: (answer: DoorAnswer) => T): Promise<T> {
    const { tries, baseMs, longestMs, totalMs } = patience[options.priority]
    const startedAtMs = clock.now()
    const sent = {
      method: call.method,
      path: fill(call),
      template: call.path,
      headers: { ...credentialHeaders, ...contentTypeOf(call) },
      body: call.raw?.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body)),
      ownLimit: call.ownLimit ?? false,
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return read(await door.send(sent, options))
      } catch (error) {
        const gone = attempt > 1 && call.method === 'DELETE' && error instanceof AppError && error.code === 'provider_not_found'
        if (gone) throw new GoneAlready(error)
        const failed = error instanceof HttpError ? mapFailure(error) : error
        const last = attempt >= tries || clock.now() - startedAtMs >= totalMs
        if (last || !mayRepeat(call, error)) throw failed
      }
      // Full jitter: many that failed together do not come back together.
      await clock.sleep(Math.random() * Math.min(longestMs, baseMs * 2 ** attempt), options.signal)
    }
  }

  return {
    call: (call, schema, options) =>
      repeated(call, options, ({ answer, rate }) => {
        const body = parseJson(answer.text)
        const parsed = envelope.safeParse(body)
        const errors = parsed.success ? (parsed.data.errors ?? []) : []
        if (answer.status >= 400 || (parsed.success && parsed.data.success === false)) {
          throw refusal(answer.status, errors, rate.retryAfterMs, credential)
        }
        if (answer.status >= 300 || !parsed.success) throw unreadable(parsed.success ? null : parsed.error)
        const result = schema.safeParse(parsed.data.result)
        if (!result.success) throw unreadable(result.error)
        return { result: result.data, info: parsed.data.result_info ?? null }
      }),
    text: (call, options) =>
      repeated(call, options, ({ answer, rate }) => {
        if (answer.status >= 300) {
          const parsed = envelope.safeParse(parseJson(answer.text))
          throw refusal(answer.status, parsed.success ? (parsed.data.errors ?? []) : [], rate.retryAfterMs, credential)
        }
        return answer.text
      }),
  }
}

/** A repeated DELETE found nothing: the first one worked. */
export class GoneAlready extends Error {
  constructor(cause: unknown) {
    super('gone already', { cause })
    this.name = 'GoneAlready'
  }
}

function mayRepeat(call: Call, error: unknown): boolean {
  if (error instanceof HttpError) return error.failure === 'unreached' || (error.failure !== 'aborted' && call.repeat !== 'once')
  if (!(error instanceof AppError)) return false
  // A refusal by our own budget has no words of the provider: the person would wait too long.
  if (error.code === 'provider_rate_limited') return call.ownLimit !== true && !(error.cause instanceof Error)
  return call.repeat !== 'once' && (error.code === 'provider_unavailable' || error.code === 'provider_unreadable')
}

function refusal(status: number, errors: readonly WireError[], retryAfterMs: number | null, credential: Credential): AppError {
  return mapRefusal({ status, errors, retryAfterSeconds: retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1000) }, credential)
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
