import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRenewal } from './use-renewal.ts'

const pace = { waitMs: 600, streamMs: 2_500 }
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('change events are followed by one fetch soon, however many arrive together', () => {
  const read = vi.fn<() => void>()
  const { renew } = createRenewal(read, pace)
  renew()
  vi.advanceTimersByTime(599)
  expect(read).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(read).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(read).toHaveBeenCalledTimes(1)
})

test('during a stream of change events fetches are throttled, with one more after the last event', () => {
  const read = vi.fn<() => void>()
  const { renew } = createRenewal(read, pace)
  for (let ms = 0; ms < 10_000; ms += 100) {
    renew()
    vi.advanceTimersByTime(100)
  }
  expect(read).toHaveBeenCalledTimes(4)
  renew()
  read.mockClear()
  vi.advanceTimersByTime(2_500)
  expect(read).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(read).toHaveBeenCalledTimes(2)
})

test('nothing is fetched after unsubscribing', () => {
  const read = vi.fn<() => void>()
  const { renew, stop } = createRenewal(read, pace)
  renew()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(read).not.toHaveBeenCalled()
})
