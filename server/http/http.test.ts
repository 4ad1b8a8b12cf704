import { createHash } from 'node:crypto'
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { publishBuild } from '../../client/publish-build.ts'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { slowName } from '#server/testing/slow-name.ts'

let t: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zonedeck-client-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Zonedeck</title>')
  await writeFile(join(folder, 'index.html.br'), brotliCompressSync('<!doctype html><title>Zonedeck</title>'))
  await writeFile(join(folder, 'index.html.gz'), gzipSync('<!doctype html><title>Zonedeck</title>'))
  await writeFile(join(folder, 'boot.js'), 'boot()')
  await writeFile(join(folder, 'assets/main-abc.js'), 'main()')
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync('main()'))
  t = await createTestApp({ clientDir: folder })
})
afterAll(async () => {
  await t.close()
  await rm(folder, { recursive: true })
})

describe('security headers', () => {
  test.each(['/', '/domains', '/api/health', '/trpc/auth.config', '/assets/none.js', '/api/none'])('are sent with %s', async (url) => {
    const { headers } = await t.app.inject({ url, headers: { accept: 'text/html' } })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  })

  test('a page may run exactly the inline scripts of its build, also after a 304', async () => {
    const dist = await mkdtemp(join(tmpdir(), 'zonedeck-inline-'))
    onTestFinished(() => rm(dist, { recursive: true }))
    await mkdir(join(dist, 'assets'))
    await writeFile(
      join(dist, 'index.html'),
      '<!doctype html><script>first()</script><script src="/assets/a.js"></script><script>second()</script>',
    )
    const built = await createTestApp({ clientDir: dist })
    onTestFinished(() => built.close())
    const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
    const page = await built.app.inject({ url: '/domains', headers: { accept: 'text/html' } })
    const again = await built.app.inject({ url: '/', headers: { accept: 'text/html', 'if-none-match': String(page.headers.etag) } })
    expect([page.statusCode, again.statusCode]).toEqual([200, 304])
    for (const { headers } of [page, again])
      expect(headers['content-security-policy']).toContain(`script-src 'self' ${hash('first()')} ${hash('second()')};`)
    expect((await built.app.inject('/api/health')).headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('HSTS is sent only if the panel’s address uses HTTPS', async () => {
    const secure = await createTestApp({ publicUrl: 'https://panel.test' })
    onTestFinished(() => secure.close())
    const { headers } = await secure.app.inject('/api/health')
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
  })

  test('API responses are not cached', async () => {
    expect((await t.app.inject('/api/auth/config')).headers['cache-control']).toBe('no-store')
    expect((await t.app.inject('/trpc/auth.config')).headers['cache-control']).toBe('no-store')
  })
})

describe('hosts', () => {
  test.each(['/', '/domains', '/api/auth/config', '/trpc/auth.config'])(
    '%s is refused with a host name that is not the panel’s',
    async (url) => {
      const answer = await t.app.inject({ url, headers: { host: 'evil.example' } })
      expect([answer.statusCode, answer.body]).toEqual([403, expect.stringContaining('origin_mismatch')])
    },
  )

  test.each(['panel.test', 'PANEL.test:3000', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])('%s is', async (host) => {
    expect((await t.app.inject({ url: '/api/auth/config', headers: { host } })).statusCode).toBe(200)
  })
})

describe('bodies', () => {
  const large = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(20_000) })
  const headers = { 'content-type': 'application/json' }
  test.each([
    ['/api/auth/login', {}],
    ['/api/auth/register', { authorization: 'Bearer anything' }],
    ['/trpc/auth.login', {}],
  ])('%s accepts at most 16 kB from an unauthenticated caller', async (url, more) => {
    const answer = await t.app.inject({ method: 'POST', url, headers: { ...headers, ...more }, payload: large })
    expect([answer.statusCode, answer.body]).toEqual([413, expect.stringContaining('body_too_large')])
  })
})

describe('client files', () => {
  test('hashed files are served with their precompressed variants and cached permanently', async () => {
    const answer = await t.app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=31536000, immutable' })
    expect(answer.headers['content-type']).toContain('javascript')
    const plain = await t.app.inject('/assets/main-abc.js')
    expect(plain.body).toBe('main()')
  })

  test('other files and pages are revalidated', async () => {
    expect((await t.app.inject('/boot.js')).headers['cache-control']).toBe('no-cache')
    const page = await t.app.inject({ url: '/', headers: { accept: 'text/html' } })
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding', 'content-type': 'text/html; charset=utf-8' })
    const again = await t.app.inject({ url: '/', headers: { accept: 'text/html', 'if-none-match': String(page.headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('Accept-Encoding "%s" gets a page as %s', async (accepted, coding) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers, statusCode } = await t.app.inject({
        method,
        url: '/domains',
        headers: { accept: 'text/html', 'accept-encoding': accepted },
      })
      expect([statusCode, headers['content-encoding'], headers['content-type']]).toEqual([200, coding, 'text/html; charset=utf-8'])
    }
  })

  test.each(['/domains', '/domains/some-id?tab=dns', '/no/such/page'])('%s serves the client page', async (url) => {
    const answer = await t.app.inject({ url, headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.body]).toEqual([200, '<!doctype html><title>Zonedeck</title>'])
  })

  test.each([
    '/assets/gone-123.js',
    '/api/none',
    '/trpc/none',
    '/metrics',
    '/api',
    '/assets/..%2f..%2fpackage.json',
    '/assets/main-abc.js.br',
    '/assets/',
  ])('%s does not serve the client page', async (url) => {
    const answer = await t.app.inject({ url, headers: { accept: 'text/html' } })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/json')
  })
})

describe('a build while a process is running', () => {
  /** A build with these source names: a page, its preloads, an asset of its own and one common to all builds. */
  const build = async (dist: string, sources: string) => {
    const fresh = join(dist, '.fresh')
    const files = {
      'index.html': `<script src="/boot.js"></script><script src="/assets/main-${sources}.js"></script>`,
      'boot.js': `preload('${sources}')`,
      'sw.js': `var headers = {}; keep('${sources}', headers)`,
      'sw-off.js': 'removeAll()',
      [`assets/main-${sources}.js`]: `main('${sources}')`,
      'assets/font-same.js': 'font()',
      '.vite/manifest.json': sources,
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(fresh, name)), { recursive: true })
      await writeFile(join(fresh, name), content)
      await writeFile(join(fresh, `${name}.br`), brotliCompressSync(content))
    }
    await publishBuild(fresh, dist)
  }
  const serve = async (dist: string, options: { serviceWorker?: boolean } = {}) => {
    const { app, close } = await createTestApp({ clientDir: dist, ...options })
    onTestFinished(close)
    return async (url: string) => {
      const accept = url.startsWith('/assets/') || url.endsWith('.js') ? '*/*' : 'text/html'
      const answer = await app.inject({ url, headers: { accept, 'accept-encoding': 'br' } })
      if (answer.statusCode !== 200) return answer.statusCode
      return answer.headers['content-encoding'] === 'br' ? brotliDecompressSync(answer.rawPayload).toString() : answer.payload
    }
  }

  test('a process keeps serving the page and assets it started with, and so does one of the next build; older assets are gone', async () => {
    const dist = await mkdtemp(join(tmpdir(), 'zonedeck-dist-'))
    onTestFinished(() => rm(dist, { recursive: true }))
    await build(dist, 'one')
    const one = await serve(dist)
    await build(dist, 'two')
    const two = await serve(dist)
    for (const [ask, sources] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      for (const page of ['/', '/index.html', '/domains']) expect(await ask(page)).toContain(`/assets/main-${sources}.js`)
      expect(await ask('/boot.js')).toBe(`preload('${sources}')`)
      // A proxy may route the page's next request to either process.
      for (const each of ['one', 'two']) expect(await ask(`/assets/main-${each}.js`)).toBe(`main('${each}')`)
      expect(await ask('/assets/font-same.js')).toBe('font()')
    }
    await build(dist, 'three')
    expect([await two('/domains'), await two('/assets/main-two.js')]).toEqual([expect.stringContaining('main-two.js'), "main('two')"])
    expect(await two('/assets/main-one.js')).toBe(404)
    const scripts = ['boot.js', 'sw-off.js', 'sw.js'].flatMap((name) => [name, `${name}.br`])
    expect((await readdir(dist)).toSorted()).toEqual(['.files', '.vite', 'assets', 'index.html', 'index.html.br', ...scripts].toSorted())
  })

  test('SERVICE_WORKER=off serves the script that removes the service worker from browsers', async () => {
    const dist = await mkdtemp(join(tmpdir(), 'zonedeck-dist-'))
    onTestFinished(() => rm(dist, { recursive: true }))
    await build(dist, 'one')
    expect(await (await serve(dist))('/sw.js')).toMatch(
      /^var headers = \{.*"content-security-policy":.*'none'.*\}; keep\('one', headers\)$/,
    )
    expect(await (await serve(dist, { serviceWorker: false }))('/sw.js')).toBe('removeAll()')
  })

  test('in a folder built by an earlier version the previous files are kept once beside the new ones', async () => {
    const dist = await mkdtemp(join(tmpdir(), 'zonedeck-dist-'))
    onTestFinished(() => rm(dist, { recursive: true }))
    await mkdir(join(dist, 'assets'))
    await writeFile(join(dist, 'assets/main-old.js'), 'old')
    await build(dist, 'one')
    expect(await readdir(join(dist, 'assets'))).toContain('main-old.js')
    await build(dist, 'two')
    expect((await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'))).toEqual([
      'font-same.js',
      'main-one.js',
      'main-two.js',
    ])
  })
})

describe('R-AUT-04 cross-site request forgery', () => {
  const login = (headers: Record<string, string>) =>
    t.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { email: 'a@example.com', password: 'secret1' } })
  const code = async (headers: Record<string, string>) => (await login(headers)).json<{ code: string }>().code
  const passed = 'invalid_credentials'

  test('a page sets the XSRF cookie, readable by scripts and sent only from the panel’s own pages', async () => {
    const { cookies } = await t.app.inject({ url: '/login', headers: { accept: 'text/html' } })
    const value = expect.stringMatching(/^[\w-]{22}$/) as unknown
    expect(cookies).toEqual([{ name: 'XSRF-TOKEN', value, path: '/', sameSite: 'Strict', maxAge: 400 * 24 * 3600 }])
  })

  test('over HTTPS the cookie is Secure', async () => {
    const secure = await createTestApp({ publicUrl: 'https://panel.test' })
    onTestFinished(() => secure.close())
    const { cookies } = await secure.app.inject('/trpc/auth.config')
    expect(cookies[0]).toMatchObject({ name: 'XSRF-TOKEN', secure: true })
  })

  test('a change with cookies needs a matching XSRF header', async () => {
    const token = 'a'.repeat(22)
    const other = 'b'.repeat(22)
    expect(await code({ cookie: `XSRF-TOKEN=${token}`, 'x-xsrf-token': token })).toBe(passed)
    expect(await code({ cookie: `XSRF-TOKEN=${token}`, 'x-xsrf-token': other })).toBe('xsrf_mismatch')
    expect(await code({ cookie: `XSRF-TOKEN=${token}` })).toBe('xsrf_mismatch')
    expect(await code({ cookie: 'theme=dark' })).toBe('xsrf_mismatch')
    expect(await code({ cookie: 'XSRF-TOKEN=', 'x-xsrf-token': '' })).toBe('xsrf_mismatch')
    expect(await code({ 'x-xsrf-token': token })).toBe(passed)
    expect(await code({})).toBe(passed)
  })

  test('tRPC has the same check, and its error is readable by clients', async () => {
    const answer = await t.app.inject({ method: 'POST', url: '/trpc/auth.login', headers: { cookie: 'a=b' }, payload: {} })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: { message: 'xsrf_mismatch', data: { code: 'xsrf_mismatch', httpStatus: 403 } } })
  })

  test('reads need no XSRF header', async () => {
    expect((await t.app.inject({ url: '/api/auth/config', headers: { cookie: 'a=b' } })).statusCode).toBe(200)
  })

  test('a change requested by a foreign page is refused', async () => {
    expect(await code({ origin: 'http://panel.test' })).toBe(passed)
    expect(await code({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' })).toBe(passed)
    expect(await code({ origin: 'https://evil.test' })).toBe('origin_mismatch')
    expect(await code({ origin: 'http://panel.test.evil.test' })).toBe('origin_mismatch')
    // A foreign name that resolves to the panel: host and origin match, and it is still not ours.
    expect(await code({ origin: 'http://rebound.test:3000', host: 'rebound.test:3000' })).toBe('origin_mismatch')
    expect(await code({ origin: 'http://[::1]:3000', host: '[::1]:3000' })).toBe(passed)
    expect(await code({ origin: 'http://localhost:3000', host: 'localhost:3000' })).toBe(passed)
    expect(await code({ origin: 'null' })).toBe('origin_mismatch')
  })

  test('an origin is parsed only if its host could match, since parsing long ones is slow', async () => {
    const slow = `http://${encodeURIComponent(slowName(1_500))}`
    expect(await code({ origin: slow })).toBe('origin_mismatch')
    const timeOf = async (origin: string) => {
      const began = performance.now()
      for (let times = 0; times < 20; times += 1) await code({ origin })
      return performance.now() - began
    }
    expect(await timeOf(slow)).toBeLessThan((await timeOf('http://evil.test')) + 400)
  })

  test('GET changes nothing', async () => {
    expect((await t.app.inject({ url: `/trpc/auth.login?input=${encodeURIComponent('{}')}` })).statusCode).toBe(405)
    expect((await t.app.inject('/api/auth/login')).statusCode).toBe(405)
  })
})

describe('bodies', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/octet-stream'])(
    '%s is refused, by REST and tRPC',
    async (type) => {
      for (const url of ['/api/auth/login', '/trpc/auth.login']) {
        const answer = await t.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload: '{"email":"a@example.com"}' })
        expect(answer.statusCode).toBe(415)
      }
    },
  )

  test('a body over the limit is refused', async () => {
    const payload = { email: 'x'.repeat(9 * 1024 * 1024) }
    for (const url of ['/api/auth/login', '/trpc/auth.login']) {
      const answer = await t.app.inject({ method: 'POST', url, payload })
      expect(answer.statusCode).toBe(413)
      expect(answer.body).toContain('body_too_large')
    }
  })

  test('an address that is too long gets an error response', async () => {
    const answer = await t.app.inject(`/api/zones/${'a'.repeat(12_000)}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([414, { code: 'body_too_large' }])
  })

  test.each(['{', '[]', '"text"', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}'])(
    '%s is a malformed request',
    async (payload) => {
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        payload,
      })
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'malformed_request'])
    },
  )
})

test('a forwarded client address is accepted only from trusted proxies', async () => {
  const addressOf = async (of: TestApp) => {
    const payload = { email: `${crypto.randomUUID()}@example.com`, password: 'secret1' }
    await of.app.inject({ method: 'POST', url: '/api/auth/login', headers: { 'x-forwarded-for': '203.0.113.5' }, payload })
    const [row] = await of.services.db.sql<{ address: string }[]>`select address from activity where entity_name = ${payload.email}`
    return row?.address
  }
  const behind = await createTestApp({ trustProxy: ['127.0.0.0/8'] })
  onTestFinished(() => behind.close())
  expect(await addressOf(t)).toBe('127.0.0.1')
  expect(await addressOf(behind)).toBe('203.0.113.5')
})

describe('health', () => {
  test('is reported without authentication', async () => {
    const answer = await t.app.inject('/api/health')
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', version: 'test', role: 'all', database: 'ok' }])
  })

  test('costs the database one query, however many ask at the same moment, and is current again afterwards', async () => {
    const own = await createTestApp()
    onTestFinished(() => own.close().catch(() => undefined))
    // The app keeps the pool, so statements are counted where they are sent.
    const { sql } = own.services.db
    const queries = async () => {
      const [row] = await sql<
        { calls: number }[]
      >`select count(*)::int as calls from pg_stat_activity where datname = current_database() and query = 'select 1'`
      return row?.calls ?? 0
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => own.app.inject('/api/health')))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    // Each of several concurrent statements would have had a connection of its own; the second is for those who asked during the first.
    expect(await queries()).toBeLessThanOrEqual(2)
    await own.services.db.close()
    await expect.poll(async () => (await own.app.inject('/api/health')).statusCode).toBe(503)
  })

  test('is 503 within the deadline if the database is unavailable', async () => {
    const own = await createTestApp()
    onTestFinished(() => own.close().catch(() => undefined))
    await own.services.db.close()
    const answer = await own.app.inject({ url: '/api/health', headers: { authorization: 'Bearer some-token' } })
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'unavailable', version: 'test', role: 'all', database: 'unavailable' },
    ])
  })
})
