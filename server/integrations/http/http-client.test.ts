import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { createHttpClient, HttpError } from './http-client.ts'
import type { HttpClient, HttpRequest } from './http-client.ts'

const client = (): HttpClient => {
  const made = createHttpClient({ userAgent: 'zonedeck-test', maxBytes: 1_000 })
  ends.push(() => made.close())
  return made
}
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => stop(server))
  return urlOf(server)
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function urlOf(server: { address(): unknown }): string {
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/path?query=1`
}

const get = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: { 'x-secret': 'hidden' },
  headersTimeoutMs: 2_000,
  timeoutMs: 2_000,
  ...change,
})

async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (error instanceof HttpError) return error.failure
    throw error
  }
  return 'none'
}

test('the client returns status, headers and text of any response', async () => {
  const url = await serve((request, response) => {
    response.writeHead(404, { 'x-seen': `${request.method} ${request.url} ${request.headers['user-agent']}` })
    response.end('not here')
  })
  const answer = await client().request(get(url))
  expect(answer).toMatchObject({ status: 404, text: 'not here' })
  expect(answer.headers['x-seen']).toBe('GET /path?query=1 zonedeck-test')
})

test('the client sends a body with its length', async () => {
  const url = await serve((request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      response.end(`${request.headers['content-length']} ${text}`)
    })()
  })
  expect((await client().request(get(url, { method: 'POST', body: 'žluť' }))).text).toBe('6 žluť')
})

test('a response over the size limit is refused, with or without Content-Length', async () => {
  const reported = await serve((_, response) => response.end('x'.repeat(1_001)))
  const streamed = await serve((_, response) => {
    response.write('x'.repeat(600))
    response.end('x'.repeat(600))
  })
  const fits = await serve((_, response) => {
    response.write('x'.repeat(500))
    response.end('x'.repeat(500))
  })
  expect(await failureOf(client().request(get(reported)))).toBe('too_large')
  expect(await failureOf(client().request(get(streamed)))).toBe('too_large')
  expect((await client().request(get(fits))).text).toHaveLength(1_000)
})

test('a body that ends too soon is truncated, with or without Content-Length', async () => {
  const reported = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.socket?.destroy())
  })
  const streamed = await serve((_, response) => {
    response.write('half', () => response.socket?.destroy())
  })
  expect(await failureOf(client().request(get(reported)))).toBe('cut')
  expect(await failureOf(client().request(get(streamed)))).toBe('cut')
})

test('missing headers and a body that does not end are time-outs', async () => {
  const silent = await serve(() => undefined)
  const endless = await serve((_, response) => {
    const timer = setInterval(() => response.write('.'), 10)
    response.once('close', () => clearInterval(timer))
  })
  expect(await failureOf(client().request(get(silent, { headersTimeoutMs: 50 })))).toBe('timeout')
  expect(await failureOf(client().request(get(silent, { timeoutMs: 50 })))).toBe('timeout')
  expect(await failureOf(client().request(get(endless, { timeoutMs: 80 })))).toBe('timeout')
})

test('an unreachable server is known not to have received the request', async () => {
  const server = createTcpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = urlOf(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await failureOf(client().request(get(url)))).toBe('unreached')
  expect(await failureOf(client().request(get('http://no-such-host.invalid/')))).toBe('unreached')
})

test('a connection that ends before a response is lost: the request may have been processed', async () => {
  const url = await serve((request) => request.socket.destroy())
  expect(await failureOf(client().request(get(url)))).toBe('lost')
})

test('a response that is not HTTP counts as lost', async () => {
  const server = createTcpServer((socket) => socket.resume().end('220 mail.example.com ESMTP\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  expect(await failureOf(client().request(get(urlOf(server))))).toBe('lost')
})

test('an abort ends the call, before and while it is running', async () => {
  const stopping = new AbortController()
  const url = await serve(() => stopping.abort())
  expect(await failureOf(client().request(get(url, { signal: stopping.signal })))).toBe('aborted')
  expect(await failureOf(client().request(get(url, { signal: AbortSignal.abort() })))).toBe('aborted')
})

test('connections are reused', async () => {
  let connections = 0
  const server = createServer((_, response) => response.end('ok'))
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => stop(server))
  const one = client()
  for (let call = 0; call < 5; call += 1) await one.request(get(urlOf(server)))
  // The second call may start before the first connection is returned to the pool.
  expect(connections).toBeLessThanOrEqual(2)
})
