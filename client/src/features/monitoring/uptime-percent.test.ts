import { expect, test } from 'vitest'
import { uptimePercent } from './uptime-percent.ts'

test('only what never failed is at 100 %', () => {
  expect([1, 0.999_99, 0.9998, 0].map(uptimePercent)).toEqual([100, 99.99, 99.98, 0])
})
