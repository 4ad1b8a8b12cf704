import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'

interface Health {
  readonly status: 'ok' | 'stopping' | 'unavailable'
  readonly version: string
  readonly role: string
  readonly database: 'ok' | 'unavailable'
}

/** Responds within a few seconds regardless of the database. */
const patienceMs = 3_000

/** A database that has just responded still does: far less than any interval between checks, and a burst of them costs one query. */
const freshMs = 50

/** Asks the database, and rejects if it does not respond in time. Concurrent callers share one query, never one that began before them. */
function createPing({ sql }: Services['db']): () => Promise<void> {
  const pings = createSingleFlight<unknown>()
  let answeredAt = -Infinity
  return async () => {
    if (performance.now() - answeredAt < freshMs) return
    const late = Promise.withResolvers<never>()
    const timeout = setTimeout(() => late.reject(new Error(`no response in ${patienceMs} ms`)), patienceMs)
    try {
      await Promise.race([pings(pings, '', () => sql`select 1`), late.promise])
      answeredAt = performance.now()
    } finally {
      clearTimeout(timeout)
    }
  }
}

/**
 * 200 while this process accepts requests, otherwise 503, so that load balancers use another one. Requires no authentication, so it also
 * works if sessions cannot be looked up.
 */
export function health(app: FastifyInstance, { db, log, version, stopping }: Services, role: string): void {
  const ping = createPing(db)
  app.get('/api/health', async (_request, reply) => {
    let answer: Health
    try {
      await ping()
      answer = { status: stopping.aborted ? 'stopping' : 'ok', version, role, database: 'ok' }
    } catch (error) {
      log.error({ err: error }, 'the database does not respond')
      answer = { status: 'unavailable', version, role, database: 'unavailable' }
    }
    return reply.code(answer.status === 'ok' ? 200 : 503).send(answer)
  })
}
