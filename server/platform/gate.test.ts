import { expect, test } from 'vitest'
import { createGate } from '#server/platform/gate.ts'

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
