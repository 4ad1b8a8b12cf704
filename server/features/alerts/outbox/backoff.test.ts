import { expect, test } from 'vitest'
import { backoffMs } from './delivery-outcome.policy.ts'

test('R-MON-04 a message is retried with a doubling pause of at most five minutes; webhooks are retried sooner', () => {
  expect([1, 2, 3, 8, 9, 1_000].map((attempts) => backoffMs(attempts, 'telegram'))).toEqual([
    2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
  ])
  expect([0, 1, 2, 11, 12, 1_000].map((attempts) => backoffMs(attempts, 'webhook'))).toEqual([250, 250, 500, 256_000, 300_000, 300_000])
})
