import { expect, test } from 'vitest'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createLog } from './log.ts'
import { runLoop } from './run-loop.ts'
import type { LoopCounts, LoopOptions } from './run-loop.ts'

/** A loop whose rounds behave as listed in `rounds`, the last one repeatedly. */
function start(rounds: readonly (() => Promise<number | void>)[], options: Partial<LoopOptions> = {}) {
  const clock = createFakeClock()
  const lines: string[] = []
  const loops: LoopCounts = new Map()
  const log = createLog('info', { write: (line) => void lines.push(line) })
  let count = 0
  const loop = runLoop({ clock, log, loops }, { name: 'test', everyMs: 1_000, ...options }, () => {
    const round = rounds[Math.min(count, rounds.length - 1)]
    count += 1
    return round?.() ?? Promise.resolve()
  })
  return { clock, lines, loops, loop, count: () => count }
}
const nothing = () => Promise.resolve()
const refuse = (error: Error) => async () => {
  throw error
}
const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })

test('the next round starts after the default pause or the one the round returned', async () => {
  const { clock, loop, count } = start([nothing, () => Promise.resolve(5_000), nothing])
  await clock.advance(999)
  expect(count()).toBe(1)
  await clock.advance(1)
  expect(count()).toBe(2)
  await clock.advance(4_999)
  expect(count()).toBe(2)
  await clock.advance(1)
  expect(count()).toBe(3)
  await loop.stop()
})

test('a wake-up ends the pause, and a wake-up during a round skips the next pause', async () => {
  const round = Promise.withResolvers<void>()
  const { clock, loop, count } = start([nothing, () => round.promise, nothing])
  await clock.advance(0)
  loop.wake()
  await clock.advance(0)
  expect(count()).toBe(2)
  loop.wake()
  loop.wake()
  round.resolve()
  await clock.advance(0)
  expect(count()).toBe(3)
  await clock.advance(0)
  expect(count()).toBe(3)
  await loop.stop()
})

test('wake-ups before a round are combined', async () => {
  const { clock, loop, count } = start([nothing], { settleMs: 20 })
  await clock.advance(20)
  expect(count()).toBe(1)
  loop.wake()
  await clock.advance(10)
  loop.wake()
  expect(count()).toBe(1)
  await clock.advance(10)
  expect(count()).toBe(2)
  await clock.advance(30)
  expect(count()).toBe(2)
  await loop.stop()
})

test('a failed round is logged and counted, and wake-ups during it do not shorten the next pause', async () => {
  const first = Promise.withResolvers<void>()
  const { clock, lines, loops, loop, count } = start([() => first.promise, nothing], { retryMs: 500 })
  loop.wake()
  first.reject(new Error('out of order'))
  await clock.advance(499)
  expect(count()).toBe(1)
  await clock.advance(1)
  expect(count()).toBe(2)
  expect(lines).toEqual([expect.stringContaining('out of order')])
  expect(loops.get('test')).toEqual({ rounds: 2, failures: 1 })
  await loop.stop()
})

test('an unavailable database is logged once until a round succeeds', async () => {
  const { clock, lines, loops, loop } = start([refuse(away), refuse(away), nothing, refuse(away), nothing])
  await clock.advance(1_500)
  expect(lines).toHaveLength(1)
  await clock.advance(2_500)
  expect(lines).toHaveLength(2)
  expect(loops.get('test')?.failures).toBe(3)
  await loop.stop()
})

test('stopping ends the pause, waits for the current round and reports no error caused by the stop', async () => {
  const pausing = start([nothing])
  await pausing.clock.advance(0)
  await pausing.loop.stop()
  expect(pausing.count()).toBe(1)

  // While wake-ups are being combined, too.
  const settling = start([nothing], { settleMs: 20 })
  await settling.clock.advance(10)
  await settling.loop.stop()
  await settling.clock.advance(20)
  expect([settling.count(), settling.loops.get('test')?.rounds]).toEqual([0, 0])

  const round = Promise.withResolvers<void>()
  const busy = start([() => round.promise])
  const stopped = busy.loop.stop()
  expect(await Promise.race([stopped.then(() => 'stopped'), Promise.resolve('busy')])).toBe('busy')
  round.reject(new Error('aborted'))
  await stopped
  expect([busy.count(), busy.lines, busy.loops.get('test')?.failures]).toEqual([1, [], 0])
})
