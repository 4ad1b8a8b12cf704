import type { FastifyInstance } from 'fastify'
import { readCalendarFeed } from '#server/features/registrars/index.ts'
import type { Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** `/api/renewals.ics?token=…`: for calendars, which send no headers of their own. The token stands in the query, which no log keeps. */
export function calendar(app: FastifyInstance, services: Services): void {
  app.get('/api/renewals.ics', async (request, reply) => {
    const { token } = request.query as Record<string, unknown>
    const content = typeof token === 'string' ? await readCalendarFeed(services, token) : null
    if (content === null) throw new AppError('not_found')
    return reply.type('text/calendar; charset=utf-8').header('cache-control', 'private, max-age=3600').send(content)
  })
}
