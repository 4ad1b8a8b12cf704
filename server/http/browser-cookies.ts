import type { FastifyInstance } from 'fastify'
import { hasXsrfCookie } from '#server/http/forgery-protection.ts'
import { isHttps } from '#server/http/own-paths.ts'
import type { BrowserCookies } from '#server/platform/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for programs: only pages of ours carry the XSRF cookie, and get more. */
    browserCookies: BrowserCookies | null
  }
}

/** The longest that browsers keep any. */
const maxAgeSeconds = 400 * 24 * 3600

/** `token`: in local storage, as the specification asks (R-AUT-04). */
export type BrowserSession = 'token' | 'cookie'

/** What a page sends as its token where the token is in the cookie. No token is that short. */
export const inCookie = 'cookie'

/** Cookies that no script can read. Behind HTTPS their names begin with `__Host-`, so that no other host of the domain can plant them. */
export function browserCookies(app: FastifyInstance, publicUrl: string, session: BrowserSession): void {
  app.decorateRequest('browserCookies', null)
  app.addHook('onRequest', async (request, reply) => {
    if (!hasXsrfCookie(request)) return
    const secure = isHttps(request, publicUrl)
    const nameOf = (name: string) => `${secure ? '__Host-' : ''}zonedeck-${name}`
    const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
    const set = (name: string, value: string) => void reply.setCookie(nameOf(name), value, { ...options, maxAge: maxAgeSeconds })
    request.browserCookies = {
      get: (name) => request.cookies[nameOf(name)] ?? null,
      set,
      clear: (name) => void reply.clearCookie(nameOf(name), options),
      keepSession(token) {
        if (session === 'token') return token
        set('session', token)
        return inCookie
      },
    }
  })
}
