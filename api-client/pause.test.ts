import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from './src/wait-for-operation.ts'

test('R-API-04 an aborted pause rejects immediately with the reason, before it starts or while it runs', async () => {
  const given = new AbortController()
  const waiting = pause(86_400_000, given.signal)
  given.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(pause(86_400_000, given.signal)).rejects.toThrow('enough')
})

test('R-API-04 repeated pauses leave no listeners on a long-lived signal', async () => {
  const { signal } = new AbortController()
  for (let round = 0; round < 20; round += 1) await pause(0, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
