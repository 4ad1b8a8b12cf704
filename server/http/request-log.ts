import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/platform/context.ts'

/** Always generated here: an id sent by a caller would be written to the log. */
export const newRequestId = (): string => randomUUID()

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user, once looked up; for the log. */
    actorId: string | null
  }
}

/** Requested constantly, by monitoring and by every page. */
export const isQuiet = ({ url }: Pick<FastifyRequest, 'url'>): boolean =>
  url === '/api/health' || url === '/metrics' || /^\/(assets\/|boot\.js|favicon)/.test(url)

/** One line per request, without query strings and bodies, which may contain user input. */
export function requestLog(app: FastifyInstance, { log }: Pick<Services, 'log'>): void {
  app.decorateRequest('actorId', null)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const quiet = reply.statusCode < 400 && isQuiet(request)
    const route = request.routeOptions.url
    // 502 and similar statuses report a fault of the provider or its credential, not of the panel.
    const level = quiet ? 'debug' : reply.statusCode === 500 ? 'error' : 'info'
    if (log.isLevelEnabled(level)) {
      request.log[level](
        {
          method: request.method,
          path: request.url.replace(/\?.*$/s, '').slice(0, 300),
          ...(route !== undefined && { route }),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          address: request.ip,
          ...(request.actorId !== null && { actorId: request.actorId }),
          ...(request.span !== null && { traceId: request.span.context.traceId }),
        },
        'request',
      )
    }
    done()
  })
}
