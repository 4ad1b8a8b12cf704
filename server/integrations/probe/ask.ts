import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { codeOf, plain, ProbeError } from './probe-error.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Raw bytes, up to the requested length. */
  readonly body: Buffer
  readonly firstByteMs: number
}

export interface Question {
  /** As in the `Host` header. */
  readonly host: string
  readonly path: string
  readonly address: string
  readonly cookie: string | null
  /** The requested length of the body by status: the connection is closed then. */
  bytesWanted(status: number): number
}

const mostHeaderBytes = 64 * 1024
/** `103 Early Hints` may occur more than once. */
const mostContinues = 20
const userAgent = 'Mozilla/5.0 (compatible; Zonedeck; domain monitoring)'

/**
 * One GET over an open connection, which cannot be reused.
 * @throws Trouble
 */
export function ask(socket: Socket, question: Question, isTimeUp: () => ProbeError | null): Promise<Answer> {
  const startedAtMs = performance.now()
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(isTimeUp() ?? answerTrouble(error, question.address))
      socket.destroy()
    }
    const asked = request({
      createConnection: () => socket,
      method: 'GET',
      path: question.path,
      headers: {
        host: question.host,
        'user-agent': userAgent,
        accept: 'text/html,*/*;q=0.8',
        'accept-encoding': 'identity',
        ...(question.cookie !== null && { cookie: question.cookie }),
        connection: 'close',
      },
      maxHeaderSize: mostHeaderBytes,
      // As lenient as browsers.
      insecureHTTPParser: true,
    })
    asked.once('error', fail)
    let continues = 0
    asked.on('information', () => {
      continues += 1
      if (continues > mostContinues) fail(new ProbeError('not_http', { address: question.address, error: '1xx' }))
    })
    asked.once('upgrade', () => fail(new ProbeError('not_http', { address: question.address, error: '101' })))
    asked.once('response', (response) => {
      const firstByteMs = performance.now() - startedAtMs
      const status = response.statusCode ?? 0
      readBody(response, question.bytesWanted(status)).then((body) => {
        socket.destroy()
        resolve({ status, headers: response.headers, body, firstByteMs })
      }, fail)
    })
    asked.end()
  })
}

function readBody(response: IncomingMessage, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => resolve(Buffer.concat(chunks).subarray(0, bytes))
    response.on('error', reject)
    if (bytes === 0) {
      response.destroy()
      finish()
      return
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length < bytes) return
      response.destroy()
      finish()
    })
    response.once('end', finish)
  })
}

/** The connection ended before the response was complete. */
const cutOff = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
  'HPE_CLOSED_CONNECTION',
  'ERR_STREAM_DESTROYED',
])

function answerTrouble(error: unknown, address: string): ProbeError {
  if (error instanceof ProbeError) return error
  const code = codeOf(error)
  return code.startsWith('HPE_') && !cutOff.has(code)
    ? new ProbeError('not_http', { address, error: plain(code) })
    : new ProbeError('connection_lost', { address, error: plain(code) })
}
