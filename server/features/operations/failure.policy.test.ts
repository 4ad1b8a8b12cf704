import { describe, expect, test } from 'vitest'
import { refusalOf } from '#server/features/domains/creation/index.ts'
import { mapRefusal } from '#server/integrations/cloudflare/map-error.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { decideRetry, decideSpuriousRetry } from './failure.policy.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

const refused = (status: number, code: number, retryAfterSeconds: number | null = null) =>
  mapRefusal({ status, errors: [{ code, message: 'told' }], retryAfterSeconds })
/** As adding a domain reports it, among many. */
const notAdded = (status: number, code: number) => refusalOf(refused(status, code), 'bulk')
const wait = (seconds: number) => ({ next: 'wait', seconds })
const fail = { next: 'fail' }
const stop = { next: 'stop_account' }

describe('R-DOM-07 the result of a domain that is not added', () => {
  test('1105, tried too often: three hours, twice, and then it is over', () => {
    const error = notAdded(403, 1105)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([wait(10_800), wait(10_800), fail])
  })

  test('1098, refused for now: an hour, twice', () => {
    const error = notAdded(400, 1098)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([wait(3_600), wait(3_600), fail])
  })

  test.each([
    ['1118, too many pending zones', 1118],
    ['1106, may not add', 1106],
  ])('%s: the account is stopped immediately', (_, code) => {
    expect(decideRetry(notAdded(403, code), 1)).toEqual(stop)
  })

  test('a 403 as it comes when many are added is waited for, though it says that the key is bad', () => {
    for (const code of [10000, 1010]) {
      const error = notAdded(403, code)
      expect([1, 2, 5, 6].map((attempt) => decideRetry(error, attempt))).toEqual([wait(60), wait(60), wait(60), fail])
      expect(error.provider).toEqual({ code: String(code), message: 'told' })
    }
  })

  test('a key that is gone, and a domain that cannot be, are not waited for', () => {
    expect(decideRetry(notAdded(403, 9103), 1)).toEqual(stop)
    expect(decideRetry(notAdded(403, 9109), 1)).toEqual(stop)
    expect(decideRetry(notAdded(400, 1049), 1)).toEqual(fail)
    expect(decideRetry(notAdded(400, 1061), 1)).toEqual(fail)
  })

  test('one who adds a single domain hears immediately what the key may not', () => {
    expect(refusalOf(refused(403, 10000), 'person').code).toBe('provider_forbidden')
  })
})

describe('the result of any other change', () => {
  test('a revoked key stops its account; a missing permission fails only the item', () => {
    expect(decideRetry(refused(403, 9103), 1)).toEqual(stop)
    expect(decideRetry(refused(401, 9109), 1)).toEqual(stop)
    expect(decideRetry(refused(403, 10000), 1)).toEqual(fail)
    expect(decideRetry(refused(403, 1), 1)).toEqual(fail)
  })

  test('a limit is waited for as long as it says, however often', () => {
    expect([1, 6, 100].map((attempt) => decideRetry(refused(429, 10429, 77), attempt))).toEqual([wait(77), wait(77), wait(77)])
  })

  test.each([
    ['a time-out', new AppError('provider_timeout')],
    ['a cut body', new AppError('provider_unreadable')],
    ['a lost connection', new AppError('provider_unavailable')],
    ['a 502', refused(502, 1)],
    ['a process that ends', new AppError('shutting_down')],
  ])('%s is waited for, longer each time, six times in all', (_, error) => {
    expect([1, 2, 3, 5, 6].map((attempt) => decideRetry(error, attempt))).toEqual([wait(2), wait(4), wait(8), wait(32), fail])
  })

  test('a tracker that is busy or silent is waited for; what it refuses everybody stops what is left of it, where the work is done in it', () => {
    expect(decideRetry(new AppError('tracker_rate_limited', { params: { retryAfterSeconds: 9 } }), 50)).toEqual(wait(9))
    for (const code of ['tracker_unavailable', 'tracker_timeout', 'tracker_unreadable'] as const) {
      expect([1, 5, 6].map((attempt) => decideRetry(new AppError(code), attempt))).toEqual([wait(2), wait(32), fail])
    }
    for (const code of ['tracker_auth', 'tracker_edition', 'tracker_not_one', 'tracker_private', 'tracker_disabled'] as const) {
      expect([decideRetry(new AppError(code), 1, 'tracker'), decideRetry(new AppError(code), 1, 'account')]).toEqual([stop, fail])
    }
    expect(decideRetry(new AppError('tracker_rejected'), 1, 'tracker')).toEqual(fail)
  })

  test('what the provider or we refuse for good is not tried again', () => {
    for (const error of [refused(400, 9005), refused(404, 7003), new AppError('validation_failed'), new AppError('internal')]) {
      expect(decideRetry(error, 1)).toEqual(fail)
    }
  })
})

test('a time years ahead is not waited for: the provider is asked again within the hour', () => {
  expect(decideRetry(new AppError('provider_rate_limited', { params: { retryAfterSeconds: 999_999_999 } }), 1)).toEqual(wait(3_600))
})

describe('what passes', () => {
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
  /** Waited for as often as it takes. */
  const patient = new Set<ErrorCode>([
    'provider_rate_limited',
    'registrar_rate_limited',
    'tracker_rate_limited',
    'registrar_busy',
    'purchase_unclear',
    'purchase_pending',
  ])

  test.each(codes)('%s is waited for, twice as long each time and five minutes at most', (code) => {
    const error = new AppError(code)
    expect([1, 2, 3].map((attempt) => decideRetry(error, attempt))).toEqual([2, 4, 8].map((seconds) => ({ next: 'wait', seconds })))
    expect(decideRetry(error, 100)).toEqual(patient.has(code) ? { next: 'wait', seconds: 300 } : { next: 'fail' })
  })

  test('how long the provider says counts where it says something', () => {
    const after = (retryAfterSeconds: number | string) =>
      decideRetry(new AppError('provider_unavailable', { params: { retryAfterSeconds } }), 1)
    expect(after(17)).toEqual({ next: 'wait', seconds: 17 })
    for (const nothing of [0, -5, 'soon']) expect(after(nothing)).toEqual({ next: 'wait', seconds: 2 })
    expect(after('Infinity')).toEqual({ next: 'wait', seconds: 2 })
  })

  test('a refusal of a key that is valid is tried again as often as a fault is', () => {
    const fault = (attempt: number) => decideRetry(new AppError('provider_unavailable'), attempt)
    for (let attempt = 1; attempt <= 12; attempt += 1) expect(decideSpuriousRetry(attempt)).toEqual(fault(attempt))
    expect(decideSpuriousRetry(100)).toEqual({ next: 'fail' })
  })
})
