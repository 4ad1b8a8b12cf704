import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** The built client, as it was compressed at build time. Names under `/assets/` carry a hash and never change. */
export async function clientFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    index: ['index.html'],
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/.*', '**/.*/**'],
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
