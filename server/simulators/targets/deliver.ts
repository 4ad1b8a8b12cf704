import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Page } from './site.ts'

const dripMs = 20
const block = Buffer.alloc(16 * 1024, 'endless ')

/** Responds to a request as the page defines. */
export function deliver(page: Page, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  switch (page.kind) {
    case 'page': {
      const send = () => {
        response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
        response.end(page.body ?? `<!doctype html><title>${request.headers.host ?? ''}</title>`)
      }
      if (page.delayMs === undefined) send()
      else setTimeout(send, page.delayMs).unref()
      return
    }
    case 'redirect':
      response.writeHead(page.status ?? 302, { location: page.to }).end()
      return
    case 'cookie-wall':
      if (request.headers.cookie?.includes('seen=1') === true) response.end('welcome')
      else response.writeHead(302, { location: request.url ?? '/', 'set-cookie': 'seen=1; Path=/; HttpOnly' }).end()
      return
    case 'endless-redirects':
      response.writeHead(302, { location: `/${Number(request.url?.slice(1) ?? 0) + 1}` }).end()
      return
    case 'silent':
      return
    case 'drip':
      drip(response, 'HTTP/1.1 200 OK\r\nx-padding: '.padEnd(10_000, '.'))
      return
    case 'drip-body':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.flushHeaders()
      drip(response, '.'.repeat(10_000))
      return
    case 'endless-body':
      response.writeHead(200, { 'content-type': 'text/html' })
      pour(response, block)
      return
    case 'endless-headers':
      socket.write('HTTP/1.1 200 OK\r\n')
      pour(response, Buffer.from(`x-more: ${'.'.repeat(8_000)}\r\n`))
      return
    case 'endless-continue':
      pour(response, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(600)))
      return
    case 'not-http':
      socket.end('SSH-2.0-OpenSSH_9.9\r\n')
      return
    case 'bytes':
      socket.end(page.bytes)
      return
    case 'upgrade':
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n')
      return
    case 'closed':
      socket.end()
      return
    case 'reset':
      // A TLS connection cannot be reset directly.
      if (socket instanceof TLSSocket) socket.destroy()
      else socket.resetAndDestroy()
      return
    case 'cut':
      response.writeHead(200, { 'content-length': '1000' })
      response.write('only the beginning', () => socket.destroy())
  }
}

/** Bypasses the server's own header serialization if headers are to be malformed. */
const sinkOf = (response: ServerResponse) => (response.headersSent ? response : response.socket)

function drip(response: ServerResponse, text: string): void {
  const sink = sinkOf(response)
  let at = 0
  const timer = setInterval(() => {
    sink?.write(text.charAt(at))
    at += 1
    if (at === text.length) clearInterval(timer)
  }, dripMs)
  response.socket?.once('close', () => clearInterval(timer))
}

function pour(response: ServerResponse, bytes: Buffer): void {
  const sink = sinkOf(response)
  if (sink === null) return
  const more = () => {
    while (!sink.destroyed && sink.write(bytes));
  }
  sink.on('drain', more)
  more()
}
