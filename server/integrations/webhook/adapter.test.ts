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

const sender = (allow: readonly string[], guard = createOutboundGuard(allow)) => {
  const made = createWebhookSender({ userAgent: 'test', guard })
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

const everything = ['0.0.0.0/0', '::/0']

test.each([
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '168.63.129.16',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a83f:8110]',
  '[::a9fe:a9fe]',
  '[64:ff9b::6464:64c8]',
])('nothing is sent to the metadata service at %s, even if the operator allows every address', async (host) => {
  expect(await sender(everything).send(call(`http://${host}/latest/meta-data`))).toMatchObject({ state: 'forbidden' })
})

test.each(['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', '::ffff:169.254.169.254'])(
  'nothing is sent to a name that resolves to %s, even if the operator allows every address',
  async (address) => {
    const found = [{ address, family: address.includes(':') ? 6 : 4 }]
    const guard = createOutboundGuard(everything, 'public', (_hostname, _options, callback) => callback(null, found))
    expect(await sender(everything, guard).send(call('http://hook.example/'))).toMatchObject({ state: 'forbidden' })
  },
)

test('an exception for one port of this machine does not open its other ports', async () => {
  const [open, other] = [await receive(200), await receive(200)]
  const one = sender([`127.0.0.1/32:${open.port}`, `::1/128:${open.port}`])
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await one.send(call(`http://${host}:${open.port}/`))).toEqual({ state: 'sent' })
    for (const port of [other.port, 9]) expect(await one.send(call(`http://${host}:${port}/`))).toMatchObject({ state: 'forbidden' })
  }
  expect([open.seen.length, other.seen.length]).toEqual([2, 0])
})

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
