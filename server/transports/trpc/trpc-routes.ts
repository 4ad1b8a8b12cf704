import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/platform/context.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { describeError } from '#server/transports/trpc/trpc.ts'

/** Calls in one HTTP request; the client sends no more. */
export const maximumBatchSize = 20

/** tRPC under `/trpc`; JSON only. */
export async function trpcRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(
    async (scope) => {
      // tRPC reads the text itself.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
      scope.all<{ Params: { path: string } }>('/:path', (request, reply) =>
        fastifyRequestHandler({
          router: appRouter,
          req: request,
          res: reply,
          path: request.params.path,
          maxBatchSize: maximumBatchSize,
          // Filters and pasted lists outgrow an address, and stay out of logs this way.
          allowMethodOverride: true,
          createContext: () => requestContext(services, request),
          onError: ({ error, path }) => {
            if (describeError(error, null).code === 'internal') request.log.error({ err: error, procedure: path }, 'the call failed')
          },
        }),
      )
    },
    { prefix: '/trpc' },
  )
}
