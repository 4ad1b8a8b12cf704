import { connect } from 'node:net'
import type { Socket } from 'node:net'

const get = (...lines: string[]) => ['GET /api/health HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n')
const post = (head: readonly string[], body: string) =>
  ['POST /api/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...head, '', body].join('\r\n')

/** Malformed HTTP, or request-smuggling attempts that a proxy and a server may parse differently. */
export const brokenRequests: Readonly<Record<string, string | Buffer>> = {
  'no HTTP': 'hello\r\n\r\n',
  'the beginning of TLS': Buffer.from('16030100c6010000c20303', 'hex'),
  'bytes at random': Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 131 + 7) % 256)),
  'an HTTP that is none': 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n',
  'HTTP/2 without agreeing on it': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no host': 'GET /api/health HTTP/1.1\r\n\r\n',
  'two hosts': get('Host: other'),
  'an absolute address': 'GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an address that is none': 'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a star': 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a tunnel': 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'another protocol': get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'),
  'an address of 100 kB': `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'headers of 100 kB': get(`X-Long: ${'a'.repeat(100_000)}`),
  '3,000 headers': get(...Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1`)),
  'NUL in a header': get('X-Nul: a\0b'),
  'a header that goes on in the next line': get('X-Folded: a', ' b'),
  'line feeds alone': 'GET /api/health HTTP/1.1\nHost: localhost\n\n',
  'bytes beyond ASCII in the address': Buffer.from('GET /api/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n', 'latin1'),
  'a length below nothing': post(['Content-Length: -1'], '{}'),
  'a length that is no number': post(['Content-Length: 0x10'], '{}'),
  'two lengths': post(['Content-Length: 2', 'Content-Length: 3'], '{}'),
  'a length and chunks': post(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET /api/users HTTP/1.1\r\n\r\n'),
  'chunks by another name': post(['Transfer-Encoding: xchunked'], '0\r\n\r\n'),
  'a chunk without a length': post(['Authorization: Bearer x', 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
  'a chunk that says to be endless': post(['Authorization: Bearer x', 'Transfer-Encoding: chunked'], 'ffffffffffffffff\r\n{}'),
  'an expectation that nobody meets': post(['Expect: the unexpected', 'Content-Length: 2'], '{}'),
  'a hundred at once': get().repeat(100),
}

export interface Heard {
  /** The statuses of all responses on the connection. */
  readonly statuses: readonly number[]
  /** Whether the other side closed the connection within the timeout. */
  readonly closed: boolean
  /** As received, except for a line break between a body and the response right after it. */
  readonly text: string
}

/** Sends bytes, ends the sending side, and reads until the server has closed the connection. */
export const sendBytes = (port: number, bytes: string | Buffer, patienceMs: number): Promise<Heard> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const text = heard.replaceAll('}HTTP/1.1 ', '}\nHTTP/1.1 ')
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
      resolve({ statuses, closed, text })
    }
    const timer = setTimeout(() => end(false), patienceMs)
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
    })
    socket.on('error', () => end(true))
    socket.on('close', () => end(true))
  })

export interface SlowClients {
  /** Number of connections still open. */
  open(): number
  close(): void
}

/** This many connections that send one byte at intervals: of the request line, of a header, of a body. */
export function openSlowClients(port: number, count: number): SlowClients {
  const beginnings = [
    'GET /api/he',
    'POST /trpc/auth.login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{"email":"',
  ]
  const open = new Set<Socket>()
  for (let at = 0; at < count; at += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(beginnings[at % beginnings.length] ?? ''))
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.resume()
  }
  const dripping = setInterval(() => {
    for (const socket of open) if (socket.writable) socket.write('a')
  }, 500)
  return {
    open: () => open.size,
    close() {
      clearInterval(dripping)
      for (const socket of open) socket.destroy()
    },
  }
}
