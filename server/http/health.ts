import type { FastifyInstance } from 'fastify'
import { getHealth } from '#server/features/health/get-health.ts'
import type { Services } from '#server/platform/context.ts'

/** Asks nobody who they are, so that it answers also when sessions cannot be looked up. */
export function health(app: FastifyInstance, services: Services): void {
  app.get('/api/health', async (_request, reply) => {
    const answer = await getHealth(services)
    return reply.code(answer.status === 'ok' ? 200 : 503).send(answer)
  })
}
