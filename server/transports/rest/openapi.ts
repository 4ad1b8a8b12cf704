import type { FastifyInstance } from 'fastify'
import { appRouter } from '#server/transports/trpc/router.ts'

/** `/api/openapi.json`; made when first asked for, because its generator takes longer to load than the server to start. */
export function openApi(app: FastifyInstance, version: string, publicUrl: string): void {
  let text: string | null = null
  app.get('/api/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(await describe(version, publicUrl))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

async function describe(version: string, publicUrl: string) {
  const { generateOpenApiDocument } = await import('trpc-to-openapi')
  const health = { type: 'object', properties: { status: {}, version: { type: 'string' }, database: {} } } as const
  return generateOpenApiDocument(appRouter, {
    title: 'Zonedeck',
    version,
    openApiVersion: '3.1.0',
    baseUrl: `${publicUrl}/api`,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
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
}
