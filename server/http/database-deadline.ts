import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import postgres from 'postgres'
import type { Database } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import { sendError } from '#server/transports/send-error.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { databaseRetrySeconds } from '#server/transports/trpc/trpc.ts'

/** A request that takes so long has the database looked at, again and again. */
const lookAfterMs = 2_000
/** A database that does not answer for so long is away. */
const patienceMs = 2_000

/** Whether the database answers, asked on a connection of its own: all others may be busy. Who ask at the same time share the answer. */
function createPing({ sql: { options } }: Database) {
  const sql = postgres({
    ...(options as unknown as postgres.Options<Record<string, never>>),
    max: 1,
    fetch_types: false,
    idle_timeout: 30,
    connect_timeout: patienceMs / 1000,
  })
  let asked: Promise<boolean> | null = null
  async function ask(): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), patienceMs)
    try {
      return await Promise.race([
        sql`select 1`.then(
          () => true,
          () => false,
        ),
        late.promise,
      ])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    answers: () => (asked ??= ask().finally(() => (asked = null))),
    close: () => sql.end({ timeout: 1 }),
  }
}

const waits = /^\/(api|trpc)\//

/** Whoever asks while the database is away hears so within five seconds (503), instead of waiting until it is there again. */
export function databaseDeadline(app: FastifyInstance, { db, log }: Pick<Services, 'db' | 'log'>): void {
  const ping = createPing(db)
  app.addHook('onClose', () => ping.close())
  const isAnswered = (reply: FastifyReply) => reply.sent || reply.raw.headersSent || reply.raw.destroyed
  async function look(request: FastifyRequest, reply: FastifyReply, again: () => void): Promise<void> {
    if (isAnswered(reply)) return
    if (await ping.answers()) return again()
    if (isAnswered(reply)) return
    log.warn({ requestId: request.id }, 'a request was given up: the database does not answer')
    sendError(request, reply, new AppError('database_unavailable', { params: { retryAfterSeconds: databaseRetrySeconds } }))
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
