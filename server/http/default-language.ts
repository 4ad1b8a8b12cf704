import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getPanelSettings } from '#server/features/settings/index.ts'
import { isHttps, isPage } from '#server/http/own-paths.ts'
import type { Services } from '#server/platform/context.ts'

const cookieName = 'DEFAULT-LANGUAGE'

/** Sends a page the language for visitors who have not chosen one; `boot.js` reads it before the first paint. */
export function defaultLanguage(app: FastifyInstance, services: Services, publicUrl: string): void {
  async function sendLanguage(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Without a database the page is still served and shows the problem.
    const settings = await getPanelSettings(services).catch(() => null)
    if (settings === null) return
    const wanted = settings.defaultLanguage === 'browser' ? undefined : settings.defaultLanguage
    if (request.cookies[cookieName] === wanted) return
    const attributes = { path: '/', sameSite: 'lax', secure: isHttps(request, publicUrl) } as const
    if (wanted === undefined) void reply.clearCookie(cookieName, attributes)
    else void reply.setCookie(cookieName, wanted, attributes)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPage(request) || request.headers.accept?.includes('text/html') !== true) return done()
    sendLanguage(request, reply).then(() => done(), done)
  })
}
