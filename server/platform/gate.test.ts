import { expect, test } from 'vitest'
import { createFairGate, createGate } from '#server/platform/gate.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('R-AUT-06 of two hundred that come at once no more are at work than may be; the others come in turn, and all are done', async () => {
  const gate = createGate(3)
  let atWork = 0
  let most = 0
  const began: number[] = []
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      gate(async () => {
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

test('one that fails gives its place to the next', async () => {
  const gate = createGate(1)
  const failed = gate(() => Promise.reject(new Error('no')))
  const next = gate(() => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await gate(() => Promise.resolve('later'))).toBe('later')
})

test('callers take turns: one with many requests holds up nobody else, and never has more at work than one caller may', async () => {
  const gate = createFairGate({ atOnce: 3, ofOne: 2, waiting: 100, waitingOfOne: 50 })
  const done: string[] = []
  let [ofAnn, most] = [0, 0]
  const work = (caller: string) => async () => {
    if (caller === 'ann') most = Math.max(most, (ofAnn += 1))
    await turn()
    if (caller === 'ann') ofAnn -= 1
    done.push(caller)
  }
  const many = Array.from({ length: 40 }, () => gate('ann', work('ann')))
  const few = ['bob', 'carl', 'bob'].map((caller) => gate(caller, work(caller)))
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

test('what is too much to wait for is refused immediately, of one caller and of all together, and a failure gives its place away', async () => {
  const gate = createFairGate({ atOnce: 1, ofOne: 1, waiting: 3, waitingOfOne: 2 })
  const held = Promise.withResolvers<void>()
  const first = gate('ann', () => held.promise)
  const waiting = [gate('ann', turn), gate('ann', turn)]
  await expect(gate('ann', turn)).rejects.toMatchObject({ code: 'too_many_attempts', params: { retryAfterSeconds: 5 } })
  waiting.push(gate('bob', turn))
  await expect(gate('carl', turn)).rejects.toMatchObject({ code: 'too_many_attempts' })
  held.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await Promise.all(waiting)
  expect(await gate('carl', () => Promise.resolve('done'))).toBe('done')
})
