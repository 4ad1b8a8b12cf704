import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { activityExportContent } from '#server/transports/rest/activity-export.ts'
import { dataExportContent } from '#server/transports/rest/data-export.ts'
import { changePreview } from '#shared/features/operations/schema.ts'
import { codeSamples, sampleCall, sampleParameter } from '#server/transports/rest/code-samples.ts'
import type { DescribedCall } from '#server/transports/rest/code-samples.ts'
import { docsPage } from '#server/transports/rest/docs-page.ts'
import { isKnown, tagOf } from '#server/transports/rest/etag.ts'
import { describeField, describeFields } from '#server/transports/rest/describe-fields.ts'
import type { FieldContext } from '#server/transports/rest/describe-fields.ts'
import { apiGuide } from '#server/transports/rest/error-table.ts'
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

/** Serves `/api/openapi.json` and its page. The document is generated on the first request because the generator takes longer to load than the server to start. */
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
    'A unique key for this call. Repeating the call with the same key does not repeat the change: for 24 hours it returns the first response with `Idempotency-Replayed: true`. Failures are not stored. A different call with the same key fails with `idempotency_mismatch`; a concurrent one fails with `conflict`.',
  example: '2f1c9a52-8d3e-4b6f-9a51-0c7d2e8b4f60',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
} as const

const seconds = { type: 'integer', minimum: 1 } as const
/** Headers of rate-limited calls such as sign-ins. */
const limitHeaders = {
  'RateLimit-Limit': { description: 'Requests allowed per window. Sent with every response to a rate-limited call.', schema: seconds },
  'RateLimit-Remaining': {
    description: 'Requests left in the window; with several limits, for the one that is reached first',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: seconds },
  'Retry-After': { description: 'Seconds to wait before you repeat the call', schema: seconds },
} as const

const previewParameter = {
  name: 'preview',
  in: 'query',
  required: false,
  description: 'Return what the call would do and its warnings. Nothing is sent or stored.',
  schema: { type: 'boolean', default: false },
} as const
const { $schema: _, ...previewSchema } = z.toJSONSchema(changePreview)
const previewAnswer = { description: 'With `preview`: what the call would do', content: { 'application/json': { schema: previewSchema } } }

const fileContent: Readonly<Record<string, object>> = { 'activity.export': activityExportContent, 'me.export': dataExportContent }

/** The response of a call or, with `preview`, its preview. */
function withPreview(answer: object) {
  const { content } = answer as { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }
  const own = content?.['application/json']?.schema
  return {
    description: 'Done; with `preview`, what the call would do',
    content: { 'application/json': { schema: own === undefined ? previewSchema : { anyOf: [own, previewSchema] } } },
  }
}

const tags: Readonly<Record<string, string>> = {
  'API tokens': 'Tokens for scripts and assistants',
  'Abuse reports': 'Reports of abuse that Cloudflare received about domains',
  Accounts: 'Cloudflare accounts and their synchronization',
  'Activity log': 'Who changed what, and when',
  'DNS records': 'DNS records of one domain, and zone files',
  Domains: 'Domains, their settings, certificates, and cache',
  Groups: 'Groups of domains',
  Health: 'Health of the panel itself',
  History: 'Changes of a domain and how to revert them',
  'IP access': 'Rules of domains and accounts that block, challenge, or allow IP addresses, networks, countries, and AS numbers',
  Monitoring: 'Health of domains, incidents, alert channels, maintenance windows, and status pages',
  Operations: 'Bulk changes: preview, start, progress, pause, retry, and undo',
  'Origin certificates': 'Origin CA certificates, which Cloudflare trusts on the servers behind it',
  Profiles: 'Profiles of settings and records for domains',
  Redirects: 'Redirects of an account at Cloudflare',
  Registrars: 'Registrars, registered domains, and renewals',
  Registration: 'Buying domains, registrant contacts, and purchases',
  Rules: 'Rules of one domain at Cloudflare: WAF, redirects, cache, and others',
  Settings: 'Panel settings, for administrators with a session token, and system status',
  Sharing: 'Access of other users to resources',
  'Sign-in': 'Registration, sign-in, sessions, and your own profile',
  Trackers: 'Keitaro and Binom trackers, reconciliation, and reserve domains',
  Users: 'User administration, for administrators with a session token; API tokens have no administrative rights',
}

const operationShape = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: z.custom<JsonSchema>() }))
    .default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.custom<JsonSchema>() }) }) }).optional(),
})

/** The input that the examples of a call are generated from. */
export function describedCall(
  { method, path: procedure }: Pick<Route, 'method' | 'path'>,
  path: string,
  operation: unknown,
): DescribedCall {
  const { parameters, requestBody } = operationShape.parse(operation)
  return { method, path, procedure, parameters, body: requestBody?.content['application/json'].schema ?? null }
}

/** A parameter with its description and, if its format is not obvious, an example. */
function parameterWithTexts<Parameter extends object>(parameter: Parameter, context: FieldContext): Parameter {
  const read = z.looseObject({ name: z.string(), in: z.string(), schema: z.custom<JsonSchema>() }).safeParse(parameter)
  if (!read.success || read.data.in === 'header') return parameter
  const { name, schema } = read.data
  const description = describeField(name, schema, context)
  const example = sampleParameter(name, schema)
  return { ...parameter, ...(description !== undefined && { description }), ...(example !== undefined && { example }) }
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
    description: apiGuide(),
    tags: Object.keys(tags),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API token (`zd_…`) or a session token.' } },
    paths: {
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Check the health of the panel',
          security: [],
          tags: ['Health'],
          responses: {
            200: { description: 'The panel and its database are available', content: { 'application/json': { schema: health } } },
            431: { $ref: '#/components/responses/431' },
            503: {
              description: 'The database does not respond, or the process is shutting down',
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
      const answer = route.file ? { description: 'File', content: fileContent[route.path] ?? {} } : (made['200'] ?? { description: 'Done' })
      const previewed = previews.has(route.path)
      if (previewed) operation.parameters = [...(operation.parameters ?? []), previewParameter]
      const context = { procedure: route.path, path }
      const json =
        operation.requestBody !== undefined && 'content' in operation.requestBody
          ? operation.requestBody.content['application/json']
          : undefined
      if (json?.schema !== undefined) Object.assign(json, { schema: describeFields(json.schema as JsonSchema, context) })
      const described = describedCall(route, path, operation)
      const sample = sampleCall(described)
      if (json !== undefined) json.example = sample.body
      if (operation.parameters !== undefined)
        operation.parameters = operation.parameters.map((parameter) => parameterWithTexts(parameter, context))
      if (route.open) operation.security = []
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
  refusals.push([431, { description: 'body_too_large: the headers or the URL are too long', content: body }])
  return {
    ...document,
    info: { ...document.info, license: { name: 'MIT', identifier: 'MIT' } },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      ...document.components,
      schemas: { Error: error },
      headers: limitHeaders,
      responses: Object.fromEntries(refusals) as Record<string, object>,
    },
  }
}
