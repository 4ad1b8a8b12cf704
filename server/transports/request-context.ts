import type { FastifyRequest } from 'fastify'
import { findTokenActor, isApiToken } from '#server/features/api-tokens/index.ts'
import { inCookie } from '#server/http/browser-cookies.ts'
import type { Limits } from '#server/platform/limiter.ts'
import type { UserActor } from '#server/platform/actor.ts'
import type { Services } from '#server/platform/context.ts'
import { inputOf } from '#server/transports/input-bounds.ts'
import { costlyCalls, costlyCallSemaphore } from '#server/transports/trpc/costly-calls.ts'
import type { RequestCtx } from '#server/transports/trpc/trpc.ts'
import { AppError } from '#shared/errors/app-error.ts'

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i

/**
 * The session from the cookie, for the panel's pages only: it needs a header that no foreign page can send, and if the browser reports the
 * request's origin, it must be the panel.
 */
async function findByCookie(services: Services, { headers, browserCookies }: FastifyRequest): Promise<UserActor | null> {
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') return null
  const token = browserCookies?.get('session')
  return token ? services.sessions.find(token) : null
}

async function lookUpCaller(services: Services, request: FastifyRequest): Promise<UserActor | null> {
  const token = bearer.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return null
  if (token === inCookie) return findByCookie(services, request)
  return isApiToken(token) ? findTokenActor(services, token, request.ip) : services.sessions.find(token)
}

const callers = new WeakMap<FastifyRequest, Promise<UserActor | null>>()

/** Identifies the caller before the body is read; the first context of the request reuses the result. */
export function findCaller(services: Services, request: FastifyRequest): Promise<UserActor | null> {
  const found = lookUpCaller(services, request)
  callers.set(request, found)
  return found
}

/** Caller, address and all dependencies of a use case. */
export async function requestContext(services: Services, request: FastifyRequest): Promise<RequestCtx> {
  const find = () => lookUpCaller(services, request)
  const actor = await (callers.get(request) ?? find())
  // A long response checks for each part whether its caller is still permitted.
  callers.delete(request)
  request.actorId = actor?.userId ?? null
  const limits: Limits = new Map()
  request.limits = limits
  return {
    ...services,
    // The request's logger, so that log lines of use cases carry the request id.
    log: request.log as Services['log'],
    actor,
    requestId: request.id,
    inputOf,
    limitConcurrency: (path, call) =>
      actor !== null && costlyCalls.has(path) ? costlyCallSemaphore(services)(actor.userId, call) : call(),
    limits,
    cookies: request.browserCookies,
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
    // The origin was verified before (forgery-protection.ts).
    origin: request.headers.origin ?? null,
    recheck: async () => {
      const now = await find()
      if (now === null || now.role !== actor?.role) throw new AppError('unauthorized')
      if (now.secondFactorDue === true) throw new AppError('second_factor_required')
    },
  }
}
