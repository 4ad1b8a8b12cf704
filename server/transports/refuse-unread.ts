import type { Socket } from 'node:net'
import { newRequestId } from '#server/http/request-log.ts'
import type { Services } from '#server/platform/context.ts'
import { codeOfStatus, unreadableText } from '#server/transports/send-error.ts'
import { errorText } from '#server/transports/error-texts.ts'
import type { RestError } from '#server/transports/rest/rest-error.ts'

const refused = { status: 400, reason: 'Bad Request' }
const refusedFor: Readonly<Record<string, typeof refused>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large' },
}

/**
 * Errors raised by Node before a request exists: conflicting lengths, an unknown method, headers over 16 kB, an incomplete request. The
 * response has the common error format, with an id that is in the log.
 */
export const refuseUnread =
  ({ log }: Pick<Services, 'log'>) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const { status, reason } = refusedFor[error.code ?? ''] ?? refused
    const code = codeOfStatus[status] ?? 'malformed_request'
    const requestId = newRequestId()
    log.info({ requestId, status, fault: error.code, address: socket.remoteAddress }, 'failed to parse a request')
    const message = code === 'malformed_request' ? unreadableText : errorText({ code, params: {}, provider: undefined })
    const body = JSON.stringify({ code, message, requestId } satisfies RestError)
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `x-request-id: ${requestId}`,
    ]
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy(error)
  }
