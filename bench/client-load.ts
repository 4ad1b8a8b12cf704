import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import { chromiumPath } from '../e2e/chromium.ts'
import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { startFilledPanel } from './filled-panel.ts'

const dist = fileURLToPath(new URL('../client/dist', import.meta.url))
const turns = 5

/** The files that a page loads, by kind, and whether each was compressed, cacheable forever, and from which origin. */
async function watch(page: Page, origin: string) {
  const loaded = { script: new Set<string>(), stylesheet: new Set<string>() }
  const seen = { foreign: 0, notBrotli: 0, notImmutable: 0 }
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) seen.foreign += 1
  })
  page.on('response', (response) => {
    const kind = response.request().resourceType()
    if (kind !== 'script' && kind !== 'stylesheet') return
    const { pathname } = new URL(response.url())
    loaded[kind].add(pathname)
    if (response.headers()['content-encoding'] !== 'br') seen.notBrotli += 1
    if (pathname.startsWith('/assets/') && !(response.headers()['cache-control'] ?? '').includes('immutable')) seen.notImmutable += 1
  })
  return { loaded, seen }
}

/** The gzipped size of the files, in kB. */
async function gzipped(paths: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...paths].map(async (path) => (await stat(join(dist, `${path}.gz`))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

async function signInPage(browser: Browser, origin: string, report: Parameters<Bench['run']>[0]): Promise<void> {
  const page = await browser.newPage()
  const { loaded, seen } = await watch(page, origin)
  await page.goto(`${origin}/login`, { waitUntil: 'networkidle' })
  await page.locator('input[type=password]').waitFor()
  const limits = [
    ['script of the sign-in page, gzip', await gzipped(loaded.script), 'kB', 185, 'the minimum of this stack is 162'],
    ['style of the sign-in page, gzip', await gzipped(loaded.stylesheet), 'kB', 20, 'limit'],
    ['requests to another origin', seen.foreign, '', 0, 'none'],
    ['files not served as Brotli', seen.notBrotli, '', 0, 'none'],
    ['files without immutable caching', seen.notImmutable, '', 0, 'none'],
  ] as const
  for (const [name, value, unit, most, what] of limits) report({ name, value, unit, against: { kind: 'at most', value: most, what } })
  await page.close()
}

/** Milliseconds from the navigation until the first rows with a name. */
export async function firstRows(browser: Browser, origin: string, stored: string): Promise<{ readonly ms: number; readonly page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(`
    localStorage.setItem('zonedeck.auth', ${JSON.stringify(stored)})
    const look = () => {
      const cell = document.querySelector('[role=grid] [role=row] [role=gridcell]')
      if (cell?.parentElement.textContent.includes('-')) window.firstRowsAt = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)`)
  const page = await context.newPage()
  await page.goto(`${origin}/domains`)
  const handle = await page.waitForFunction(() => (globalThis as { firstRowsAt?: number }).firstRowsAt, undefined, { timeout: 60_000 })
  return { ms: z.number().parse(await handle.jsonValue()), page }
}

export const clientLoad: Bench = {
  about: 'size of the sign-in page, and the domains page over 100,000 domains in Chromium; needs npm run build',
  async run(report) {
    const { origin, stored, close } = await startFilledPanel()
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
    try {
      await signInPage(browser, origin, report)
      const took: number[] = []
      for (let turn = 0; turn < turns; turn += 1) {
        const { ms, page } = await firstRows(browser, origin, stored)
        took.push(ms)
        if (turn === turns - 1) {
          let rows = 0
          await page.mouse.move(700, 600)
          for (let step = 0; step < 60; step += 1) {
            await page.mouse.wheel(0, step % 10 === 9 ? 200_000 : 1_500)
            await page.waitForTimeout(50)
            rows = Math.max(rows, await page.locator('[role=row]').count())
          }
          report({
            name: 'rows in the document while scrolling',
            value: rows,
            unit: 'rows',
            against: { kind: 'at most', value: 200, what: 'limit' },
          })
        }
        await page.context().close()
      }
      report({
        name: `navigation to first rows, nothing cached: median of ${turns}`,
        value: percentile(took, 0.5) / 1000,
        unit: 's',
        against: { kind: 'at most', value: 1, what: `100,000 domains, ${basename(chromiumPath())}` },
      })
    } finally {
      await browser.close()
      await close()
    }
  },
}
