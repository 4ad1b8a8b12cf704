import { expect, test } from 'vitest'
import { formatUptime } from './format-uptime.ts'

test('only what never failed is at 100 %; what was never checked is at nothing', () => {
  expect(formatUptime(1)).toBe('100 %')
  expect(formatUptime(0.999_99)).toMatch(/^99[.,]99 %$/)
  expect(formatUptime(0)).toBe('0 %')
  expect(formatUptime(null)).toBe('–')
})
