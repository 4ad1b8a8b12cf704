import { describe, expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { errorCatalog, isErrorCode } from './codes.ts'

const codes = Object.keys(errorCatalog).filter(isErrorCode)
const unclear = codes.filter((code) => new AppError(code).isUnclear)
const retryable = codes.filter((code) => new AppError(code).isRetryable)
const of = (vendor: string, list: readonly string[]) => list.filter((code) => code.startsWith(`${vendor}_`)).toSorted()

describe('R-BUY-03 errors after which the outcome of a change is unknown', () => {
  test.each(['provider', 'registrar', 'tracker'])('of a %s: no response, a timeout and an unreadable response', (vendor) => {
    expect(of(vendor, unclear)).toEqual([`${vendor}_timeout`, `${vendor}_unavailable`, `${vendor}_unreadable`])
  })

  test('of the panel itself: an interrupted or unsaved change, and an order without an answer', () => {
    const ours = unclear.filter((code) => !/^(provider|registrar|tracker)_/.test(code))
    expect(ours.toSorted()).toEqual(['database_full', 'database_unavailable', 'internal', 'purchase_unclear', 'shutting_down'])
  })

  test('all of them are retryable; retryable with a known outcome are only rejections before the work began', () => {
    expect(unclear.filter((code) => !retryable.includes(code))).toEqual([])
    const refused = retryable.filter((code) => !unclear.includes(code))
    expect(of('registrar', refused)).toEqual(['registrar_busy', 'registrar_quote_expired', 'registrar_rate_limited'])
    expect(of('provider', refused)).toEqual(['provider_rate_limited'])
    expect(of('tracker', refused)).toEqual(['tracker_rate_limited'])
  })
})
