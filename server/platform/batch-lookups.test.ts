import { expect, test } from 'vitest'
import { batchLookups } from '#server/platform/batch-lookups.ts'

test('look-ups of one event-loop turn become one call with each key once', async () => {
  const calls: (readonly string[])[] = []
  const find = batchLookups(async (keys) => {
    calls.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]))
  })
  expect(await Promise.all([find('a'), find('b'), find('a'), find('none')])).toEqual(['A', 'B', 'A', undefined])
  expect(calls).toEqual([['a', 'b', 'none']])
})

test('a look-up made during a call starts a new call', async () => {
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let value = 'old'
  const find = batchLookups(async (keys) => {
    const seen = value
    begun.resolve()
    await finish.promise
    return new Map(keys.map((key) => [key, seen]))
  })
  const first = find('a')
  await begun.promise
  value = 'new'
  const second = find('a')
  finish.resolve()
  expect(await Promise.all([first, second])).toEqual(['old', 'new'])
})

test('a failure rejects every waiting caller, and the next look-up calls again', async () => {
  let broken = true
  const find = batchLookups(async (keys) => {
    if (broken) throw new Error('away')
    return new Map(keys.map((key) => [key, key]))
  })
  const answers = await Promise.allSettled([find('a'), find('b')])
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected'])
  broken = false
  expect(await find('a')).toBe('a')
})
