import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'

interface Health {
  readonly status: 'ok' | 'unavailable'
  readonly version: string
  readonly database: 'ok' | 'unavailable'
}

const patienceMs = 3000

/** Always answers within a few seconds, however the database is. */
async function getHealth(ctx: Services): Promise<Health> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs)
  try {
    await Promise.race([ctx.db.sql`select 1`, timer.promise])
    return { status: 'ok', version: ctx.version, database: 'ok' }
  } catch (error) {
    ctx.log.error({ err: error }, 'the database does not answer')
    return { status: 'unavailable', version: ctx.version, database: 'unavailable' }
  } finally {
    clearTimeout(timeout)
  }
}

/** Asks nobody who they are, so that it answers also when sessions cannot be looked up. */
export function health(app: FastifyInstance, services: Services): void {
  app.get('/api/health', async (_request, reply) => {
    const answer = await getHealth(services)
    return reply.code(answer.status === 'ok' ? 200 : 503).send(answer)
  })
}
