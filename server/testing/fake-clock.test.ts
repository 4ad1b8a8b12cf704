import { expect, test } from 'vitest'
import { createFakeClock } from '#server/testing/fake-clock.ts'

test('sleeps end in order and on time, including those started by a sleeper that woke up', async () => {
  const clock = createFakeClock(0)
  const woke: [string, number][] = []
  void clock.sleep(20).then(() => woke.push(['b', clock.now()]))
  void clock.sleep(10).then(async () => {
    woke.push(['a', clock.now()])
    await clock.sleep(15)
    woke.push(['c', clock.now()])
  })
  await clock.advance(30)
  expect(woke).toEqual([
    ['a', 10],
    ['b', 20],
    ['c', 25],
  ])
  expect(clock.now()).toBe(30)
})

test('an aborted sleep rejects with the reason and is removed', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  const sleeping = clock.sleep(10, stop.signal)
  stop.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  expect(clock.sleeping).toBe(0)
})
