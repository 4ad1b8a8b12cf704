import type { FastifyReply } from 'fastify'

/** Aborts if the client disconnects before it has the response. Aborting after it too would create an error for every request. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) abort.abort()
  })
  return abort.signal
}
