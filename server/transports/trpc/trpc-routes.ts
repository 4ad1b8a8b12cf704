import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { maximumBatchSize, namedCalls } from '#server/transports/body-limits.ts'
import { disconnectSignal } from '#server/transports/disconnect-signal.ts'
import { boundsOfCalls } from '#server/transports/input-bounds.ts'
import { assertJsonShape } from '#server/platform/json-shape.ts'
import { assertBatchCost } from '#server/transports/trpc/costly-calls.ts'
import { answerPlainCalls, readPlainCalls } from '#server/transports/trpc/plain-calls.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { describeError } from '#server/transports/trpc/trpc.ts'
import { AppError } from '#shared/errors/app-error.ts'

const answered: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const names = /^[\w.,]+$/

/** tRPC under `/trpc`; JSON only. */
export async function trpcRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(
    async (scope) => {
      // tRPC parses the text itself.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
        try {
          assertJsonShape(String(body), boundsOfCalls(namedCalls(request)).values)
          done(null, body)
        } catch (error) {
          done(error as AppError)
        }
      })
      // Errors raised by the library before parsing a call are JSON labeled as text.
      scope.addHook('onSend', (_request, _reply, payload, done) => {
        if (payload instanceof Response && payload.headers.get('content-type')?.startsWith('text/plain') === true)
          payload.headers.set('content-type', 'application/json')
        done()
      })
      const logError = (request: FastifyRequest) => (error: Error, path: string | undefined) => {
        const { code } = describeError(error, null)
        if (code === 'internal') request.log.error({ err: error, procedure: path }, 'the call failed')
        else if (code.startsWith('database_'))
          request.log.warn({ err: error, procedure: path }, 'the call failed because the database is unavailable')
      }
      scope.all<{ Params: { path: string } }>('/:path', async (request, reply) => {
        // The library cannot represent every method (TRACE), and decodes a path twice.
        if (!answered.has(request.method)) {
          void reply.header('allow', [...answered].join(', '))
          throw new AppError('method_not_allowed')
        }
        if (!names.test(request.params.path)) throw new AppError('not_found')
        assertBatchCost(namedCalls(request))
        const plain = readPlainCalls(request, maximumBatchSize)
        // If even that fails, the library sends its own format.
        const ctx = plain === null ? null : await requestContext(services, request).catch(() => null)
        if (plain !== null && ctx !== null) {
          const { status, body } = await answerPlainCalls(plain, ctx, { signal: disconnectSignal(reply), onError: logError(request) })
          return reply.code(status).header('content-type', 'application/json').header('vary', 'trpc-accept, accept').send(body)
        }
        return fastifyRequestHandler({
          router: appRouter,
          req: request,
          res: reply,
          path: request.params.path,
          maxBatchSize: maximumBatchSize,
          // Filters and pasted lists exceed URL limits, and stay out of logs in a body.
          allowMethodOverride: true,
          createContext: () => requestContext(services, request),
          onError: ({ error, path }) => logError(request)(error, path),
        })
      })
    },
    { prefix: '/trpc' },
  )
}
