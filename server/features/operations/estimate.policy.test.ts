import { expect, test } from 'vitest'
import { atRegistrar, atTracker, estimate, partsOf } from './estimate.policy.ts'

const budget = { limit: 100, windowMs: 60_000 }
const part = (lane: string, calls: number, waitSeconds?: number) => ({
  lane,
  accountEmail: `${lane}@example.com`,
  calls,
  ...(waitSeconds !== undefined && { waitSeconds }),
})

test('the slowest account is named with its time, even if it is the only one', () => {
  expect(estimate([part('a', 90), part('a', 60)], budget)).toEqual({
    calls: 150,
    seconds: 60,
    bottleneck: { account: 'a@example.com', items: 2, seconds: 60 },
  })
  expect(estimate([part('a', 10), part('b', 250), part('c', 20)], budget)).toMatchObject({
    seconds: 120,
    bottleneck: { account: 'b@example.com', items: 1, seconds: 120 },
  })
})

test('an account that must wait for its window is slower than one with more calls', () => {
  expect(estimate([part('a', 90), part('b', 10), part('b', 10, 600)], budget)).toMatchObject({
    seconds: 602,
    bottleneck: { account: 'b@example.com', items: 2 },
  })
})

test('registrars and trackers count beside the account, each with its own limit; an account without calls does not count', () => {
  const of = { lane: 'a', accountEmail: 'a@example.com' }
  const nothing = { before: null, after: null, dangers: [] }
  const called = [atRegistrar({ id: 'r', name: 'Shop', provider: 'PORKBUN', calls: 2 }), atTracker({ id: 't', name: 'Main', calls: 1 })]
  const bought = partsOf(of, { ...nothing, calls: 6, called })
  expect(estimate([bought, bought].flat(), budget)).toEqual({
    calls: 18,
    seconds: 3,
    bottleneck: { account: 'Shop', items: 2, seconds: 3 },
  })
  const bound = partsOf(of, { ...nothing, calls: 0, called: [atTracker({ id: 't', name: 'Main', calls: 1 })] })
  const many = Array.from({ length: 1_000 }, () => bound).flat()
  expect(estimate(many, budget)).toEqual({ calls: 1_000, seconds: 95, bottleneck: { account: 'Main', items: 1_000, seconds: 95 } })
})

test('without any calls no account is the slowest', () => {
  expect(estimate([part('a', 0), part('b', 0)], budget)).toEqual({ calls: 0, seconds: 0, bottleneck: null })
})

test('each registrar and tracker is its own concurrency key with its own limit', () => {
  expect(atRegistrar({ id: '7', name: 'Shop', provider: 'PORKBUN', calls: 2 })).toMatchObject({
    lane: 'registrar 7',
    name: 'Shop',
    calls: 2,
  })
  expect(atTracker({ id: '7', name: 'Main', calls: 1 })).toMatchObject({ lane: 'tracker 7', name: 'Main', calls: 1 })
})

test('an item without calls counts for its account; one that only calls elsewhere does not', () => {
  const of = { lane: 'a', accountEmail: 'a@example.com' }
  const nothing = { before: null, after: null, dangers: [] }
  const elsewhere = atTracker({ id: 't', name: 'Main', calls: 1 })
  expect(partsOf(of, { ...nothing, calls: 0 })).toEqual([{ ...of, calls: 0 }])
  expect(partsOf(of, { ...nothing, calls: 2 })).toEqual([{ ...of, calls: 2 }])
  expect(partsOf(of, { ...nothing, calls: 0, called: [elsewhere] })).toMatchObject([{ lane: 'tracker t', accountEmail: 'Main' }])
  expect(partsOf(of, { ...nothing, calls: 1, called: [elsewhere] })).toMatchObject([{ lane: 'a' }, { lane: 'tracker t' }])
})
