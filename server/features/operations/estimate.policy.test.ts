import { expect, test } from 'vitest'
import { estimate } from './estimate.policy.ts'

const budget = { limit: 100, windowMs: 60_000 }
const part = (lane: string, calls: number, waitSeconds?: number) => ({
  lane,
  accountEmail: `${lane}@example.com`,
  calls,
  ...(waitSeconds !== undefined && { waitSeconds }),
})

test('the slowest account is named with its time, also where it is the only one', () => {
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

test('an account that has to wait for its turn is slower than one with more to do', () => {
  expect(estimate([part('a', 90), part('b', 10), part('b', 10, 600)], budget)).toMatchObject({
    seconds: 602,
    bottleneck: { account: 'b@example.com', items: 2 },
  })
})

test('where nothing is called no account is slow', () => {
  expect(estimate([part('a', 0), part('b', 0)], budget)).toEqual({ calls: 0, seconds: 0, bottleneck: null })
})
