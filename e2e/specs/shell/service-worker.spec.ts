import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright/test'
import { deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 3 }, accounts: 1 })
test.use({ serviceWorkers: 'allow' })

interface Front {
  readonly url: string
  /** Files served instead of the panel's. */
  readonly files: Map<string, string>
  /** Paths that were requested. */
  readonly asked: string[]
  close(): void
}

/** A server before the panel whose files can be replaced by those of another build. */
async function startFront(): Promise<Front> {
  const files = new Map<string, string>()
  const asked: string[] = []
  const server = createServer((from, to) => {
    const { pathname } = new URL(from.url ?? '/', 'http://front')
    asked.push(pathname)
    const file = files.get(pathname)
    if (file !== undefined) {
      const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
      to.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }).end(file)
      return
    }
    const { hostname, port } = new URL(deck().panel.url)
    const ask = request({ hostname, port, path: from.url, method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    ask.on('error', () => to.destroy())
    to.on('close', () => ask.destroy())
    from.pipe(ask)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')
/** The policy of the document allows only its script. */
const scriptOf = (document: string): string => document.split('<script>')[1]?.split('</script>')[0] ?? ''

/** The panel's document and service worker as another build would have them. */
async function nextBuild(): Promise<{ document: string; worker: string }> {
  const [page, script] = await Promise.all(
    ['/', '/sw.js'].map(async (path) => (await fetch(deck().panel.url + path, { headers: { accept: 'text/html' } })).text()),
  )
  const document = (page ?? '').replace('</body>', '<i id="next-build"></i></body>')
  return { document, worker: (script ?? '').replace(/var build = '[^']+'/, `var build = '${digestOf(document)}'`) }
}

let front: Front
test.beforeEach(async ({ page }) => {
  front = await startFront()
  await page.addInitScript(
    (stored) => localStorage.setItem('zonedeck.auth', stored),
    JSON.stringify({ ...deck().owner, isAuthenticated: true }),
  )
})
test.afterEach(() => front.close())

/** Opens the domains, and waits until the next visit is served from the cache. */
async function firstVisit(page: Page): Promise<void> {
  await page.goto(`${front.url}/domains`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}

test('a return visit gets its document from the service worker, and nothing else', async ({ page }) => {
  await firstVisit(page)
  front.asked.length = 0
  const visit = await page.goto(`${front.url}/domains?sort=-name`)
  expect(visit?.fromServiceWorker()).toBe(true)
  expect(visit?.headers()['content-security-policy']).toContain("default-src 'none'")
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(front.asked.filter((path) => path === '/domains' || path === '/')).toEqual([])
  expect(front.asked.filter((path) => path.startsWith('/trpc/')).length).toBeGreaterThan(0)
  for (const path of ['/api/health', '/status/none', '/sw.js']) expect((await page.goto(front.url + path))?.fromServiceWorker()).toBe(false)
})

test('a document or headers that a script put into the cache are not served', async ({ page }) => {
  await firstVisit(page)
  const put = (html: string | null) =>
    page.evaluate(async (given) => {
      const body = given ?? (await (await fetch('/')).text())
      const headers = { 'content-type': 'text/html', refresh: '0;url=/replaced' }
      for (const name of await caches.keys()) await (await caches.open(name)).put('/', new Response(body, { headers }))
    }, html)
  for (const html of ['<h1>Replaced</h1>', null]) {
    await put(html)
    const visit = await page.goto(`${front.url}/domains`)
    expect(visit?.fromServiceWorker()).toBe(true)
    expect(visit?.headers()).toMatchObject({ 'content-security-policy': expect.stringContaining("frame-ancestors 'none'") })
    expect(visit?.headers()['refresh']).toBeUndefined()
    await expect(page.locator('#root')).toBeAttached()
  }
})

test('after an upgrade an untouched page is reloaded, a touched one offers it, and neither mixes two builds', async ({ page, t }) => {
  await firstVisit(page)
  const { document, worker } = await nextBuild()
  // The worker is already the new one, the document not yet.
  front.files.set('/sw.js', worker)
  const before = await page.evaluate(() => caches.keys())
  front.asked.length = 0
  await page.goto(`${front.url}/domains`)
  await expect.poll(() => front.asked.slice(front.asked.indexOf('/sw.js')).includes('/')).toBe(true)
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.installing ?? null)).toBeNull()
  expect(await page.evaluate(() => caches.keys())).toEqual(before)
  front.files.set('/', document)
  await page.goto(`${front.url}/domains`)
  await expect(page.locator('#next-build')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await page.keyboard.press('Shift')
  front.files.clear()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.getByRole('button', { name: t('common:reload') }).click()
  await expect(page.locator('#next-build')).toHaveCount(0)
})

test('a document whose script is gone is loaded from the server', async ({ page }) => {
  await firstVisit(page)
  const script = /var scripts = \["([^"]+)"/.exec(
    await (await fetch(`${front.url}/domains`, { headers: { accept: 'text/html' } })).text(),
  )?.[1]
  const { document, worker } = await nextBuild()
  const gone = document.replaceAll(script ?? '?', 'assets/gone-00000000.js')
  const digest = digestOf(gone)
  await page.keyboard.press('Shift')
  front.files.set('/', gone)
  front.files.set(
    '/sw.js',
    worker.replace(/var build = '[^']+'/, `var build = '${digest}'`).replace(digestOf(scriptOf(document)), digestOf(scriptOf(gone))),
  )
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([digest])
  front.files.clear()
  await page.goto(`${front.url}/domains`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a proxy that asks for a sign-in gets the visit after a redirected query', async ({ page }) => {
  await firstVisit(page)
  front.files.set('/domains', '<h1>Sign-in of the proxy</h1>')
  await page.route(/\/trpc\/me\.layouts,/, (route) => route.fulfill({ status: 302, headers: { location: '/login' } }))
  await page.goto(`${front.url}/domains`)
  await expect(page.getByRole('heading', { name: 'Sign-in of the proxy' })).toBeVisible()
})

test('the script of SERVICE_WORKER=off removes the caches, and every visit is served by the panel', async ({ page }) => {
  await firstVisit(page)
  front.files.set('/sw.js', await (await fetch(`${deck().panel.url}/sw-off.js`)).text())
  await page.goto(`${front.url}/domains`)
  // The page reloads meanwhile.
  await expect.poll(() => page.evaluate(() => caches.keys()).catch(() => null)).toEqual([])
  expect((await page.goto(`${front.url}/domains`))?.fromServiceWorker()).toBe(false)
})
