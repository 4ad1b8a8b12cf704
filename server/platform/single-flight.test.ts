import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

function asking() {
  const singleFlight = createSingleFlight<number>()
  const place = {}
  const begun: PromiseWithResolvers<number>[] = []
  const ask = (question = 'list') =>
    singleFlight(place, question, () => {
      const answer = Promise.withResolvers<number>()
      begun.push(answer)
      return answer.promise
    })
  return { ask, begun }
}

test('callers that arrive during a call share the next one, which starts after they arrived', async () => {
  const { ask, begun } = asking()
  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  expect(await first).toBe(1)
  await Promise.resolve()
  expect(begun).toHaveLength(2)
  const fourth = ask()
  begun[1]?.resolve(2)
  expect(await Promise.all([second, third])).toEqual([2, 2])
  begun[2]?.resolve(3)
  expect(await fourth).toBe(3)
  expect(begun).toHaveLength(3)
})

test('a different key, or a later call, is requested immediately', async () => {
  const { ask, begun } = asking()
  const [one, other] = [ask('a'), ask('b')]
  expect(begun).toHaveLength(2)
  begun[0]?.resolve(1)
  begun[1]?.resolve(2)
  expect(await Promise.all([one, other])).toEqual([1, 2])
  const later = ask('a')
  expect(begun).toHaveLength(3)
  begun[2]?.resolve(3)
  expect(await later).toBe(3)
})

test('a failure rejects only the callers of that call, not later ones', async () => {
  const { ask, begun } = asking()
  const [first, second] = [ask(), ask()]
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await Promise.resolve()
  begun[1]?.resolve(2)
  expect(await second).toBe(2)
})
