import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isHttps, isTrpc } from '#server/http/own-paths.ts'
import { hasPossibleHost } from '#shared/possible-host.ts'
import { AppError } from '#shared/errors/app-error.ts'

const cookieName = 'XSRF-TOKEN'
/** The maximum cookie lifetime in browsers. */
export const maxCookieSeconds = 400 * 24 * 3600
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
const wellFormed = /^[\w-]{22}$/

const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * The panel's pages send its own origin; API clients send none. The request's own host is accepted only if it is an IP address or
 * localhost: any other name could be resolved by a foreign name server.
 */
function sameOrigin(request: FastifyRequest, publicOrigin: string): boolean {
  const origin = request.headers.origin
  if (origin === undefined || origin === publicOrigin) return true
  // The header may contain anything, and no page of the panel has such a host.
  if (!hasPossibleHost(origin) || !URL.canParse(origin)) return false
  const { host, hostname } = new URL(origin)
  return host === request.host && (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
}

const isPresent = (token: string | undefined): token is string => token !== undefined && wellFormed.test(token)

/** Whether a page of the panel is calling: API clients have no XSRF cookie. */
export const hasXsrfCookie = ({ cookies }: FastifyRequest): boolean => isPresent(cookies[cookieName])

/**
 * A change must come from the panel's own origin and, if the browser sends cookies, repeat the XSRF cookie in a header, which no foreign
 * page can read. The cookie is set with pages and tRPC responses.
 */
export async function forgeryProtection(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(cookie)
  const publicOrigin = new URL(publicUrl).origin
  app.addHook('onRequest', (request, reply, done) => {
    const token = request.cookies[cookieName]
    const present = isPresent(token)
    const page = safe.has(request.method) && request.headers.accept?.includes('text/html') === true
    // A page extends its lifetime.
    if (page || (!present && isTrpc(request))) {
      void reply.setCookie(cookieName, present ? token : randomBytes(16).toString('base64url'), {
        path: '/',
        sameSite: 'strict',
        secure: isHttps(request, publicUrl),
        // The next visit may get its page from the service worker.
        maxAge: maxCookieSeconds,
      })
    }
    if (safe.has(request.method)) return done()
    if (!sameOrigin(request, publicOrigin)) return done(new AppError('origin_mismatch'))
    if (request.headers.cookie === undefined) return done()
    const given = request.headers['x-xsrf-token']
    if (!present || typeof given !== 'string' || !equal(given, token)) return done(new AppError('xsrf_mismatch'))
    done()
  })
}
