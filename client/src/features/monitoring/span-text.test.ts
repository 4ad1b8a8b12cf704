import { expect, test } from 'vitest'
import { formatDuration } from '#client/lib/format.ts'
import { spanText } from './span-text.ts'

const [minute, hour, day] = [60, 3600, 86_400]
const text = (seconds: number) => spanText(0, seconds * 1000)

test('the length of an outage is told in its two largest units', () => {
  expect(text(42)).toBe(formatDuration(42))
  expect(text(12 * minute + 10)).toBe(formatDuration(12 * minute))
  expect(text(2 * hour + 5 * minute)).toBe(`${formatDuration(2 * hour)} ${formatDuration(5 * minute)}`)
  expect(text(3 * day)).toBe(formatDuration(3 * day))
  expect(text(3 * day + 4 * hour + 59 * minute)).toBe(`${formatDuration(3 * day)} ${formatDuration(4 * hour)}`)
})
