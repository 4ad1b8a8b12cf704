import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from './src/wait-for-operation.ts'

test('R-API-04 waiting that is given up ends immediately with the reason, before it begins or during it', async () => {
  const given = new AbortController()
  const waiting = pause(86_400_000, given.signal)
  given.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(pause(86_400_000, given.signal)).rejects.toThrow('enough')
})

test('R-API-04 waiting again and again leaves nothing on a signal that lives for long', async () => {
  const { signal } = new AbortController()
  for (let round = 0; round < 20; round += 1) await pause(0, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
