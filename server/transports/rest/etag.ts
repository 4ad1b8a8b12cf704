import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A strong ETag: a hash of the bytes. */
export const tagOf = (text: string): string => `"${createHash('sha1').update(text).digest('base64url')}"`

/** Whether `If-None-Match` contains this tag; `*` matches any. */
const asksFor = (given: string | undefined, tag: string): boolean =>
  given !== undefined && given.length < 2_000 && given.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')))

/** Sets the ETag of a response. Returns true if the client has it already: the response is 304 without a body. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  void reply.header('etag', tag)
  if (!asksFor(request.headers['if-none-match'], tag)) return false
  void reply.code(304).removeHeader('content-length').removeHeader('content-type')
  return true
}
