import { loadavg } from 'node:os'
import { chromium } from 'playwright'
import type { BrowserContext, Page } from 'playwright'
import { z } from 'zod'
import { chromiumPath } from '../e2e/chromium.ts'
import { loadFigure } from './bench.ts'
import type { Bench } from './bench.ts'
import { startFilledPanel } from './filled-panel.ts'
import type { FilledPanel } from './filled-panel.ts'

/** A mid-range phone on a slow connection, as Lighthouse throttles in the browser (its `mobileSlow4G`, `devtools`). */
const cpuSlowdown = 4
const line = { offline: false, latency: 562.5, downloadThroughput: (1_474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 }

const seen = z.object({
  firstPaintMs: z.number(),
  largestPaintMs: z.number(),
  blockedMs: z.number(),
  shift: z.number(),
  scriptBytes: z.number(),
  requests: z.number(),
})
type Seen = z.output<typeof seen>

/** The main pages. */
export const mainPages = ({ domainId }: FilledPanel): readonly string[] => [
  '/login',
  '/domains',
  '/domains?view=grid',
  `/domains/${domainId}`,
  '/groups',
  '/accounts',
  '/monitoring',
  '/trackers',
  '/activity-logs',
  '/settings',
  '/welcome',
]

/** Runs in the page before its own scripts. */
const watch = `(() => {
  const of = (type, read) => new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true })
  const found = { largestPaintMs: 0, shift: 0, tasks: [] }
  of('largest-contentful-paint', ({ startTime }) => (found.largestPaintMs = startTime))
  of('longtask', ({ startTime, duration }) => found.tasks.push([startTime, duration]))
  // The worst session window of up to five seconds with gaps below one second, as web-vitals computes it.
  let from = 0, last = 0, sum = 0
  of('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return
    if (startTime - last > 1000 || startTime - from > 5000) { from = startTime; sum = 0 }
    last = startTime
    sum += value
    found.shift = Math.max(found.shift, sum)
  })
  window.readVitals = () => {
    const firstPaintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    const loaded = performance.getEntriesByType('resource')
    return {
      firstPaintMs,
      largestPaintMs: found.largestPaintMs,
      blockedMs: found.tasks.filter(([at]) => at >= firstPaintMs).reduce((sum, [, took]) => sum + took - 50, 0),
      shift: found.shift,
      scriptBytes: loaded.filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      requests: loaded.length + 1,
    }
  }
})()`

/** Opens the page and waits until it is complete: its title is shown, no request is pending, and nothing new arrives for a second. */
async function visit(page: Page, url: string): Promise<Seen> {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ timeout: 60_000 })
  for (let before = -1, now = 0; now !== before;) {
    await page.locator('[aria-busy=true], [class*=skeleton]').first().waitFor({ state: 'detached', timeout: 60_000 })
    before = await page.evaluate(() => performance.getEntriesByType('resource').length)
    await page.waitForTimeout(1_000)
    now = await page.evaluate(() => performance.getEntriesByType('resource').length)
  }
  return seen.parse(await page.evaluate('readVitals()'))
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  return page
}

export const pages: Bench = {
  about:
    'the main pages over 100,000 domains in Chromium with Lighthouse’s 4x slower processor and slow 4G (562 ms, 1.5 Mbit/s), without and with a cache; needs npm run build',
  async run(report) {
    const panel = await startFilledPanel()
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
    const paths = mainPages(panel)
    const loads: number[] = []
    try {
      for (const path of paths) {
        loads.push(loadavg()[0] ?? 0)
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
        await context.addInitScript(watch)
        if (path !== '/login') await context.addInitScript((stored) => localStorage.setItem('zonedeck.auth', stored), panel.stored)
        const page = await slowPage(context)
        const cold = await visit(page, panel.origin + path)
        const warm = await visit(page, panel.origin + path)
        await context.close()
        const of = path.replace(panel.domainId, ':id')
        const figures = [
          ['first contentful paint, cold', cold.firstPaintMs / 1000, 's', 1.8],
          ['largest contentful paint, cold', cold.largestPaintMs / 1000, 's', 3],
          ['largest contentful paint, cached', warm.largestPaintMs / 1000, 's', 1.5],
          ['total blocking time, cold', cold.blockedMs, 'ms', 200],
          ['layout shift, cold or cached', Math.max(cold.shift, warm.shift), '', 0.01],
          ['script, Brotli', cold.scriptBytes / 1000, 'kB', path === '/login' ? 110 : 240],
          ['requests, cold', cold.requests, '', 20],
        ] as const
        for (const [name, value, unit, most] of figures)
          report({ name: `${of}: ${name}`, value, unit, against: { kind: 'at most', value: most, what: 'limit' } })
      }
      report(loadFigure(loads))
    } finally {
      await browser.close()
      await panel.close()
    }
  },
}
