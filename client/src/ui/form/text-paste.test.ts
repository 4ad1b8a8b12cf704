import { expect, test } from 'vitest'
import { linesInView } from './text-paste.tsx'

const lineHeightPx = 20

test.each([0, 7, 20, 39_990, 40_000, 71_234, 99_800])(
  'R-ACC-02 at %i px of 5,000 lines each number stays beside its own line across the view',
  (scrollTopPx) => {
    const { numbers, shiftPx } = linesInView({ scrollTopPx, heightPx: 200, lineHeightPx }, 5_000)
    for (const [at, number] of numbers.entries()) expect(shiftPx + at * lineHeightPx).toBe((number - 1) * lineHeightPx - scrollTopPx)
    expect(numbers[0]).toBeLessThanOrEqual(Math.floor(scrollTopPx / lineHeightPx) + 1)
    expect(numbers.at(-1)).toBe(Math.min(5_000, Math.ceil((scrollTopPx + 200) / lineHeightPx) + 1))
    expect(numbers.length).toBeLessThan(20)
  },
)

test('a field with few lines shows only their numbers, whatever the scroll position was', () => {
  expect(linesInView({ scrollTopPx: 0, heightPx: 200, lineHeightPx }, 2).numbers).toEqual([1, 2])
  expect(linesInView({ scrollTopPx: 5_000, heightPx: 200, lineHeightPx }, 2).numbers).toEqual([2])
})
