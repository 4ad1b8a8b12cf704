import type { FastifyInstance } from 'fastify'
import { findCalendarOwner, readCalendar } from '#server/features/registrars/index.ts'
import type { Services } from '#server/platform/context.ts'
import { costlyCallSemaphore } from '#server/transports/trpc/costly-calls.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** `/api/renewals.ics?token=…`: for calendar apps, which cannot send headers. The token is in the query, which is never logged. */
export function calendar(app: FastifyInstance, services: Services): void {
  app.get('/api/renewals.ics', async (request, reply) => {
    const { token } = request.query as Record<string, unknown>
    const ownerId = typeof token === 'string' ? await findCalendarOwner(services, token) : null
    if (ownerId === null) throw new AppError('not_found')
    const content = await costlyCallSemaphore(services)(ownerId, () => readCalendar(services, ownerId))
    return reply.type('text/calendar; charset=utf-8').header('cache-control', 'private, max-age=3600').send(content)
  })
}
