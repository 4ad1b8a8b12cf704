import { describe, expect, test } from 'vitest'
import { refusalOf } from '#server/features/domains/creation/index.ts'
import { mapRefusal } from '#server/integrations/cloudflare/map-error.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { decideRetry, decideSpuriousRetry } from './failure.policy.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

const refused = (status: number, code: number, retryAfterSeconds: number | null = null) =>
  mapRefusal({ status, errors: [{ code, message: 'told' }], retryAfterSeconds })
/** The error as bulk domain creation reports it. */
const notAdded = (status: number, code: number) => refusalOf(refused(status, code), 'bulk')
const wait = (seconds: number) => ({ next: 'wait', seconds })
const fail = { next: 'fail' }
const stop = { next: 'stop_account' }

describe('R-DOM-07 retry decision for a domain that cannot be added', () => {
  test('1105, too many attempts: waits three hours, twice, then fails', () => {
    const error = notAdded(403, 1105)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([wait(10_800), wait(10_800), fail])
  })

  test('1098, temporarily refused: waits an hour, twice', () => {
    const error = notAdded(400, 1098)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([wait(3_600), wait(3_600), fail])
  })

  test.each([
    ['1118, too many pending zones', 1118],
    ['1106, may not add', 1106],
  ])('%s: the account is stopped immediately', (_, code) => {
    expect(decideRetry(notAdded(403, code), 1)).toEqual(stop)
  })

  test('a 403 during bulk creation is retried although it says that the key is invalid', () => {
    for (const code of [10000, 1010]) {
      const error = notAdded(403, code)
      expect([1, 2, 5, 6].map((attempt) => decideRetry(error, attempt))).toEqual([wait(60), wait(60), wait(60), fail])
      expect(error.provider).toEqual({ code: String(code), message: 'told' })
    }
  })

  test('a deleted key and an impossible domain are not retried', () => {
    expect(decideRetry(notAdded(403, 9103), 1)).toEqual(stop)
    expect(decideRetry(notAdded(403, 9109), 1)).toEqual(stop)
    expect(decideRetry(notAdded(400, 1049), 1)).toEqual(fail)
    expect(decideRetry(notAdded(400, 1061), 1)).toEqual(fail)
  })

  test('adding a single domain reports a missing permission immediately', () => {
    expect(refusalOf(refused(403, 10000), 'person').code).toBe('provider_forbidden')
  })
})

describe('retry decision for any other change', () => {
  test('a revoked key stops its account; a missing permission fails only the item', () => {
    expect(decideRetry(refused(403, 9103), 1)).toEqual(stop)
    expect(decideRetry(refused(401, 9109), 1)).toEqual(stop)
    expect(decideRetry(refused(403, 10000), 1)).toEqual(fail)
    expect(decideRetry(refused(403, 1), 1)).toEqual(fail)
  })

  test('a rate limit is waited for as long as it requires, any number of times', () => {
    expect([1, 6, 100].map((attempt) => decideRetry(refused(429, 10429, 77), attempt))).toEqual([wait(77), wait(77), wait(77)])
  })

  test.each([
    ['a time-out', new AppError('provider_timeout')],
    ['a cut body', new AppError('provider_unreadable')],
    ['a lost connection', new AppError('provider_unavailable')],
    ['a 502', refused(502, 1)],
    ['a process that ends', new AppError('shutting_down')],
  ])('%s is retried with growing delays, six attempts in total', (_, error) => {
    expect([1, 2, 3, 5, 6].map((attempt) => decideRetry(error, attempt))).toEqual([wait(2), wait(4), wait(8), wait(32), fail])
  })

  test('a busy or silent tracker is retried; a refusal of all domains stops the remaining items if the work is done in it', () => {
    expect(decideRetry(new AppError('tracker_rate_limited', { params: { retryAfterSeconds: 9 } }), 50)).toEqual(wait(9))
    for (const code of ['tracker_unavailable', 'tracker_timeout', 'tracker_unreadable'] as const) {
      expect([1, 5, 6].map((attempt) => decideRetry(new AppError(code), attempt))).toEqual([wait(2), wait(32), fail])
    }
    for (const code of ['tracker_auth', 'tracker_edition', 'tracker_not_one', 'tracker_private', 'tracker_disabled'] as const) {
      expect([decideRetry(new AppError(code), 1, 'tracker'), decideRetry(new AppError(code), 1, 'account')]).toEqual([stop, fail])
    }
    expect(decideRetry(new AppError('tracker_rejected'), 1, 'tracker')).toEqual(fail)
  })

  test('a permanent refusal by the provider or the panel is not retried', () => {
    for (const error of [refused(400, 9005), refused(404, 7003), new AppError('validation_failed'), new AppError('internal')]) {
      expect(decideRetry(error, 1)).toEqual(fail)
    }
  })
})

test('with a time years ahead the provider is asked again within the hour', () => {
  expect(decideRetry(new AppError('provider_rate_limited', { params: { retryAfterSeconds: 999_999_999 } }), 1)).toEqual(wait(3_600))
})

describe('temporary failures', () => {
  const codes = [
    'provider_rate_limited',
    'registrar_rate_limited',
    'registrar_busy',
    'registrar_quote_expired',
    'registrar_unavailable',
    'registrar_timeout',
    'registrar_unreadable',
    'tracker_rate_limited',
    'tracker_unavailable',
    'tracker_timeout',
    'tracker_unreadable',
    'provider_unavailable',
    'provider_timeout',
    'provider_unreadable',
    'shutting_down',
    'zone_lookup_failed',
    'purchase_unclear',
    'purchase_pending',
  ] as const satisfies ErrorCode[]
  /** Retried without a limit. */
  const patient = new Set<ErrorCode>([
    'provider_rate_limited',
    'registrar_rate_limited',
    'tracker_rate_limited',
    'registrar_busy',
    'purchase_unclear',
    'purchase_pending',
  ])

  test.each(codes)('%s is retried with delays that double up to five minutes', (code) => {
    const error = new AppError(code)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([2, 4, 8].map((seconds) => ({ next: 'wait', seconds })))
    expect(decideRetry(error, 100)).toEqual(patient.has(code) ? { next: 'wait', seconds: 300 } : { next: 'fail' })
  })

  test('a delay given by the provider takes precedence', () => {
    const after = (retryAfterSeconds: number | string) =>
      decideRetry(new AppError('provider_unavailable', { params: { retryAfterSeconds } }), 1)
    expect(after(17)).toEqual({ next: 'wait', seconds: 17 })
    for (const nothing of [0, -5, 'soon']) expect(after(nothing)).toEqual({ next: 'wait', seconds: 2 })
    expect(after('Infinity')).toEqual({ next: 'wait', seconds: 2 })
  })

  test('a refusal of a valid key is retried as often as any other failure', () => {
    const fault = (attempt: number) => decideRetry(new AppError('provider_unavailable'), attempt)
    for (let attempt = 1; attempt <= 12; attempt += 1) expect(decideSpuriousRetry(attempt)).toEqual(fault(attempt))
    expect(decideSpuriousRetry(100)).toEqual({ next: 'fail' })
  })
})
