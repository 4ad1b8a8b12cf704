import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A strong tag: the same for the same bytes, and for no others. */
export const tagOf = (text: string): string => `"${createHash('sha1').update(text).digest('base64url')}"`

/** Whether one of the tags that a caller has is this one; `*` stands for any. */
const asksFor = (given: string | undefined, tag: string): boolean =>
  given !== undefined && given.length < 2_000 && given.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')))

/** Tells the tag of an answer. Whoever has it already is answered 304: true, and nothing is to be sent. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  void reply.header('etag', tag)
  if (!asksFor(request.headers['if-none-match'], tag)) return false
  void reply.code(304).removeHeader('content-length').removeHeader('content-type')
  return true
}
