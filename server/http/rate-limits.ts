import type { FastifyInstance } from 'fastify'
import { tightestOf } from '#server/platform/attempts.ts'
import type { Limits } from '#server/platform/limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the calls of this request were counted against; null before it is known who asks. */
    limits: Limits | null
  }
}

/** Whose tries are counted is reported with every answer how many are left, over REST and tRPC alike: of several limits the one that refuses next. */
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
