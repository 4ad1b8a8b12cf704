import { failureOf, messageOf } from '#client/lib/errors.ts'
import { formatDuration } from '#client/lib/duration.ts'
import { i18next } from '#client/lib/i18n.ts'

/** The error text, prefixed with the failed action if the server failed. Null if a toast has shown it. */
export function problemOf(error: unknown, tried: string): string | null {
  const failure = failureOf(error)
  if (failure.kind === 'no_response') return null
  if (failure.kind === 'answered' && failure.data.code === 'too_many_attempts') return waitOf(failure.data.params['retryAfterSeconds'])
  const refused = failure.kind === 'answered' && failure.data.httpStatus < 500
  return refused ? messageOf(error) : `${tried}. ${messageOf(error)}`
}

/** The duration, rounded to minutes above one minute. */
function waitOf(seconds: string | number | undefined): string {
  const left = Number(seconds ?? 60)
  return i18next.t('auth:wait', { time: formatDuration(left > 90 ? Math.ceil(left / 60) * 60 : left, true) })
}
