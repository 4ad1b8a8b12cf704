import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

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
export function requestLog(app: FastifyInstance): void {
  app.decorateRequest('actorId', null)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const quiet = reply.statusCode < 400 && isQuiet(request)
    const route = request.routeOptions.url
    // 502 and similar statuses report a fault of the provider or its credential, not of the panel.
    request.log[quiet ? 'debug' : reply.statusCode === 500 ? 'error' : 'info'](
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
  })
}
