import type { FastifyInstance } from 'fastify'
import { hasXsrfCookie } from '#server/http/forgery-protection.ts'
import type { BrowserCookies } from '#server/platform/context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for programs: only pages of ours carry the XSRF cookie, and get more. */
    browserCookies: BrowserCookies | null
  }
}

/** The longest that browsers keep any. */
const maxAgeSeconds = 400 * 24 * 3600

/** Cookies that no script can read. Behind HTTPS their names begin with `__Host-`, so that no other host of the domain can plant them. */
export function browserCookies(app: FastifyInstance, publicUrl: string): void {
  app.decorateRequest('browserCookies', null)
  app.addHook('onRequest', async (request, reply) => {
    if (!hasXsrfCookie(request)) return
    const secure = publicUrl.startsWith('https:') || request.protocol === 'https'
    const nameOf = (name: string) => `${secure ? '__Host-' : ''}zonedeck-${name}`
    const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
    request.browserCookies = {
      get: (name) => request.cookies[nameOf(name)] ?? null,
      set: (name, value) => void reply.setCookie(nameOf(name), value, { ...options, maxAge: maxAgeSeconds }),
      clear: (name) => void reply.clearCookie(nameOf(name), options),
    }
  })
}
