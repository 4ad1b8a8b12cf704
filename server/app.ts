import fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { browserCookies } from '#server/http/browser-cookies.ts'
import type { BrowserSession } from '#server/http/browser-cookies.ts'
import { clientFiles, readPages } from '#server/http/client-files.ts'
import { compression } from '#server/http/compression.ts'
import { databaseDeadline } from '#server/http/database-deadline.ts'
import { defaultLanguage } from '#server/http/default-language.ts'
import { forgeryProtection } from '#server/http/forgery-protection.ts'
import { health } from '#server/http/health.ts'
import { metrics } from '#server/http/metrics.ts'
import type { MetricsOptions } from '#server/http/metrics.ts'
import { knownHosts } from '#server/http/known-hosts.ts'
import { isPage } from '#server/http/own-paths.ts'
import { requestSpans } from '#server/http/request-spans.ts'
import { rateLimits } from '#server/http/rate-limits.ts'
import { noJsonSchemas } from '#server/http/no-json-schemas.ts'
import { newRequestId, requestLog } from '#server/http/request-log.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { bodyLimits } from '#server/transports/body-limits.ts'
import { mostBytes } from '#server/transports/input-bounds.ts'
import { refuseUnread } from '#server/transports/refuse-unread.ts'
import { sendError } from '#server/transports/send-error.ts'
import type { Services } from '#server/platform/context.ts'
import { calendar } from '#server/transports/rest/calendar.ts'
import { activityExport } from '#server/transports/rest/activity-export.ts'
import { dataExport } from '#server/transports/rest/data-export.ts'
import { openApi } from '#server/transports/rest/openapi.ts'
import { restRoutes } from '#server/transports/rest/rest-routes.ts'
import { trpcRoutes } from '#server/transports/trpc/trpc-routes.ts'
import { AppError } from '#shared/errors/app-error.ts'

export interface AppOptions {
  /** The panel's public URL; decides on HTTPS and the accepted origin. */
  readonly publicUrl: string
  /** Addresses or ranges of trusted reverse proxies whose `x-forwarded-*` headers are used. */
  readonly trustProxy: readonly string[]
  /** Where browsers keep their sessions; absent: `token`, in local storage. */
  readonly browserSession?: BrowserSession
  /** Whether browsers may keep the client for the next visit; absent: true. */
  readonly serviceWorker?: boolean
  /** The built client; null if it is not served. */
  readonly clientDir: string | null
  /** Absent: this process reports no metrics. */
  readonly metrics?: MetricsOptions
}

/** The complete web server, not yet listening; reads no environment. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    schemaController: noJsonSchemas,
    trustProxy: options.trustProxy.length === 0 ? false : [...options.trustProxy],
    bodyLimit: mostBytes,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // A tRPC batch names its procedures in one path segment.
    routerOptions: { maxParamLength: 2000 },
    frameworkErrors: (error, request, reply) => {
      void sendError(request, reply, error)
    },
    clientErrorHandler: refuseUnread(services),
  }) as unknown as FastifyInstance

  // Connections that become idle after closing has begun would delay it until their keep-alive timeout.
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const sweeping = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(sweeping))
  })

  app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
  const pages = options.clientDir === null ? null : await readPages(options.clientDir)
  app.setNotFoundHandler((request, reply) => {
    if (pages !== null && isPage(request)) return pages.send('index.html', request, reply)
    const url = request.url.replace(/\?.*$/s, '')
    // No address of the panel contains the special characters of route patterns.
    const allowed = /^\/[\w./-]*$/.test(url) ? ['GET', 'HEAD', 'POST'].filter((method) => app.hasRoute({ method, url })) : []
    if (allowed.length === 0) return sendError(request, reply, new AppError('not_found'))
    return sendError(request, reply.header('allow', allowed.join(', ')), new AppError('method_not_allowed'))
  })

  compression(app)
  requestSpans(app)
  requestLog(app, services)
  rateLimits(app)
  databaseDeadline(app, services)
  securityHeaders(app, options.publicUrl.startsWith('https:'))
  knownHosts(app, options.publicUrl)
  await forgeryProtection(app, options.publicUrl)
  browserCookies(app, options.publicUrl, options.browserSession ?? 'token')
  bodyLimits(app, services)
  defaultLanguage(app, services, options.publicUrl)
  health(app, services, options.metrics?.role ?? 'all')
  if (options.metrics !== undefined) metrics(app, services, options.metrics)
  openApi(app, services.version, options.publicUrl)
  await restRoutes(app, services)
  activityExport(app, services)
  dataExport(app, services)
  calendar(app, services)
  await trpcRoutes(app, services)
  if (options.clientDir !== null && pages !== null) await clientFiles(app, options.clientDir, pages, options.serviceWorker ?? true)
  return app
}
