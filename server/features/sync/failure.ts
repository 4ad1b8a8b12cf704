import { AppError } from '#shared/errors/app-error.ts'
import type { Failure } from './sync.repo.ts'
import { backoffSeconds } from './sync.policy.ts'

const hour = 3600

/**
 * What a provider's refusal means for the account, and when to try again: rarely where a person has to act first.
 * Null for an error that is not the provider's.
 */
export function failureOf(error: unknown, failures: number): Failure | null {
  if (!(error instanceof AppError) || !error.code.startsWith('provider_')) return null
  const refused = error.code === 'provider_auth' || error.code === 'provider_forbidden'
  const asked = Number(error.params['retryAfterSeconds'] ?? 0)
  const own = refused ? backoffSeconds(failures, hour, 24 * hour) : backoffSeconds(failures, 30, hour)
  return {
    health: refused ? 'auth_error' : 'api_error',
    code: error.provider?.code ?? error.code,
    message: error.provider?.message ?? error.code,
    retrySeconds: Math.ceil(Math.max(own, Number.isFinite(asked) ? asked : 0)),
  }
}
