import type { FastifyRequest } from 'fastify'

/** Whether cookies must be `Secure` because the panel's address uses HTTPS. */
export const isHttps = (request: FastifyRequest, publicUrl: string): boolean =>
  publicUrl.startsWith('https:') || request.protocol === 'https'

export const isTrpc = (request: FastifyRequest): boolean => request.url.startsWith('/trpc/') || request.url === '/trpc'

/** Whether the response contains user data, which no intermediary may cache. */
export const isData = (request: FastifyRequest): boolean => request.url.startsWith('/api') || request.url.startsWith('/trpc')

const notPages = /^\/(api|trpc|metrics|assets)(\/|\?|$)/

/** Whether an unknown path may be one of the client's own pages. */
export const isPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !notPages.test(request.url) &&
  (request.headers.accept === undefined || /text\/html|\*\/\*/.test(request.headers.accept))
