import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('work of one key cannot overtake earlier work, also if that fails; work of another key does not wait', async () => {
  const first = Promise.withResolvers<string>()
  const done: string[] = []
  const run = (key: string, name: string, work: () => Promise<string>) =>
    inTurn(key, async () => {
      done.push(`${name} starts`)
      return work()
    })
  const failed = run('a', 'first', () => first.promise)
  const second = run('a', 'second', () => Promise.resolve('second'))
  const third = run('a', 'third', () => Promise.resolve('third'))
  expect(await run('b', 'other', () => Promise.resolve('other'))).toBe('other')
  expect(done).toEqual(['first starts', 'other starts'])
  first.reject(new Error('refused'))
  await expect(failed).rejects.toThrow('refused')
  expect([await second, await third]).toEqual(['second', 'third'])
  expect(done).toEqual(['first starts', 'other starts', 'second starts', 'third starts'])
  expect(await run('a', 'later', () => Promise.resolve('later'))).toBe('later')
})
