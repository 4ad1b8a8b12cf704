import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTrpc } from '#server/http/own-paths.ts'
import { errorText, issueText } from '#server/transports/error-texts.ts'
import type { RestError } from '#server/transports/rest/rest-error.ts'
import { describeError } from '#server/transports/trpc/trpc.ts'
import type { ErrorData } from '#server/transports/trpc/trpc.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

/** Error codes of errors from Node or Fastify. */
export const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'malformed_request',
  413: 'body_too_large',
  414: 'body_too_large',
  415: 'unsupported_media_type',
  431: 'body_too_large',
  503: 'shutting_down',
}

/** For API clients, which cannot reload a page. */
export const unreadableText = 'The request could not be read. The body must be a JSON object, and the URL must be valid.'

/** Errors with a shared code but their own status: long URL, long headers. */
const ownStatuses: ReadonlySet<unknown> = new Set([414, 431])
const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && ownStatuses.has(error.statusCode) ? Number(error.statusCode) : undefined

/** Errors of the web server itself (a body too large, invalid JSON), with texts of our catalog. */
function known(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('statusCode' in error)) return error
  const code = codeOfStatus[Number(error.statusCode)]
  return code === undefined ? error : new AppError(code, { cause: error })
}

/** The English text for API clients; some texts of the panel refer to its pages. */
function textFor(request: FastifyRequest, data: ErrorData): string {
  if (data.code === 'malformed_request') return unreadableText
  if (data.code === 'not_found' && request.is404) return 'This endpoint does not exist. See /api/docs for the available endpoints.'
  if (data.code === 'conflict' && data.issues === undefined)
    return 'The resource has changed since you read it. Read it again, then repeat the request.'
  if (data.code === 'unauthorized' && request.headers.authorization === undefined) {
    return 'Authentication required. Get a token from POST /api/auth/login and send it as "Authorization: Bearer …".'
  }
  if (data.code === 'unauthorized') return 'The token is invalid, expired or revoked.'
  return errorText(data)
}

/** REST's error body, or the tRPC envelope for tRPC callers. Never contains a stack or an unknown error's text. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const data = describeError(known(error), request.id)
  if (data.code === 'internal') request.log.error({ err: error }, 'the request failed')
  else if (data.code.startsWith('database_')) request.log.warn({ err: error }, 'the request failed because the database is unavailable')
  void reply.code(statusOf(error) ?? data.httpStatus)
  const { retryAfterSeconds } = data.params
  if (typeof retryAfterSeconds === 'number') {
    void reply.header('retry-after', String(retryAfterSeconds))
    if (data.httpStatus === 429) void reply.headers({ 'ratelimit-remaining': '0', 'ratelimit-reset': String(retryAfterSeconds) })
  }
  if (isTrpc(request)) return reply.send({ error: { message: data.code, code: data.httpStatus >= 500 ? -32603 : -32600, data } })
  const { code, params, issues, provider, requestId } = data
  const body: RestError = {
    code,
    message: textFor(request, data),
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(issues === undefined
      ? {}
      : { issues: issues.map((issue) => ({ path: issue.path, message: issueText(issue.message, issue.params) })) }),
    ...(provider === undefined ? {} : { provider }),
    requestId: requestId ?? request.id,
  }
  return reply.send(body)
}
