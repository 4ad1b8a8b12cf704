import { expect, test } from 'vitest'
import { createFairSemaphore, createSemaphore } from '#server/platform/semaphore.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('R-AUT-06 two hundred concurrent calls run in order, never more than allowed at a time, and all complete', async () => {
  const semaphore = createSemaphore(3)
  let atWork = 0
  let most = 0
  const began: number[] = []
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      semaphore(async () => {
        began.push(index)
        atWork += 1
        most = Math.max(most, atWork)
        await turn()
        atWork -= 1
      }),
    ),
  )
  expect(most).toBe(3)
  expect(began).toEqual(Array.from({ length: 200 }, (_, index) => index))
})

test('a failing call releases its slot', async () => {
  const semaphore = createSemaphore(1)
  const failed = semaphore(() => Promise.reject(new Error('no')))
  const next = semaphore(() => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await semaphore(() => Promise.resolve('later'))).toBe('later')
})

test('callers take turns: one with many requests delays no one and never exceeds its own limit', async () => {
  const semaphore = createFairSemaphore({ maxConcurrent: 3, maxConcurrentPerCaller: 2, waiting: 100, maxWaitingPerCaller: 50 })
  const done: string[] = []
  let [ofAnn, most] = [0, 0]
  const work = (caller: string) => async () => {
    if (caller === 'ann') most = Math.max(most, (ofAnn += 1))
    await turn()
    if (caller === 'ann') ofAnn -= 1
    done.push(caller)
  }
  const many = Array.from({ length: 40 }, () => semaphore('ann', work('ann')))
  const few = ['bob', 'carl', 'bob'].map((caller) => semaphore(caller, work(caller)))
  await Promise.all([...many, ...few])
  expect(
    done
      .slice(0, 9)
      .filter((caller) => caller !== 'ann')
      .toSorted(),
  ).toEqual(['bob', 'bob', 'carl'])
  expect(most).toBe(2)
  expect(done).toHaveLength(43)
})

test('calls beyond the queue limits, per caller and in total, are refused immediately, and a failure releases its slot', async () => {
  const semaphore = createFairSemaphore({ maxConcurrent: 1, maxConcurrentPerCaller: 1, waiting: 3, maxWaitingPerCaller: 2 })
  const held = Promise.withResolvers<void>()
  const first = semaphore('ann', () => held.promise)
  const waiting = [semaphore('ann', turn), semaphore('ann', turn)]
  await expect(semaphore('ann', turn)).rejects.toMatchObject({ code: 'too_many_attempts', params: { retryAfterSeconds: 5 } })
  waiting.push(semaphore('bob', turn))
  await expect(semaphore('carl', turn)).rejects.toMatchObject({ code: 'too_many_attempts' })
  held.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await Promise.all(waiting)
  expect(await semaphore('carl', () => Promise.resolve('done'))).toBe('done')
})
