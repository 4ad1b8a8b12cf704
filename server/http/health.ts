import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { createSingleFlight } from '#server/platform/single-flight.ts'

interface Health {
  readonly status: 'ok' | 'stopping' | 'unavailable'
  readonly version: string
  readonly role: string
  readonly database: 'ok' | 'unavailable'
}

const patienceMs = 3000

/** Monitors and load balancers that ask at the same moment share one query. */
const pings = createSingleFlight<unknown>()

/** Responds within a few seconds regardless of the database. */
async function getHealth(ctx: Services, role: string): Promise<Health> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`no response in ${patienceMs} ms`)), patienceMs)
  try {
    await Promise.race([pings(ctx.db, '', () => ctx.db.sql`select 1`), timer.promise])
    return { status: ctx.stopping.aborted ? 'stopping' : 'ok', version: ctx.version, role, database: 'ok' }
  } catch (error) {
    ctx.log.error({ err: error }, 'the database does not respond')
    return { status: 'unavailable', version: ctx.version, role, database: 'unavailable' }
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * 200 while this process accepts requests, otherwise 503, so that load balancers use another one. Requires no authentication, so it also
 * works if sessions cannot be looked up.
 */
export function health(app: FastifyInstance, services: Services, role: string): void {
  app.get('/api/health', async (_request, reply) => {
    const answer = await getHealth(services, role)
    return reply.code(answer.status === 'ok' ? 200 : 503).send(answer)
  })
}
