import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Accepts the panel's own name, IP addresses and localhost: any other name could be resolved to the panel by a foreign name server, whose
 * page would then count as ours. Health checks may use any name, as may metrics clients with a token, which no page has.
 */
export function knownHosts(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  app.addHook('onRequest', (request, _reply, done) => {
    const name = request.hostname.replace(/^\[|\]$/g, '').toLowerCase()
    if (name === own || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0) return done()
    if (request.url === '/api/health' || (request.url === '/metrics' && request.headers.authorization !== undefined)) return done()
    done(new AppError('origin_mismatch'))
  })
}
