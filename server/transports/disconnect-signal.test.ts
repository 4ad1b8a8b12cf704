import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { disconnectSignal } from '#server/transports/disconnect-signal.ts'

const replyOf = (writableFinished: boolean) => ({ raw: Object.assign(new EventEmitter(), { writableFinished }) })

test.each([
  ['aborts if the client disconnects before it has the response', false, true],
  ['does not abort after a complete response', true, false],
])('the signal of a call %s', (_, finished, aborted) => {
  const reply = replyOf(finished)
  const signal = disconnectSignal(reply as unknown as FastifyReply)
  expect(signal.aborted).toBe(false)
  reply.raw.emit('close')
  expect(signal.aborted).toBe(aborted)
})
