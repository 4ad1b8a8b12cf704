import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { z } from 'zod'
import { chromiumPath } from '../e2e/chromium.ts'
import { loadFigure } from './bench.ts'
import type { Bench } from './bench.ts'
import { startFilledPanel } from './filled-panel.ts'
import { mainPages } from './pages.ts'

const least = { performance: 95, accessibility: 100, 'best-practices': 100 }

const result = z.object({
  lhr: z.object({ finalDisplayedUrl: z.string(), categories: z.record(z.string(), z.object({ score: z.number() })) }),
})
/** Pages never become idle: their event stream stays open. */
const maxWaitForLoad = 12_000

/** Not a dependency: it is larger than the panel. */
async function loadLighthouse() {
  const name = 'lighthouse'
  try {
    const { default: run } = (await import(name)) as { default: (url: string, flags: object) => Promise<unknown> }
    return run
  } catch (error) {
    throw new Error('Lighthouse cannot be loaded: npm install --no-save lighthouse@13.5.0', { cause: error })
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export const lighthouseBench: Bench = {
  about:
    'Lighthouse’s scores of the main pages over 100,000 domains, as a phone; needs npm run build and npm install --no-save lighthouse@13.5.0',
  async run(report) {
    const lighthouse = await loadLighthouse()
    const panel = await startFilledPanel()
    const profile = await mkdtemp(join(tmpdir(), 'zonedeck-lighthouse-'))
    const port = await findFreePort()
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
    })
    const loads: number[] = []
    try {
      const page = await browser.newPage()
      // Of the panel's origin, but without its scripts, which would use the processor too.
      await page.goto(`${panel.origin}/favicon.svg`)
      for (const path of mainPages(panel)) {
        loads.push(loadavg()[0] ?? 0)
        if (path !== '/login') await page.evaluate((stored) => localStorage.setItem('zonedeck.auth', stored), panel.stored)
        const url = panel.origin + path
        const flags = { port, maxWaitForLoad, onlyCategories: Object.keys(least), logLevel: 'error' }
        const { lhr } = result.parse(await lighthouse(url, flags))
        if (lhr.finalDisplayedUrl !== url) throw new Error(`${path} showed ${lhr.finalDisplayedUrl}`)
        for (const [category, value] of Object.entries(least))
          report({
            name: `${path.replace(panel.domainId, ':id')}: ${category}`,
            value: Math.round((lhr.categories[category]?.score ?? 0) * 100),
            unit: '',
            against: { kind: 'at least', value, what: 'Lighthouse, mobile' },
          })
      }
      report(loadFigure(loads))
    } finally {
      await browser.close()
      await panel.close()
      await rm(profile, { recursive: true, force: true })
    }
  },
}
