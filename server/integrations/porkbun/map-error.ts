import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { refused } from '#server/integrations/http/provider-client.ts'
import { retryAfterSeconds } from '#server/integrations/registrars/retry-after.ts'
import * as wire from './wire.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  API_KEY_REQUIRED: 'registrar_auth',
  MISSING_APIKEY: 'registrar_auth',
  MISSING_SECRETAPIKEY: 'registrar_auth',
  INVALID_API_KEYS_001: 'registrar_auth',
  INVALID_API_KEYS_002: 'registrar_auth',
  INVALID_TOKEN: 'registrar_auth',
  INVALID_USER: 'registrar_auth',
  IP_NOT_ALLOWED: 'registrar_address',
  API_ACCESS_DISABLED: 'registrar_forbidden',
  DOMAIN_NOT_ALLOWED: 'registrar_name_closed',
  DOMAIN_NOT_FOUND: 'registrar_not_found',
  RATE_LIMIT_EXCEEDED: 'registrar_rate_limited',
  DOMAIN_NOT_AVAILABLE: 'registrar_name_taken',
  INVALID_DOMAIN: 'registrar_not_sold',
  INSUFFICIENT_FUNDS: 'registrar_money',
  COST_MISMATCH: 'registrar_price_changed',
  RENEWAL_TOO_SOON: 'registrar_renewal_early',
  // The first request with this key is running, or was different: a look-up shows its result.
  IDEMPOTENCY_KEY_IN_USE: 'registrar_unavailable',
  IDEMPOTENCY_KEY_MISMATCH: 'registrar_timeout',
}

const rateWaitSeconds = 10

const codeOf = (providerCode: string | null, ofHeld: boolean): ErrorCode =>
  ofHeld && providerCode === 'INVALID_DOMAIN' ? 'registrar_not_found' : (codes[providerCode ?? ''] ?? 'registrar_rejected')

/**
 * The content of a success; errors arrive with any HTTP status, including 200. An overloaded server responds 503 with a page.
 * @param ofHeld the call concerns a name of the account: a missing name is reported as invalid
 */
export function accepted(answer: HttpAnswer, ofHeld: boolean): unknown {
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const content: unknown = JSON.parse(answer.text)
  const { status, code, message, ttlRemaining } = wire.envelope.parse(content)
  if (status === 'SUCCESS' && answer.status < 400) return content
  const providerCode = code === null || code === undefined ? null : String(code)
  const known = answer.status === 429 ? 'registrar_rate_limited' : codeOf(providerCode, ofHeld)
  throw refused({
    code: known,
    providerCode,
    message: message ?? '',
    ...(known === 'registrar_rate_limited' ? { retryAfterSeconds: retryAfterSeconds(answer, ttlRemaining, rateWaitSeconds) } : {}),
  })
}
