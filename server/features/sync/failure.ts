import { AppError } from '#shared/errors/app-error.ts'
import type { Failure } from './sync.repo.ts'

const hour = 3600

/** Seconds until the next attempt after `failures` failures in a row: doubling from `first` up to `most`. */
export const backoffSeconds = (failures: number, first: number, most: number) => Math.min(most, first * 2 ** Math.min(failures, 30))

/** The system's code for a failed connection, such as ENOTFOUND. */
function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return systemCode(error.cause) ?? ('code' in error && typeof error.code === 'string' ? error.code : null)
}

/**
 * The meaning of a provider error for the account, and the delay until the next attempt, which is long if a user has to act first. If the
 * provider did not answer, the code is `provider_unreachable` and the message is the system's code, if any: only the provider's own message
 * is quoted. A key that cannot be decrypted counts as refused. Null for an internal error.
 */
export function failureOf(error: unknown, failures: number): Failure | null {
  if (!(error instanceof AppError)) return null
  if (error.code === 'secret_unreadable') {
    return { health: 'auth_error', code: error.code, message: null, retrySeconds: backoffSeconds(failures, hour, 24 * hour) }
  }
  if (!error.code.startsWith('provider_')) return null
  const refused = error.code === 'provider_auth' || error.code === 'provider_forbidden'
  const asked = Number(error.params['retryAfterSeconds'] ?? 0)
  const own = refused ? backoffSeconds(failures, hour, 24 * hour) : backoffSeconds(failures, 30, hour)
  const unreachable = error.params['status'] === 0
  return {
    health: refused ? 'auth_error' : 'api_error',
    code: error.provider?.code ?? (unreachable ? 'provider_unreachable' : error.code),
    message: error.provider?.message ?? (unreachable ? systemCode(error.cause) : null),
    retrySeconds: Math.ceil(Math.max(own, Number.isFinite(asked) ? asked : 0)),
  }
}
