import { isDeepStrictEqual } from 'node:util'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import { strangersBodyLimit } from '#server/transports/body-limits.ts'
import { disconnectSignal } from '#server/transports/disconnect-signal.ts'
import { boundsOf } from '#server/transports/input-bounds.ts'
import { assertJsonShape } from '#server/platform/json-shape.ts'
import { sendError } from '#server/transports/send-error.ts'
import type { Services } from '#server/platform/context.ts'
import { answerOnce } from '#server/platform/idempotency.ts'
import { requestContext } from '#server/transports/request-context.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { isKnown, tagOf } from '#server/transports/rest/etag.ts'
import { findUnknownFields } from '#server/transports/rest/find-unknown-fields.ts'
import { previews } from '#server/transports/rest/previews.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { mostIssues } from '#server/transports/trpc/trpc.ts'
import { AppError } from '#shared/errors/app-error.ts'

export interface Route {
  readonly path: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly url: string
  readonly status: number
  readonly type: 'query' | 'mutation'
  readonly input: z.core.$ZodType | undefined
  /** Changes data and supports `Idempotency-Key`. */
  readonly keyed: boolean
  /** Changes no data, so a read-only token may call it. */
  readonly reads: boolean
  /** Requires no authentication. */
  readonly open: boolean
  /** Served by a separate route as a file. */
  readonly file: boolean
}

/** The procedure that returns previews. */
const previewPath = 'operations.previewChange'

const everyMethod: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Calls that sign in or out, or return a secret once, some of them only after step-up authentication. A stored response would return the secret again
 * without it.
 */
const neverKeyed =
  /^(auth\.|(accounts|registrars|trackers)\.reveal$|me\.changePassword$|users\.createResetLink$|apiTokens\.create$|alerts\.(create|update)Channel$|registrars\.createCalendarFeed$|originCertificates\.(issue|reveal)$)/

/** Every procedure that declares a REST route. */
export function listRestRoutes(): Route[] {
  return listProcedures().flatMap(({ path, type, meta, input }) => {
    if (meta?.openapi === undefined || type === 'subscription') return []
    const { method } = meta.openapi
    const url = `/api${meta.openapi.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const keyed = type === 'mutation' && method !== 'GET' && !neverKeyed.test(path)
    const { status = 200, file = false } = meta.rest ?? {}
    const reads = type === 'query' || meta.forReaders === 'always'
    return [{ path, method, url, status, type, input, keyed, reads, open: meta.openapi.protect === false, file }]
  })
}

const refuse = (paths: readonly string[], message: string) =>
  new AppError('validation_failed', { issues: paths.slice(0, mostIssues).map((path) => ({ path, message })) })

/** `?preview=true` of a call about one domain. @throws AppError validation_failed */
function isPreview({ query }: FastifyRequest, { path }: Route): boolean {
  const { preview } = query as Record<string, unknown>
  if (preview === undefined || !previews.has(path)) return false
  if (preview === 'true' || preview === 'false') return preview === 'true'
  throw new AppError('validation_failed', { issues: [{ path: 'preview', message: 'invalid_choice', params: { values: 'true, false' } }] })
}

/** Parameters that the query of a mutation accepts; everything else belongs in the body, which proxies and browser histories do not store. */
const mayAsk = ({ method, type }: Route, name: string) => type === 'query' || method === 'DELETE' || name === 'preview'

/**
 * The input of a call from its path, query and body.
 * @throws AppError validation_failed for fields that are unknown, misplaced, or given twice with different values
 */
function inputOf(request: FastifyRequest, route: Route): unknown {
  const { body } = request
  const { preview, ...others } = request.query as Record<string, string | string[]>
  const given = preview === undefined || previews.has(route.path) ? others : { ...others, preview }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) throw new AppError('malformed_request')
  const query = coerceQuery(route.input, given)
  const misplaced = Object.keys(given).filter((name) => !mayAsk(route, name))
  if (misplaced.length > 0) throw refuse(misplaced, 'belongs_in_body')
  const bodyFields: Readonly<Record<string, unknown>> = { ...body }
  const input: Readonly<Record<string, unknown>> = { ...query, ...bodyFields, ...(request.params as Record<string, string>) }
  const unknown = findUnknownFields(route.input, body)
  if (unknown.length > 0) throw refuse(unknown, 'unrecognized_keys')
  const overruled = [query, bodyFields].flatMap((place) =>
    Object.keys(place).filter((name) => !isDeepStrictEqual(place[name], input[name])),
  )
  if (overruled.length > 0) throw refuse([...new Set(overruled)], 'conflicting_values')
  return route.input === undefined && Object.keys(input).length === 0 ? undefined : input
}

/**
 * The idempotency key; undefined if there is none or the call changes no data.
 * @throws AppError validation_failed for an invalid key, and for calls that do not support keys
 */
function idempotencyKeyOf(request: FastifyRequest, { type, keyed }: Route): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined || type === 'query') return undefined
  const key = String(given)
  if (!keyed) throw refuse(['Idempotency-Key'], 'idempotency_key_not_supported')
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw refuse(['Idempotency-Key'], 'invalid_idempotency_key')
}

/** Registers a REST route under `/api` for each procedure that declares one. It contains no business rules. */
export async function restRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    const parseJson = scope.getDefaultJsonParser('error', 'error')
    scope.removeAllContentTypeParsers()
    // Calls without input may have a JSON content type.
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body === '') return done(null)
      try {
        assertJsonShape(String(body), request.routeOptions.config.mostValues ?? 0)
      } catch (error) {
        return done(error as AppError)
      }
      return void parseJson(request, String(body), done)
    })

    // Unchanged data is answered with 304.
    scope.addHook('onSend', async (request, reply, payload) => {
      if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
      return isKnown(request, reply, tagOf(payload)) ? '' : payload
    })

    const routes = listRestRoutes()
    for (const route of routes) {
      if (route.file) continue
      const { bytes, values: mostValues } = boundsOf([route.input])
      scope.route({
        method: route.method,
        url: route.url,
        bodyLimit: route.open ? strangersBodyLimit : bytes,
        config: { signedIn: !route.open, mostValues },
        handler: async (request, reply) => {
          const signal = disconnectSignal(reply)
          const ctx = await requestContext(services, request)
          const input = inputOf(request, route)
          const plan = isPreview(request, route) ? previews.get(route.path) : undefined
          if (plan !== undefined && ctx.actor === null) throw new AppError('unauthorized')
          const asked = plan === undefined ? route : { path: previewPath, type: 'mutation' as const }
          const status = plan === undefined ? route.status : 200
          const call = async (): Promise<unknown> => {
            const answer: unknown = await callTRPCProcedure({
              router: appRouter,
              path: asked.path,
              type: asked.type,
              ctx,
              getRawInput: () => Promise.resolve(plan === undefined ? input : plan(input)),
              signal,
              batchIndex: 0,
            })
            return status === 204 ? undefined : answer
          }
          const key = idempotencyKeyOf(request, route)
          if (key === undefined || ctx.actor === null) {
            const answer = await call()
            return reply.code(status).send(answer)
          }
          // Keys belong to one token or session, because another one may have other permissions.
          const as = ctx.actor.via?.id ?? ctx.actor.sessionId
          const keyed = {
            userId: ctx.actor.userId,
            key,
            request: { as, method: route.method, path: route.url, input, ...(plan && { preview: true }) },
          }
          const {
            status: kept,
            text,
            replayed,
          } = await answerOnce(services, keyed, async () => {
            const answer = await call()
            return { status, text: answer === undefined ? null : JSON.stringify(answer) }
          })
          if (replayed) void reply.header('idempotency-replayed', 'true')
          void reply.code(kept)
          return text === null ? reply.send() : reply.type('application/json; charset=utf-8').send(text)
        },
      })
    }

    for (const [url, methods] of Map.groupBy(routes, (route) => route.url)) {
      const allowed = methods.map((route): string => route.method)
      scope.route({
        method: everyMethod.filter((method) => !allowed.includes(method)),
        url,
        onRequest: async (_request, reply) => {
          void reply.header('allow', allowed.join(', '))
          throw new AppError('method_not_allowed')
        },
        handler: (request, reply) => sendError(request, reply, new AppError('method_not_allowed')),
      })
    }
  })
}
