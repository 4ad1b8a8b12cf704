import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isTrpc } from '#server/http/own-paths.ts'
import type { Services } from '#server/platform/context.ts'
import { boundsOfCalls, mostBytes } from '#server/transports/input-bounds.ts'
import { findCaller } from '#server/transports/request-context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Limit for unauthenticated callers: names, passwords and challenge responses, no lists. */
export const strangersBodyLimit = 16 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route requires authentication, which is checked before any of the body is read. */
    readonly signedIn?: boolean
    /** Members and elements of the body. */
    readonly mostValues?: number
  }
}

/** Larger or chunked bodies are held in memory for few requests at a time. */
const largeBytes = 256 * 1024
export const mostLarge = { ofOne: 8, all: 32 }
const largeBodies = new WeakMap<Services['db'], Map<string, number>>()

/** @throws AppError too_many_attempts if the person, or all people together, are sending too many large bodies */
function holdLarge({ db }: Services, userId: string, reply: FastifyReply): void {
  const held = largeBodies.get(db) ?? new Map<string, number>()
  largeBodies.set(db, held)
  const own = held.get(userId) ?? 0
  const all = [...held.values()].reduce((sum, each) => sum + each, 0)
  if (own >= mostLarge.ofOne || all >= mostLarge.all) throw new AppError('too_many_attempts', { params: { retryAfterSeconds: 5 } })
  held.set(userId, own + 1)
  reply.raw.once('close', () => {
    const left = (held.get(userId) ?? 1) - 1
    if (left === 0) held.delete(userId)
    else held.set(userId, left)
  })
}

/** The declared length of the body; null if it is chunked. */
const lengthOf = ({ headers }: FastifyRequest): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null

/** Calls per request under `/trpc`; the client sends no more. */
export const maximumBatchSize = 20

/** The procedures named by a request under `/trpc`; names beyond a batch do not raise its limits. */
export const namedCalls = ({ params }: FastifyRequest): readonly string[] =>
  ((params as { path?: string }).path ?? '').split(',', maximumBatchSize + 1).slice(0, maximumBatchSize)

/**
 * Checked before the body is read: unauthenticated callers cannot make the server hold megabytes, and no one can send more than the named
 * calls accept.
 */
export function bodyLimits(app: FastifyInstance, services: Services): void {
  async function assertLimits(request: FastifyRequest, reply: FastifyReply, length: number | null): Promise<void> {
    const isSmall = length !== null && length <= strangersBodyLimit
    if (isSmall && request.routeOptions.config.signedIn !== true) return
    if (length !== null && length > limitOf(request)) throw new AppError('body_too_large')
    const caller = await findCaller(services, request)
    if (caller !== null) {
      if (length === null || length > largeBytes) holdLarge(services, caller.userId, reply)
      return
    }
    throw new AppError(request.headers.authorization === undefined && !isSmall ? 'body_too_large' : 'unauthorized')
  }
  app.addHook('onRequest', (request, reply, done) => {
    const length = lengthOf(request)
    if (length === 0) return done()
    assertLimits(request, reply, length).then(() => done(), done)
  })
  app.addHook('preParsing', (request, _reply, body, done) =>
    done(null, lengthOf(request) === null && isTrpc(request) ? body.pipe(noMoreThan(limitOf(request))) : body),
  )
}

const limitOf = (request: FastifyRequest): number =>
  isTrpc(request) ? boundsOfCalls(namedCalls(request)).bytes : Math.min(mostBytes, request.routeOptions.bodyLimit ?? mostBytes)

function noMoreThan(bytes: number): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > bytes) done(new AppError('body_too_large'))
      else done(null, chunk)
    },
  })
}
