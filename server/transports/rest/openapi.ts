import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { activityExportContent } from '#server/transports/rest/activity-export.ts'
import { dataExportContent } from '#server/transports/rest/data-export.ts'
import { changePreview } from '#shared/features/operations/schema.ts'
import { codeSamples } from '#server/transports/rest/code-samples.ts'
import type { DescribedCall } from '#server/transports/rest/code-samples.ts'
import { docsPage } from '#server/transports/rest/docs-page.ts'
import { isKnown, tagOf } from '#server/transports/rest/etag.ts'
import { codesOfStatus, errorStatusesOf, restError } from '#server/transports/rest/rest-error.ts'
import { previews } from '#server/transports/rest/previews.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import type { Route } from '#server/transports/rest/rest-routes.ts'
import type { JsonSchema } from '#server/transports/rest/write-type.ts'
import { appRouter } from '#server/transports/trpc/router.ts'

interface Tagged {
  readonly text: string
  readonly tag: string
}
const tagged = (text: string): Tagged => ({ text, tag: tagOf(text) })

/** `/api/openapi.json` and its page; made when first asked for, because the generator takes longer to load than the server to start. */
export function openApi(app: FastifyInstance, version: string, publicUrl: string): void {
  let made: Promise<Tagged> | null = null
  let page: Tagged | null = null
  const document = () => (made ??= describe(version, publicUrl).then((described) => tagged(JSON.stringify(described))))
  const send = (request: FastifyRequest, reply: FastifyReply, type: string, { text, tag }: Tagged) =>
    isKnown(request, reply.type(`${type}; charset=utf-8`), tag) ? reply.send() : reply.send(text)
  app.get('/api/openapi.json', async (request, reply) => send(request, reply, 'application/json', await document()))
  app.get('/api/docs', async (request, reply) => {
    page ??= tagged(docsPage(JSON.parse((await document()).text)))
    return send(request, reply, 'text/html', page)
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

const seconds = { type: 'integer', minimum: 1 } as const
/** Of calls that are counted: sign-ins, and the like. */
const limitHeaders = {
  'RateLimit-Limit': { description: 'Tries in a window. Told with every answer to a call that is counted.', schema: seconds },
  'RateLimit-Remaining': {
    description: 'Tries that are left; of several limits the one that refuses next',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': { description: 'Seconds until the window is over', schema: seconds },
  'Retry-After': { description: 'Seconds until the call may come again', schema: seconds },
} as const

const previewParameter = {
  name: 'preview',
  in: 'query',
  required: false,
  description: 'The answer is what the call would do, with the warnings that go with it. Nothing is sent, and nothing is kept.',
  schema: { type: 'boolean', default: false },
} as const
const { $schema: _, ...previewSchema } = z.toJSONSchema(changePreview)
const previewAnswer = { description: 'With `preview`: what it would do', content: { 'application/json': { schema: previewSchema } } }

const fileContent: Readonly<Record<string, object>> = { 'activity.export': activityExportContent, 'me.export': dataExportContent }

/** Either of two answers. */
function withPreview(answer: object) {
  const { content } = answer as { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }
  const own = content?.['application/json']?.schema ?? {}
  return {
    description: 'Done; with `preview` what it would do',
    content: { 'application/json': { schema: { anyOf: [own, previewSchema] } } },
  }
}

const operationShape = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: z.custom<JsonSchema>() }))
    .default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.custom<JsonSchema>() }) }) }).optional(),
})

/** What the examples of a call are made from. */
export function describedCall(
  { method, path: procedure }: Pick<Route, 'method' | 'path'>,
  path: string,
  operation: unknown,
): DescribedCall {
  const { parameters, requestBody } = operationShape.parse(operation)
  return { method, path, procedure, parameters, body: requestBody?.content['application/json'].schema ?? null }
}

async function describe(version: string, publicUrl: string) {
  const { generateOpenApiDocument } = await import('trpc-to-openapi')
  const health = {
    type: 'object',
    properties: { status: {}, version: { type: 'string' }, role: { type: 'string' }, database: {} },
  } as const
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
            503: {
              description: 'The database does not answer, or the process is ending',
              content: { 'application/json': { schema: health } },
            },
          },
        },
      },
    },
  })
  const routes = new Map(listRestRoutes().map((route) => [`${route.method} ${route.url}`, route]))
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    const url = `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = operations[method]
      const route = routes.get(`${method.toUpperCase()} ${url}`)
      if (operation === undefined || route === undefined) continue
      if (route.keyed) operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
      const made: Readonly<Record<string, object>> = operation.responses ?? {}
      const answer = route.file
        ? { description: 'The file', content: fileContent[route.path] ?? {} }
        : (made['200'] ?? { description: 'Done' })
      const previewed = previews.has(route.path)
      if (previewed) operation.parameters = [...(operation.parameters ?? []), previewParameter]
      const described = describedCall(route, path, operation)
      Object.assign(operation, {
        'x-zonedeck-procedure': route.path,
        'x-zonedeck-reads': route.reads,
        'x-codeSamples': codeSamples(described, publicUrl),
      })
      const done = route.status === 204 ? { description: 'Done; no body' } : answer
      operation.responses = {
        ...(previewed && route.status !== 200 ? { 200: previewAnswer } : {}),
        [route.status]: previewed && route.status === 200 ? withPreview(done) : done,
        ...Object.fromEntries(errorStatusesOf(route.type).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      }
    }
  }
  const { $schema: _, ...error } = z.toJSONSchema(restError)
  const body = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const headers = Object.fromEntries(Object.keys(limitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  const refusals = errorStatusesOf('mutation').map((status) => [
    status,
    { description: codesOfStatus(status).join(', '), content: body, ...(status === 429 && { headers }) },
  ])
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { Error: error },
      headers: limitHeaders,
      responses: Object.fromEntries(refusals) as Record<string, object>,
    },
  }
}
