import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTrpc } from '#server/http/own-paths.ts'
import type { Services } from '#server/platform/context.ts'
import { boundsOfCalls, mostBytes } from '#server/transports/input-bounds.ts'
import { findCaller } from '#server/transports/request-context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** What somebody who has not signed in may send: names, passwords and answers to challenges, no lists. */
export const strangersBodyLimit = 16 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nobody unknown may call the route: who they are is found out before anything of their body is read. */
    readonly signedIn?: boolean
    /** Members and elements of the body. */
    readonly mostValues?: number
  }
}

/** What the body is said to have; null where it is sent piece by piece. */
const lengthOf = ({ headers }: FastifyRequest): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null

/** The procedures that a request under `/trpc` names. */
export const namedCalls = ({ params }: FastifyRequest): readonly string[] => ((params as { path?: string }).path ?? '').split(',')

/**
 * Before the body is read: nobody unknown makes the server hold megabytes, whatever they call themselves, and nobody at all more than the calls
 * that they name can take.
 */
export function bodyLimits(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request) => {
    const length = lengthOf(request)
    if (length === 0) return
    const isSmall = length !== null && length <= strangersBodyLimit
    if (isSmall && request.routeOptions.config.signedIn !== true) return
    if (length !== null && length > limitOf(request)) throw new AppError('body_too_large')
    if ((await findCaller(services, request)) !== null) return
    throw new AppError(request.headers.authorization === undefined && !isSmall ? 'body_too_large' : 'unauthorized')
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    lengthOf(request) === null && isTrpc(request) ? body.pipe(noMoreThan(limitOf(request))) : body,
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
