import { describe, expect, test } from 'vitest'
import type { AccountSpread } from '#shared/features/operations/schema.ts'
import { distribute, placesOf } from './distribute.policy.ts'
import type { Capacity } from './distribute.policy.ts'

let keys = 0
const account = (more: Partial<Capacity> = {}): Capacity => ({
  lane: `lane ${(keys += 1)}`,
  active: 100,
  pending: 0,
  createdLately: 0,
  refused: false,
  ...more,
})
/** Consecutive equal shares, as `count→account reason round`. */
const dealt = (count: number, accounts: readonly Capacity[], spread?: AccountSpread) =>
  [...Map.groupBy(distribute(count, accounts, spread), (share) => `${share.account} ${share.reason} ${share.round}`)].map(
    ([share, { length }]) => `${length}→${share}`,
  )

describe('R-DOM-07 distribution of new domains over accounts', () => {
  test('fills the first account while it accepts domains', () => {
    expect(dealt(25, [account(), account()])).toEqual(['25→0 first 0'])
  })

  test('uses the next account after 25 in ten minutes, including those added in the last minutes', () => {
    expect(dealt(40, [account({ createdLately: 20 }), account(), account()])).toEqual(['5→0 first 0', '25→1 window 0', '10→2 window 0'])
  })

  test('uses the next account when too many zones wait for activation', () => {
    expect(placesOf(account({ active: 10, pending: 57 }))).toBe(3)
    expect(dealt(10, [account({ active: 10, pending: 57 }), account()])).toEqual(['3→0 first 0', '7→1 slots 0'])
  })

  test('skips an account that refused recently', () => {
    expect(dealt(3, [account({ refused: true }), account()])).toEqual(['3→1 refused 0'])
  })

  test('starts again ten minutes later in the same order when all accounts have 25', () => {
    expect(dealt(80, [account(), account()])).toEqual(['25→0 first 0', '25→1 window 0', '25→0 later 1', '5→1 later 1'])
  })

  test('shares the limit of 25 between credentials of one user', () => {
    expect(dealt(30, [account({ lane: 'one' }), account({ lane: 'one' })])).toEqual(['25→0 first 0', '5→0 later 1'])
    const recent = [account({ lane: 'recent', createdLately: 10 }), account({ lane: 'recent', createdLately: 5 }), account()]
    expect(dealt(30, recent)).toEqual(['10→0 first 0', '20→2 window 0'])
    expect(dealt(30, [account({ lane: 'two' }), account({ lane: 'two' }), account()])).toEqual(['25→0 first 0', '5→2 window 0'])
  })

  test('assigns domains without a place to the first account that does not refuse', () => {
    const full = { active: 0, pending: 48 }
    expect(dealt(5, [account({ refused: true }), account(full)])).toEqual(['2→1 refused 0', '3→1 full 0'])
    expect(dealt(2, [account({ refused: true }), account({ refused: true })])).toEqual(['2→0 full 0'])
  })

  test('R-DOM-07 even distribution alternates between the accounts and skips a full one', () => {
    expect(distribute(5, [account(), account()], 'evenly').map((share) => share.account)).toEqual([0, 1, 0, 1, 0])
    const short = { active: 0, pending: 48 }
    expect(dealt(12, [account(), account(short), account({ refused: true }), account()], 'evenly')).toEqual([
      '5→0 evenly 0',
      '2→1 evenly 0',
      '5→3 evenly 0',
    ])
  })

  test('R-DOM-07 even distribution respects the limits per ten minutes and per user', () => {
    expect(dealt(60, [account(), account({ createdLately: 20 })], 'evenly')).toEqual([
      '25→0 evenly 0',
      '5→1 evenly 0',
      '15→0 later 1',
      '15→1 later 1',
    ])
    expect(dealt(30, [account({ lane: 'shared' }), account({ lane: 'shared' })], 'evenly')).toEqual([
      '13→0 evenly 0',
      '12→1 evenly 0',
      '3→0 later 1',
      '2→1 later 1',
    ])
    expect(dealt(60, [account({ active: 0, pending: 20 })], 'evenly')).toEqual(['25→0 evenly 0', '5→0 later 1', '30→0 full 0'])
    expect(dealt(3, [account({ refused: true })], 'evenly')).toEqual(['3→0 full 0'])
  })

  test('every domain gets exactly one account for any numbers', () => {
    const accounts = Array.from({ length: 40 }, (_, index) => account({ active: index, pending: index * 3, createdLately: index }))
    expect(distribute(10_000, accounts)).toHaveLength(10_000)
    expect(distribute(10_000, accounts, 'evenly')).toHaveLength(10_000)
    expect(distribute(0, accounts)).toEqual([])
  })
})
