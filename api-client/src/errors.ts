import { errorTexts, issueTexts, refusalTexts, warningTexts } from './procedures.gen.ts'
import type { ErrorCode } from './procedures.gen.ts'

type Params = Readonly<Record<string, string | number>>

export interface Issue {
  /** Path of the field: `lines.3.email`. */
  readonly path: string
  readonly message: string
}

export interface ErrorDetails {
  /** `unreachable`: no response; `unreadable`: the response is not from a panel. */
  readonly code: ErrorCode | 'unreachable' | 'unreadable'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly params: Params
  readonly issues: readonly Issue[]
  /** Error of the provider (Cloudflare, a registrar or a tracker). */
  readonly provider: { readonly code?: string; readonly message: string } | null
  /** ID of the request in the panel's log. */
  readonly requestId: string | null
}

const fill = (text: string, params: Params) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole))

/** A failed call; `message` is English text for people. */
export class ZonedeckError extends Error implements ErrorDetails {
  override readonly name = 'ZonedeckError'
  readonly code: ErrorDetails['code']
  readonly status: number
  readonly retryable: boolean
  readonly params: Params
  readonly issues: readonly Issue[]
  readonly provider: ErrorDetails['provider']
  readonly requestId: string | null

  constructor(message: string, details: ErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.code = details.code
    this.status = details.status
    this.retryable = details.retryable
    this.params = details.params
    this.issues = details.issues
    this.provider = details.provider
    this.requestId = details.requestId
  }
}

const nothing = { params: {}, issues: [], provider: null, requestId: null } as const

/** There was no response. */
export const unreachable = (url: string, cause: unknown): ZonedeckError =>
  new ZonedeckError(`${url} is not responding`, { ...nothing, code: 'unreachable', status: 0, retryable: true }, { cause })

/** The response is not from a panel but, for example, from a proxy. */
export const unreadable = (url: string, status: number): ZonedeckError =>
  new ZonedeckError(`${url} returned ${status} and is not a Zonedeck panel`, {
    ...nothing,
    code: 'unreadable',
    status,
    retryable: status >= 500,
  })

interface ErrorData {
  readonly code: ErrorCode
  readonly httpStatus: number
  readonly retryable?: boolean
  readonly params?: Params
  readonly issues?: readonly { readonly path: string; readonly message: string; readonly params?: Params }[]
  readonly provider?: { readonly code?: string; readonly message: string }
  readonly requestId?: string | null
}

/** The English text of an error code or of an item's code; the code itself if there is no text. */
export const textOfCode = (code: string, params: Params = {}): string => fill(errorTexts[code] ?? refusalTexts[code] ?? code, params)

/** The English text of what is wrong with a field or a line; the code itself if there is no text. */
export const textOfIssue = (code: string, params: Params = {}): string => fill(issueTexts[code] ?? code, params)

/** The English text of a warning in a preview; the code itself if there is no text. */
export const textOfWarning = (code: string): string => warningTexts[code] ?? code

/** Reads `error.data` of tRPC; null if it is something else. */
export function errorOf(data: unknown): ZonedeckError | null {
  if (typeof data !== 'object' || data === null || !('code' in data) || typeof data.code !== 'string') return null
  const { code, httpStatus, retryable = false, params = {}, issues = [], provider, requestId = null } = data as ErrorData
  const text = (code === 'provider_rejected' ? refusalTexts[provider?.code ?? ''] : undefined) ?? textOfCode(code, params)
  return new ZonedeckError(text, {
    code,
    status: httpStatus,
    retryable,
    params,
    issues: issues.map(({ path, message, params: values = {} }) => ({ path, message: textOfIssue(message, values) })),
    provider: provider ?? null,
    requestId,
  })
}

/** Reads the body of a REST error; null if it is something else. */
export function errorOfRest(text: string, status: number): ZonedeckError | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof body !== 'object' || body === null || !('code' in body) || typeof body.code !== 'string') return null
  const { code, message, params = {}, issues = [], provider = null, requestId = null } = body as ErrorData & { readonly message: string }
  const retryable = status === 429 || status === 502 || status === 503 || status === 504
  return new ZonedeckError(message, { code, status, retryable, params, issues, provider, requestId })
}
