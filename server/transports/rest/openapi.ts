import type { FastifyInstance } from 'fastify'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { appRouter } from '#server/transports/trpc/router.ts'

/** `/api/openapi.json`; made when first asked for, because its generator takes longer to load than the server to start. */
export function openApi(app: FastifyInstance, version: string, publicUrl: string): void {
  let text: string | null = null
  app.get('/api/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(await describe(version, publicUrl))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Your own name for this call. The same call with the same key is done once: for 24 hours it is answered as the first time, with `Idempotency-Replayed: true`. Failures are not kept. Another call with the same key is refused with `idempotency_mismatch`; while the first is being answered, with `conflict`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
} as const

async function describe(version: string, publicUrl: string) {
  const { generateOpenApiDocument } = await import('trpc-to-openapi')
  const health = { type: 'object', properties: { status: {}, version: { type: 'string' }, database: {} } } as const
  const document = generateOpenApiDocument(appRouter, {
    title: 'Zonedeck',
    version,
    openApiVersion: '3.1.0',
    baseUrl: `${publicUrl}/api`,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in, or an API token.' } },
    paths: {
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Whether the panel and its database answer',
          tags: ['Health'],
          responses: {
            200: { description: 'It works', content: { 'application/json': { schema: health } } },
            503: { description: 'The database does not answer', content: { 'application/json': { schema: health } } },
          },
        },
      },
    },
  })
  const keyed = new Set(listRestRoutes().flatMap(({ keyed, method, url }) => (keyed ? [`${method} ${url}`] : [])))
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    const url = `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const operation = operations[method]
      if (operation === undefined || !keyed.has(`${method.toUpperCase()} ${url}`)) continue
      operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
    }
  }
  return document
}
