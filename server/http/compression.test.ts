import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'

let t: TestApp
let ann: SignedIn
let port: number
beforeAll(async () => {
  t = await createTestApp()
  ann = await signIn(t.services)
  const { id: accountId } = await insertAccount(t.services.db, { ownerId: ann.user.id })
  await insertZones(t.services.db, { ownerId: ann.user.id, accountId }, 100)
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  port = (t.app.server.address() as AddressInfo).port
})
afterAll(() => t.close())

const list = '/api/zones/live'
const ask = (accepted: string | undefined, url = list, headers: object = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  t.app.inject({
    method,
    url,
    headers: { ...ann.headers, ...(accepted !== undefined && { 'accept-encoding': accepted }), ...headers },
  })

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
] as const)('a long JSON answer to Accept-Encoding "%s" is sent as %s, with the same content', async (accepted, coding, decompress) => {
  const plain = await ask(undefined)
  for (const url of [list, '/trpc/domains.list?input=%7B%7D', '/api/openapi.json']) {
    const [expected, answer] = [await ask(undefined, url), await ask(accepted, url)]
    expect([url, expected.statusCode]).toEqual([url, 200])
    expect(answer.headers).toMatchObject({ 'content-encoding': coding, 'content-type': expected.headers['content-type'] })
    expect(answer.headers.vary).toContain('accept-encoding')
    expect(expected.headers.vary).toContain('accept-encoding')
    expect(JSON.parse(decompress(answer.rawPayload).toString())).toEqual(expected.json())
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  }
  expect((await ask(accepted)).rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
})

test.each([undefined, '', 'identity', 'br;q=0'])('a client that accepts %s gets plain JSON', async (accepted) => {
  const answer = await ask(accepted)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.json<{ data: object[] }>().data).toHaveLength(100)
})

test('a short answer is sent as it is', async () => {
  const answer = await ask('br', '/api/auth/me')
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined])
})

test('a compressed answer has a weak entity tag, and it and the strong one are known in every coding', async () => {
  const [plain, compressed] = [await ask(undefined), await ask('br')]
  const [strong, weak] = [String(plain.headers.etag), String(compressed.headers.etag)]
  expect([strong.startsWith('"'), weak]).toEqual([true, `W/${strong}`])
  for (const tag of [strong, weak])
    for (const accepted of [undefined, 'br', 'gzip']) {
      const answer = await ask(accepted, list, { 'if-none-match': tag })
      expect([answer.statusCode, answer.rawPayload.length, answer.headers['content-encoding']]).toEqual([304, 0, undefined])
      expect(answer.headers.vary).toContain('accept-encoding')
    }
})

test('HEAD is answered without a body', async () => {
  const answer = await ask('br', list, {}, 'HEAD')
  expect([answer.statusCode, answer.rawPayload.length, answer.headers['content-encoding']]).toEqual([200, 0, undefined])
})

test('an event stream is not compressed and its first bytes arrive immediately', async () => {
  const call = request({
    host: '127.0.0.1',
    port,
    path: '/trpc/live.events',
    headers: { ...ann.headers, accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
  })
  call.end()
  const [response] = (await once(call, 'response')) as [import('node:http').IncomingMessage]
  expect(response.headers['content-type']).toContain('text/event-stream')
  expect(response.headers['content-encoding']).toBeUndefined()
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^(event|data|id|:)/)
  call.destroy()
})
