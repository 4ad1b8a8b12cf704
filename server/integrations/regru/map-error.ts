import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { refused } from '#server/integrations/http/provider-client.ts'
import * as wire from './wire.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  NO_USERNAME: 'registrar_auth',
  NO_AUTH: 'registrar_auth',
  PASSWORD_AUTH_FAILED: 'registrar_auth',
  USER_AUTHENTICATION_FAILED: 'registrar_auth',
  MORE_THAN_ONE_ACCOUNT_WITH_THE_SAME_EMAIL: 'registrar_auth',
  ACCESS_DENIED_FROM_IP: 'registrar_address',
  ACCESS_DENIED: 'registrar_forbidden',
  // The credentials are valid; the function requires partner status.
  RESELLER_AUTH_FAILED: 'registrar_forbidden',
  ACCOUNT_BLOCKED: 'registrar_forbidden',
  PURCHASES_DISABLED: 'registrar_forbidden',
  DOMAIN_PROTECTION: 'registrar_name_closed',
  NOT_ALLOWED_ORDER_BY_API: 'registrar_website_only',
  ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE: 'registrar_rate_limited',
  IP_EXCEEDED_ALLOWED_CONNECTION_RATE: 'registrar_rate_limited',
  BILLING_LOCK: 'registrar_busy',
  // An order of this name is being processed, which may be ours: a look-up shows its result.
  DOMAIN_ORDER_LOCKED: 'registrar_unavailable',
  DOUBLE_ORDER: 'registrar_unpaid',
  DOMAIN_ALREADY_ORDERED: 'registrar_unpaid',
  NOT_ENOUGH_MONEY: 'registrar_money',
  NO_DOMAIN: 'registrar_not_found',
  DOMAIN_NOT_FOUND: 'registrar_not_found',
  SERVICE_NOT_FOUND: 'registrar_not_found',
  SERVICE_ID_NOT_FOUND: 'registrar_not_found',
  INVALID_SERVICE_ID: 'registrar_not_found',
  DOMAIN_ALREADY_EXISTS: 'registrar_name_taken',
  // Reserved, or a premium name that was not ordered as such.
  DOMAIN_BAD_NAME: 'registrar_not_sold',
  DOMAIN_BAD_NAME_ONLYDIGITS: 'registrar_not_sold',
  DOMAIN_STOP_LIST: 'registrar_not_sold',
  DOMAIN_STOP_PATTERN: 'registrar_not_sold',
  DOMAIN_INVALID_LENGTH: 'registrar_not_sold',
  DOMAIN_NAME_MUSTBEENG: 'registrar_not_sold',
  DOMAIN_NAME_MUSTBERUS: 'registrar_not_sold',
  HAVE_MIXED_CODETABLES: 'registrar_not_sold',
  INVALID_DOMAIN_NAME_FORMAT: 'registrar_not_sold',
  INVALID_DOMAIN_NAME_PUNYCODE: 'registrar_not_sold',
  DOMAIN_BAD_TLD: 'registrar_not_sold',
  TLD_DISABLED: 'registrar_not_sold',
  UNAVAILABLE_DOMAIN_ZONE: 'registrar_not_sold',
  INTERNAL_ERROR: 'registrar_unavailable',
  INTERNAL_API_ERROR: 'registrar_unavailable',
  SERVICE_UNAVAILABLE: 'registrar_unavailable',
  CONNECTION_FAILED: 'registrar_unavailable',
}
/** An hourly limit, so an earlier retry is pointless. */
const rateWaitSeconds = 300

export const codeOf = (providerCode: string | null | undefined): ErrorCode => codes[providerCode ?? ''] ?? 'registrar_rejected'

/** The content of a success: every error arrives with HTTP 200. */
export function accepted(answer: HttpAnswer): unknown {
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const { result, answer: content, error_code: reason, error_text: text } = wire.envelope.parse(JSON.parse(answer.text))
  if (result === 'success') return content
  const code = codeOf(reason)
  throw refused({
    code,
    providerCode: reason ?? null,
    message: text ?? '',
    ...(code === 'registrar_rate_limited' ? { retryAfterSeconds: rateWaitSeconds } : {}),
  })
}

/**
 * A name may be refused within a success.
 * @throws AppError
 */
export function passed(
  named: { readonly error_code?: string | null | undefined; readonly error_text?: string | null | undefined } | null | undefined,
): void {
  if (named === null || named === undefined || (named.error_code ?? '') === '') return
  throw new AppError(codeOf(named.error_code), { provider: { code: named.error_code ?? '', message: named.error_text ?? '' } })
}
