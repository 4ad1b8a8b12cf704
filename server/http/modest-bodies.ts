import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors/app-error.ts'

/** What somebody who has not signed in may send: names, passwords and answers to challenges, no lists. */
export const strangersBodyLimit = 16 * 1024

/** Before the body is read: nobody unknown makes the server hold megabytes. */
export function modestBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.authorization !== undefined) return
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > strangersBodyLimit) {
      throw new AppError('body_too_large')
    }
  })
}
