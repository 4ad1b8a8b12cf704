import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseRetrySeconds } from '#server/platform/database-away.ts'
import type { Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** After this time a request checks repeatedly whether the database responds. */
const lookAfterMs = 2_000
const waits = /^\/(api|trpc)\//

/** While the database is unavailable, requests are answered 503 within five seconds instead of waiting for it. */
export function databaseDeadline(app: FastifyInstance, { db, log }: Pick<Services, 'db' | 'log'>): void {
  const isAnswered = (reply: FastifyReply) => reply.sent || reply.raw.headersSent || reply.raw.destroyed
  async function look(request: FastifyRequest, reply: FastifyReply, again: () => void): Promise<void> {
    if (isAnswered(reply)) return
    if (await db.answers()) return again()
    if (isAnswered(reply)) return
    log.warn({ requestId: request.id }, 'a request timed out: the database does not respond')
    void reply.send(new AppError('database_unavailable', { params: { retryAfterSeconds: databaseRetrySeconds } }))
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (waits.test(request.url) && request.url !== '/api/health') {
      let timer: NodeJS.Timeout
      const wait = () => (timer = setTimeout(() => void look(request, reply, wait), lookAfterMs))
      wait()
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
