import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Smaller answers fit in a few packets. */
const leastBytes = 2_048
/** Higher levels take several times as long for a few percent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const codings = [
  ['br', (text: string) => promisify(brotliCompress)(text, brotliOptions)],
  ['gzip', (text: string) => promisify(gzip)(text)],
] as const

/** Whether the client accepts `coding`; a refusal is `br;q=0`. */
export const acceptsCoding = ({ headers }: Pick<FastifyRequest, 'headers'>, coding: string): boolean =>
  (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((each) => each.trim())
      return name === coding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
    })

function vary(reply: FastifyReply): void {
  const given = reply.getHeader('vary')
  void reply.header('vary', given === undefined ? 'accept-encoding' : `${String(given)}, accept-encoding`)
}

/**
 * Compresses JSON answers of the routes registered after it, in a thread of its own. Streams are left as they are: events must not wait for
 * a full block.
 */
export function compression(app: FastifyInstance): void {
  // The hooks of a route run last, so an entity tag is that of the uncompressed text.
  app.addHook('onRoute', (route) => {
    const compress = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
      if ((!isJson && reply.statusCode !== 304) || reply.hasHeader('content-encoding')) return payload
      vary(reply)
      const [coding, encode] = codings.find(([each]) => acceptsCoding(request, each)) ?? []
      if (typeof payload !== 'string' || payload.length < leastBytes || encode === undefined) return payload
      const compressed = await encode(payload)
      // The bytes differ from those of the plain answer, its content does not.
      const etag = reply.getHeader('etag')
      if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`)
      void reply.header('content-encoding', coding).removeHeader('content-length')
      return compressed
    }
    route.onSend = [route.onSend ?? []].flat().concat(compress)
  })
}
