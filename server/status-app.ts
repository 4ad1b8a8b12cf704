import fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { health } from '#server/http/health.ts'
import { metrics } from '#server/http/metrics.ts'
import type { MetricsOptions } from '#server/http/metrics.ts'
import { noJsonSchemas } from '#server/http/no-json-schemas.ts'
import { newRequestId } from '#server/http/request-log.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/platform/context.ts'
import { refuseUnread } from '#server/transports/refuse-unread.ts'
import { sendError } from '#server/transports/send-error.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** The routes of a process without the panel: health and metrics. */
export function buildStatusApp(services: Services, options: MetricsOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    schemaController: noJsonSchemas,
    requestTimeout: 10_000,
    forceCloseConnections: true,
    clientErrorHandler: refuseUnread(services),
  }) as unknown as FastifyInstance
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  app.setNotFoundHandler((request, reply) => sendError(request, reply, new AppError('not_found')))
  securityHeaders(app, false)
  health(app, services, options.role)
  metrics(app, services, options)
  return app
}
