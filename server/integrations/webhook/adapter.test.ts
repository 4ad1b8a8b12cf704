import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { createWebhookSender, signatureOf } from './adapter.ts'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function receive(status: number, headers: Record<string, string> = {}) {
  const seen: { signature: string; event: string; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ signature: String(request.headers['x-zonedeck-signature']), event: String(request.headers['x-zonedeck-event']), body })
      response.writeHead(status, headers).end('x'.repeat(status === 200 ? 200_000 : 3))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const address = server.address()
  return { seen, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const sender = (allow: readonly string[]) => {
  const made = createWebhookSender({ userAgent: 'test', guard: createOutboundGuard(allow) })
  closers.unshift(() => made.close())
  return made
}
const call = (url: string) => ({ url, secret: 's', eventId: 'e1', body: '{"a":1}', atSeconds: 100 })

test('an event’s signature covers its time and body, and a response that is too long counts as a response', async () => {
  const { seen, port } = await receive(200)
  expect(await sender(['127.0.0.0/8']).send(call(`http://127.0.0.1:${port}/hook?x=1`))).toEqual({ state: 'sent' })
  expect(seen).toEqual([{ event: 'e1', body: '{"a":1}', signature: `t=100,v1=${signatureOf('s', 100, '{"a":1}')}` }])
})

test('refusals are reported with their retry delay; redirects are not followed', async () => {
  const { port } = await receive(429, { 'retry-after': '7' })
  expect(await sender(['127.0.0.0/8']).send(call(`http://127.0.0.1:${port}/`))).toEqual({ state: 'refused', status: 429, afterSeconds: 7 })
  const other = await receive(302, { location: 'http://127.0.0.1:9/' })
  expect(await sender(['127.0.0.0/8']).send(call(`http://127.0.0.1:${other.port}/`))).toEqual({
    state: 'refused',
    status: 302,
    afterSeconds: null,
  })
  expect(await sender(['127.0.0.0/8']).send(call('http://127.0.0.1:9/'))).toMatchObject({ state: 'unreached' })
})

test.each(['127.0.0.1', '2130706433', '0x7f000001', '127.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
  'nothing is sent to %s, which is this machine',
  async (host) => {
    const { seen, port } = await receive(200)
    expect(await sender([]).send(call(`http://${host}:${port}/`))).toMatchObject({ state: 'forbidden' })
    expect(seen).toEqual([])
  },
)

test('an event whose claim was lost while it waited for a connection is not sent', async () => {
  const { seen, port } = await receive(200)
  const fence = {
    lost: new AbortController().signal,
    confirm: () => Promise.resolve(),
    check() {
      throw new ClaimLost()
    },
  }
  const sent = behindFence(fence, () => sender(['127.0.0.0/8']).send(call(`http://127.0.0.1:${port}/`)))
  expect(await sent).toEqual({ state: 'unreached', message: 'claim lost' })
  expect(seen).toEqual([])
})
