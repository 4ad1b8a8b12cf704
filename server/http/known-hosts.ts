import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Only by the panel's own name, by an address or as localhost: any other name may have been pointed here by a stranger's name server,
 * and their page would count as ours. Anyone who looks whether it lives may call it anything, and so may a
 * program that reads metrics with a token, which no page has.
 */
export function knownHosts(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).hostname
  app.addHook('onRequest', async (request) => {
    const name = request.hostname.replace(/^\[|\]$/g, '').toLowerCase()
    if (name === own.replace(/^\[|\]$/g, '') || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0) return
    if (request.url === '/api/health' || (request.url === '/metrics' && request.headers.authorization !== undefined)) return
    throw new AppError('origin_mismatch')
  })
}
