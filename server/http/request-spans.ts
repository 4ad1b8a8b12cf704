import type { FastifyInstance } from 'fastify'
import { isTracing, readTraceparent, startSpan } from '#server/platform/tracing.ts'
import type { Span } from '#server/platform/tracing.ts'
import { isQuiet } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null without an exporter. */
    span: Span | null
  }
}

/** One span per request, in the caller's trace if it sends one; work of the request belongs to it. */
export function requestSpans(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, id } = request
    const route = request.routeOptions.url
    const attributes = { 'http.request.method': method, 'zonedeck.request.id': id, ...(route !== undefined && { 'http.route': route }) }
    const { traceparent } = headers as Readonly<Record<string, string | string[] | undefined>>
    // A duplicated header is ignored.
    const parent = typeof traceparent === 'string' ? readTraceparent(traceparent) : null
    request.span = isQuiet(request)
      ? null
      : startSpan(route === undefined ? method : `${method} ${route}`, { kind: 'server', attributes, parent })
    if (request.span === null) done()
    else request.span.run(done)
  })
  app.addHook('onResponse', async ({ span, actorId }, { statusCode }) => {
    span?.note({ 'http.response.status_code': statusCode, ...(actorId !== null && { 'user.id': actorId }) })
    if (statusCode >= 500) span?.fail(String(statusCode))
    span?.end()
  })
}
