import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGuardedHttp } from './guarded-http.ts'

async function stage(allow: readonly string[]) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (request.url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest/' })
    response.end('there')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = createGuardedHttp({ userAgent: 'test', maxBytes: 1_000, allow })
  onTestFinished(async () => {
    await http.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    asked: () => asked,
    get: (url: string) => http.get({ url: url.replace('PORT', String(port)), headers: {}, headersTimeoutMs: 2_000, timeoutMs: 2_000 }),
  }
}

test.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://2130706433:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'https://10.0.0.1/',
  'https://localhost:PORT/',
])('nothing is sent to %s, which is not public', async (url) => {
  const { get, asked } = await stage([])
  await expect(get(url)).rejects.toMatchObject({ failure: 'forbidden' })
  expect(asked()).toBe(0)
})

test('an allowed address is reachable, also by name, and a redirect out of it is not followed', async () => {
  const { get, asked } = await stage(['127.0.0.0/8', '::1/128'])
  expect((await get('http://127.0.0.1:PORT/')).text).toBe('there')
  expect((await get('http://localhost:PORT/')).text).toBe('there')
  await expect(get('http://127.0.0.1:PORT/inside')).rejects.toMatchObject({ failure: 'forbidden' })
  await expect(get('http://8.8.8.8/')).rejects.toMatchObject({ failure: 'forbidden' })
  expect(asked()).toBe(3)
})
