import { isDeepStrictEqual } from 'node:util'
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import type { z } from 'zod'
import { strangersBodyLimit } from '#server/transports/body-limits.ts'
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
import { isTooDeep } from '#server/transports/trpc/is-too-deep.ts'
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
  /** Changes something and obeys `Idempotency-Key`. */
  readonly keyed: boolean
  /** Changes nothing that anybody has: a token that only reads may call it. */
  readonly reads: boolean
  /** For everybody, signed in or not. */
  readonly open: boolean
  /** Sent by a route of its own. */
  readonly file: boolean
}

/** Who answers a preview. */
const previewPath = 'operations.previewChange'

const everyMethod: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * They sign somebody in or out, or answer with a secret that is shown once, perhaps only after step-up authentication: a kept answer would show it again
 * without that.
 */
const neverKeyed =
  /^(auth\.|(accounts|registrars|trackers)\.reveal$|me\.changePassword$|users\.createResetLink$|apiTokens\.create$|alerts\.(create|update)Channel$|registrars\.createCalendarFeed$)/

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

/** What the query of a call that changes something may say; the rest belongs in its body, which no proxy and no history keeps. */
const mayAsk = ({ method, type }: Route, name: string) => type === 'query' || method === 'DELETE' || name === 'preview'

/**
 * All that a call is told, from its path, its query and its body.
 * @throws AppError validation_failed for what is unknown, stands where it should not, or is told twice and differs
 */
function inputOf(request: FastifyRequest, route: Route): unknown {
  const { body } = request
  const { preview, ...others } = request.query as Record<string, string | string[]>
  const given = preview === undefined || previews.has(route.path) ? others : { ...others, preview }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) throw new AppError('malformed_request')
  const query = coerceQuery(route.input, given)
  const misplaced = Object.keys(given).filter((name) => !mayAsk(route, name))
  if (misplaced.length > 0) throw refuse(misplaced, 'belongs_in_body')
  const told: Readonly<Record<string, unknown>> = { ...body }
  const input: Readonly<Record<string, unknown>> = { ...query, ...told, ...(request.params as Record<string, string>) }
  if (isTooDeep(input)) throw refuse([''], 'too_deep')
  const unknown = findUnknownFields(route.input, body)
  if (unknown.length > 0) throw refuse(unknown, 'unrecognized_keys')
  const overruled = [query, told].flatMap((place) => Object.keys(place).filter((name) => !isDeepStrictEqual(place[name], input[name])))
  if (overruled.length > 0) throw refuse([...new Set(overruled)], 'told_twice')
  return route.input === undefined && Object.keys(input).length === 0 ? undefined : input
}

/**
 * The caller's name for this call; undefined where none was given, or where it only reads and may be asked as often as one likes.
 * @throws AppError validation_failed for a name that is none, or of a call that would do again what it did
 */
function idempotencyKeyOf(request: FastifyRequest, { type, keyed }: Route): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined || type === 'query') return undefined
  const key = String(given)
  if (!keyed) throw refuse(['Idempotency-Key'], 'idempotency_key_not_taken')
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw refuse(['Idempotency-Key'], 'invalid_idempotency_key')
}

/** REST under `/api`: a route for each procedure that declares one. No rule lives here. */
export async function restRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    const parseJson = scope.getDefaultJsonParser('error', 'error')
    scope.removeAllContentTypeParsers()
    // Calls without input may still say that they send JSON.
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body === '') return done(null)
      try {
        assertJsonShape(String(body), request.routeOptions.config.mostValues ?? 0)
      } catch (error) {
        return done(error as AppError)
      }
      return void parseJson(request, String(body), done)
    })

    // Who asks again for what has not changed is told so, and gets it once.
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
          const abort = new AbortController()
          reply.raw.once('close', () => abort.abort())
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
              signal: abort.signal,
              batchIndex: 0,
            })
            return status === 204 ? undefined : answer
          }
          const key = idempotencyKeyOf(request, route)
          if (key === undefined || ctx.actor === null) {
            const answer = await call()
            return reply.code(status).send(answer)
          }
          // A token or session gets no answer that was given to another one, which may have been allowed more.
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
