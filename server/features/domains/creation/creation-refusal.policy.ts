import type { Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

/** Cloudflare's refusals to add a zone, from its code to the panel's. */
const meanings: Readonly<Record<string, ErrorCode>> = {
  '1049': 'zone_not_registered',
  '1061': 'zone_exists',
  '1093': 'zone_not_root',
  '1097': 'zone_refused',
  '1098': 'zone_refused_for_now',
  '1099': 'zone_not_root',
  '1105': 'zone_too_many_tries',
  '1106': 'account_may_not_add',
  '1110': 'zone_lookup_failed',
  '1116': 'zone_not_root',
  '1118': 'account_limit_reached',
}
/** Valid accounts have been seen to be refused for some minutes when many zones are added one after another. */
const spuriousSeconds = 60

/** Returned for an invalid key, for a valid key without this permission, and temporarily for a valid key with it. */
const mayNot = '10000'

/**
 * The meaning of a refusal to add a zone; other errors are returned unchanged. Temporary refusals during bulk creation may be retried; a
 * user who adds one zone gets the provider's message.
 */
export function refusalOf(error: AppError, priority: Priority): AppError {
  const { provider, params } = error
  if (provider === undefined) return error
  const code = meanings[provider.code ?? ''] ?? (/zone hold/i.test(provider.message) ? 'zone_held' : undefined)
  if (code !== undefined) return new AppError(code, { params, provider, cause: error })
  const spurious =
    provider.code === mayNot
      ? priority !== 'person' && params['status'] === 403
      : error.code === 'provider_forbidden' && provider.code !== '9109' && provider.code !== '1068'
  if (!spurious) return error
  return new AppError('provider_unavailable', { params: { ...params, retryAfterSeconds: spuriousSeconds }, provider, cause: error })
}
