import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { refused } from '#server/integrations/http/provider-client.ts'
import { retryAfterSeconds } from '#server/integrations/registrars/retry-after.ts'
import * as wire from './wire.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  MISSING_CREDENTIALS: 'registrar_auth',
  UNABLE_TO_AUTHENTICATE: 'registrar_auth',
  ACCESS_DENIED: 'registrar_forbidden',
  ACCOUNT_NOT_ELIGIBLE: 'registrar_forbidden',
  UNKNOWN_DOMAIN: 'registrar_not_found',
  NOT_FOUND: 'registrar_not_found',
  UNAVAILABLE_DOMAIN: 'registrar_name_taken',
  DOMAIN_UNAVAILABLE: 'registrar_name_taken',
  DOMAIN_ALREADY_EXISTS: 'registrar_name_taken',
  UNSUPPORTED_TLD: 'registrar_not_sold',
  INVALID_DOMAIN: 'registrar_not_sold',
  MISMATCH_FORMAT: 'registrar_not_sold',
  INVALID_PAYMENT_INFO: 'registrar_money',
  NO_PAYMENT_PROFILE: 'registrar_money',
  // The token locks price and settings: an order that does not match is refused, and needs a new quote.
  QUOTE_EXPIRED: 'registrar_quote_expired',
  QUOTE_MISMATCH: 'registrar_quote_expired',
  // An order has used this token; a look-up shows whether it was ours.
  QUOTE_CONSUMED: 'registrar_timeout',
  TOO_MANY_REQUESTS: 'registrar_rate_limited',
}

const rateWaitSeconds = 60

export const nameOf = ({ code, name }: wire.Problem): string => (code ?? name ?? '').toUpperCase()

export function codeOf(status: number, name: string, message: string): ErrorCode {
  if (status === 429) return 'registrar_rate_limited'
  if (name === 'ACCESS_DENIED' && /address/i.test(message)) return 'registrar_address'
  if (/contact/i.test(name)) return 'registrar_contact'
  if (/maximum is \d|period .{0,20}not currently supported/i.test(message)) return 'registrar_term'
  const known = codes[name]
  if (known !== undefined) return known
  // The first request with this key is running, or was different: a look-up shows its result.
  if (name.includes('IDEMPOTENC')) return 'registrar_timeout'
  if (status === 401) return 'registrar_auth'
  if (status === 402) return 'registrar_money'
  if (status === 403) return 'registrar_forbidden'
  return status === 404 ? 'registrar_not_found' : 'registrar_rejected'
}

/** The content of a success; 203 is a success with some names refused. */
export function accepted(answer: HttpAnswer): unknown {
  if (answer.status < 300) return answer.text === '' ? null : (JSON.parse(answer.text) as unknown)
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const error = wire.failure.parse(JSON.parse(answer.text))
  const { message, fields, details, retryAfterSec } = error
  const words = [
    message ?? '',
    ...(fields ?? []).map(({ path, message: text }) => `${path ?? ''}: ${text ?? ''}`),
    ...(details ?? []).map(({ field, issue, description }) => `${field ?? ''}: ${description ?? issue ?? ''}`),
  ].filter((part) => part.replace(': ', '') !== '')
  const name = nameOf(error)
  throw refused({
    code: codeOf(answer.status, name, words.join('; ')),
    providerCode: name === '' ? null : name,
    message: words.join('; '),
    ...(answer.status === 429 ? { retryAfterSeconds: retryAfterSeconds(answer, retryAfterSec, rateWaitSeconds) } : {}),
  })
}

/** Why an operation failed. */
export function operationError(problem: wire.Problem | null | undefined): AppError {
  const name = problem === null || problem === undefined ? '' : nameOf(problem)
  const message = problem?.message ?? ''
  const code = codeOf(422, name, message)
  // It has ended, so nothing can result from it any more.
  return new AppError(code === 'registrar_timeout' ? 'registrar_rejected' : code, { provider: { code: name, message } })
}
