import type { FastifyInstance } from 'fastify'
import { tightestOf } from '#server/platform/attempts.ts'
import type { Limits } from '#server/platform/limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits the calls of this request counted against; null before the caller is known. */
    limits: Limits | null
  }
}

/**
 * Reports the remaining attempts with every response of a rate-limited call, over REST and tRPC: of several limits the one that will refuse
 * next.
 */
export function rateLimits(app: FastifyInstance): void {
  app.decorateRequest('limits', null)
  app.addHook('onSend', ({ limits }, reply, _payload, done) => {
    const met = limits === null ? null : tightestOf(limits)
    if (met !== null) {
      void reply.headers({
        'ratelimit-limit': String(met.limit),
        'ratelimit-remaining': String(met.remaining),
        'ratelimit-reset': String(met.resetSeconds),
      })
    }
    done()
  })
}
