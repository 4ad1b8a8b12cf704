import type { Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

/** Cloudflare's refusals to add a zone, by its own code, in our words. */
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
/** Many zones added one after another have been seen to be refused for some minutes, though the account may. */
const spuriousSeconds = 60

/** Said of a bad key, of a good one that may not do this one change, and for some minutes of one that may. */
const mayNot = '10000'

/**
 * What a refusal to add a zone means; other errors as they are. What many zones meet for some minutes may be tried again; a person
 * who adds one is shown what the provider said.
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
