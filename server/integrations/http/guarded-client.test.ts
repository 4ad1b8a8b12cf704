import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHttpClient, HttpError } from './http-client.ts'
import { createOutboundGuard } from './outbound-guard.ts'

describe('a guarded client', () => {
  let port = 0
  let seen = 0
  let stop = async () => Promise.resolve()
  beforeEach(async () => {
    seen = 0
    const server = createServer((_, response) => {
      seen += 1
      response.end('inside')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    stop = () => new Promise((resolve) => server.close(() => resolve()))
  })
  afterEach(() => stop())

  async function get(host: string, allow: readonly string[]): Promise<string> {
    const client = createHttpClient({ userAgent: 'test', maxBytes: 1_000, guard: createOutboundGuard(allow) })
    try {
      const url = `http://${host}:${port}/`
      const answer = await client.request({ method: 'GET', url, headers: {}, headersTimeoutMs: 2_000, timeoutMs: 2_000 })
      return answer.text
    } catch (error) {
      return error instanceof HttpError ? error.failure : 'unexpected'
    } finally {
      await client.close()
    }
  }

  test.each(['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost', '0.0.0.0', '0'])(
    'http://%s/ is not connected to',
    async (host) => {
      expect(await get(host, [])).toBe('forbidden')
      expect(seen).toBe(0)
    },
  )
  test('connects to an allowed address', async () => {
    expect(await get('127.0.0.1', ['127.0.0.0/8'])).toBe('inside')
    expect(await get('localhost', ['127.0.0.0/8', '::1/128'])).toBe('inside')
    expect(seen).toBe(2)
  })
})
