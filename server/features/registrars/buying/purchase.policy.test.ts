import { describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import { afterLoss, chargedMinorOf, graceMs, isOfTheCredential, knownAgainMs, lapsedMs, ownSinceMs, pendingMs } from './purchase.policy.ts'

const lost = (sinceMs: number, repeatable = false, complete = true) => afterLoss({ sinceMs, repeatable, complete })

describe('R-BUY-03 what follows a lost response', () => {
  test('a registrar with idempotency keys is sent the same request for exactly twenty hours', () => {
    expect(lost(0, true)).toBe('send')
    expect(lost(knownAgainMs - 1, true)).toBe('send')
    expect(lost(knownAgainMs, true)).toEqual({ waitSeconds: 0 })
    // Providers discard idempotency keys after a day.
    expect(knownAgainMs).toBeLessThan(24 * 3_600_000)
  })

  test('any other registrar has two minutes to list the order before it may be sent again', () => {
    expect(lost(0)).toEqual({ waitSeconds: 120 })
    expect(lost(graceMs - 1_001)).toEqual({ waitSeconds: 2 })
    expect(lost(graceMs - 1)).toEqual({ waitSeconds: 1 })
    expect(lost(graceMs)).toEqual({ waitSeconds: 0 })
  })

  test('an accepted but incomplete order is not sent again within a week, even with idempotency keys', () => {
    for (const repeatable of [true, false]) {
      expect(lost(0, repeatable, false)).toBe('pending')
      expect(lost(pendingMs - 1, repeatable, false)).toBe('pending')
      expect(lost(pendingMs, repeatable, false)).toEqual({ waitSeconds: 0 })
    }
  })
})

test('an order is pending for a week and blocks the name for a day; a name counts as just bought for two days', () => {
  expect([pendingMs, lapsedMs, ownSinceMs].map((ms) => ms / 3_600_000)).toEqual([7 * 24, 24, 48])
})

test('a charge in a currency other than the order’s is not entered as the ledger amount', () => {
  expect(chargedMinorOf({ minor: 1_148, currency: 'USD' }, 'USD')).toBe(1_148)
  expect(chargedMinorOf({ minor: 1_148, currency: 'EUR' }, 'USD')).toBeNull()
  expect(chargedMinorOf(null, 'USD')).toBeNull()
})

test('a refused credential, address or account does not settle the order', () => {
  for (const code of ['registrar_auth', 'registrar_address', 'registrar_forbidden'] as const)
    expect(isOfTheCredential(new AppError(code))).toBe(true)
  for (const code of ['registrar_money', 'registrar_name_taken', 'registrar_price_changed', 'registrar_rejected'] as const)
    expect(isOfTheCredential(new AppError(code))).toBe(false)
})
