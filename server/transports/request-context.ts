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
 * The session in the cookie, for pages of ours only: what names it is a header that no foreign page can send, and a browser that says
 * where a request comes from must say that it comes from here.
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

/** Who asks, before their body is read; the first context of the request need not look again. */
export function findCaller(services: Services, request: FastifyRequest): Promise<UserActor | null> {
  const found = lookUpCaller(services, request)
  callers.set(request, found)
  return found
}

/** Who asks, from where, and everything a use case may reach. */
export async function requestContext(services: Services, request: FastifyRequest): Promise<RequestCtx> {
  const find = () => lookUpCaller(services, request)
  const actor = await (callers.get(request) ?? find())
  // An answer of many parts finds out for each whether its caller still may.
  callers.delete(request)
  request.actorId = actor?.userId ?? null
  const limits: Limits = new Map()
  request.limits = limits
  return {
    ...services,
    // The server's own, made from ours for this request: lines of use cases name it.
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
    // Whether it is ours was looked at before (forgery-protection.ts).
    origin: request.headers.origin ?? null,
    recheck: async () => {
      const now = await find()
      if (now === null || now.role !== actor?.role) throw new AppError('unauthorized')
      if (now.secondFactorDue === true) throw new AppError('second_factor_required')
    },
  }
}
