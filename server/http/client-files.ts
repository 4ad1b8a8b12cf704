import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The built client, as it was compressed at build time. Names under `/assets/` carry a hash and never change. */
export async function clientFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    index: ['index.html'],
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', '.vite/**'],
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

const ownPaths = /^\/(api|trpc|metrics|assets)(\/|\?|$)/

/** Whether an unknown path may be one of the client's own pages. */
export const isPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !ownPaths.test(request.url) &&
  (request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept))
