import type { FastifyInstance } from 'fastify'
import { hasXsrfCookie, maxCookieSeconds } from '#server/http/forgery-protection.ts'
import { isHttps } from '#server/http/own-paths.ts'
import type { BrowserCookies } from '#server/platform/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for API clients: only the panel's pages send the XSRF cookie. */
    browserCookies: BrowserCookies | null
  }
}

/** `token`: in local storage, as specified by R-AUT-04. */
export type BrowserSession = 'token' | 'cookie'

/** The value a page sends as its token if the token is in the cookie. Real tokens are longer. */
export const inCookie = 'cookie'

/** Cookies that scripts cannot read. Over HTTPS their names start with `__Host-`, so that no other host of the domain can set them. */
export function browserCookies(app: FastifyInstance, publicUrl: string, session: BrowserSession): void {
  app.decorateRequest('browserCookies', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasXsrfCookie(request)) return done()
    const secure = isHttps(request, publicUrl)
    const nameOf = (name: string) => `${secure ? '__Host-' : ''}zonedeck-${name}`
    const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
    const set = (name: string, value: string) => void reply.setCookie(nameOf(name), value, { ...options, maxAge: maxCookieSeconds })
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
    done()
  })
}
