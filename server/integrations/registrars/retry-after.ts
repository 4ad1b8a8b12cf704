import type { HttpAnswer } from '#server/integrations/http/http-client.ts'

const longestSeconds = 3_600

/**
 * The provider's retry delay: its own field first, then `Retry-After`, then a window's end (`X-RateLimit-Reset`, a Unix time or seconds).
 */
export function retryAfterSeconds(
  { headers }: HttpAnswer,
  own: number | null | undefined,
  fallback: number,
  nowMs: number = Date.now(),
): number {
  const reset = numberOf(headers['x-ratelimit-reset'])
  const seconds = own ?? numberOf(headers['retry-after']) ?? (reset === null ? null : reset > 1e9 ? reset - nowMs / 1000 : reset)
  if (seconds === null || !Number.isFinite(seconds)) return fallback
  return Math.min(longestSeconds, Math.max(1, Math.ceil(seconds)))
}

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null
