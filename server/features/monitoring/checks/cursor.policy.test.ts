import { describe, expect, test } from 'vitest'
import { moveOn, walk } from './cursor.policy.ts'

/** A whole minute, so that slots are the seconds of a minute. */
const now = 1_800_000_000_000 - (1_800_000_000_000 % 60_000)
const cursor = (change: { position?: number; claimedAt?: number; pace?: number }) => ({
  position: now + (change.position ?? 0),
  claimedAt: now + (change.claimedAt ?? 0),
  pace: change.pace ?? 1,
})
const walked = (change: Parameters<typeof cursor>[0], at = 0, interval = 60) => {
  const { from, to, slots, skipped } = walk(cursor(change), interval, now + at)
  return { from: from - now, to: to - now, slots, skipped }
}

describe('the slots that may be handed out', () => {
  test('are the seconds since the last claim', () => {
    expect(walked({}, 3_500)).toEqual({ from: 0, to: 3_500, slots: [1, 2, 3], skipped: false })
    expect(walked({}, 0)).toEqual({ from: 0, to: 0, slots: [], skipped: false })
    expect(walked({ position: -2_000, claimedAt: -2_000 })).toEqual({ from: -2_000, to: 0, slots: [59, 0], skipped: false })
    expect(walked({ position: 900, claimedAt: 900 }, 1_000).slots).toEqual([1])
  })

  test('advance at twice the pace after a pause, and at most ten seconds at a time', () => {
    expect(walked({ position: -30_000, claimedAt: -1_000 })).toMatchObject({ from: -30_000, to: -28_000 })
    expect(walked({ position: -30_000, claimedAt: -20_000 })).toMatchObject({ from: -30_000, to: -20_000 })
    expect(walked({ position: -1_000, claimedAt: -20_000 })).toMatchObject({ to: 0 })
  })

  test('skip a full round when one behind, and restart from now when two behind', () => {
    expect(walked({ position: -70_000, claimedAt: -1_000 })).toMatchObject({ from: -10_000, to: -8_000, skipped: false })
    expect(walked({ position: -119_999, claimedAt: 0 })).toMatchObject({ from: -59_999, skipped: false })
    expect(walked({ position: -120_000, claimedAt: -1_000 })).toEqual({ from: 0, to: 0, slots: [], skipped: true })
  })

  test('are none after a clock that was slightly ahead, and restart from now after one far ahead', () => {
    expect(walked({ position: 5_000, claimedAt: 5_000 })).toEqual({ from: 5_000, to: 5_000, slots: [], skipped: false })
    expect(walked({ position: 5_001, claimedAt: 5_001 })).toEqual({ from: 0, to: 0, slots: [], skipped: true })
  })
})

describe('the cursor after a claim', () => {
  const moved = (change: Parameters<typeof cursor>[0], slots: number, at: number) => {
    const from = cursor(change)
    const { position, claimedAt, pace } = moveOn(from, walk(from, 60, now + at), slots, now + at)
    return [position - now, claimedAt - now, Number(pace.toFixed(4))]
  }

  test('is where the walk ended, or after the last second handed out', () => {
    expect(moved({}, 3, 3_500)).toEqual([3_500, 3_500, 1])
    expect(moved({}, 2, 3_500)).toEqual([2_000, 3_500, 0.975])
    expect(moved({ position: 500 }, 0, 3_500)).toEqual([0, 3_500, 0.9333])
  })

  test('averages its pace over the last minute', () => {
    expect(moved({ pace: 0.5 }, 6, 6_000)).toEqual([6_000, 6_000, 0.55])
    expect(moved({ pace: 0.5, claimedAt: -90_000, position: -20_000 }, 10, 0)[2]).toBe(0.1111)
    expect(moved({ pace: 0.5, position: -30_000, claimedAt: -3_000 }, 6, 0)[2]).toBe(0.525)
  })

  test('keeps its pace when it restarts and when no time has passed', () => {
    expect(moved({ pace: 0.5, position: -200_000, claimedAt: -1_000 }, 0, 0)).toEqual([0, 0, 0.5])
    expect(moved({ pace: 0.5 }, 0, 0)).toEqual([0, 0, 0.5])
    expect(moved({ pace: 0.5, claimedAt: 2_000 }, 0, 1_000)[2]).toBe(0.5)
  })
})
