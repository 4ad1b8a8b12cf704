import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium } from 'playwright'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import { chromiumPath } from '../e2e/chromium.ts'
import type { Bench } from './bench.ts'
import { percentile } from './bench.ts'
import { startFilledPanel } from './filled-panel.ts'

const limitMs = 50
/** Below 50 interactions, the figure of `web-vitals` is the slowest of them. */
const times = 20
const webVitals = createRequire(import.meta.url)
  .resolve('web-vitals')
  .replace('.umd.cjs', '.iife.js')

const firstRow = (page: Page) => page.locator('[role=grid] [role=gridcell]').first()
/** Until the view has changed and the next frame is painted, so that each interaction is measured separately. */
const settle = async (page: Page): Promise<void> => {
  await page.locator('[aria-busy=true], [data-refreshing]').first().waitFor({ state: 'detached' })
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))')
}

interface Interaction {
  readonly name: string
  /** @param turn counts from 0 */
  readonly act: (page: Page, turn: number) => Promise<void>
  readonly start?: string
}

const words = ['a-', 'ma', 'shop', 'b', 'x1']
const interactions: readonly Interaction[] = [
  {
    name: 'typing in the search, per key',
    async act(page, turn) {
      const search = page.getByRole('searchbox')
      if (turn === 0) await search.click()
      await search.press((words.join('')[turn % words.join('').length] ?? 'a').replace('-', 'Minus'))
      if (turn % 4 === 3) await page.waitForTimeout(300)
      if (turn % 7 === 6) await search.press('Escape')
    },
  },
  {
    name: 'filtering by a tile',
    act: (page, turn) =>
      page
        .locator('main button[aria-pressed]')
        .nth([1, 2, 0][turn % 3] ?? 0)
        .click(),
  },
  {
    name: 'sorting',
    act: (page, turn) =>
      page
        .locator('[role=columnheader] button')
        .nth(turn % 3)
        .click(),
  },
  {
    name: 'selecting and deselecting all',
    act: (page) => page.locator('[role=columnheader] input[type=checkbox]').click(),
  },
  {
    name: 'opening a domain and going back to the list',
    async act(page, turn) {
      if (turn % 2 === 0) await page.locator('[role=gridcell] a[href^="/domains/"]').nth(turn).click()
      else await page.locator('nav a[href^="/domains"]').first().click()
      await (turn % 2 === 0 ? page.locator('main [role=grid]').waitFor({ state: 'detached' }) : firstRow(page).waitFor())
    },
  },
  {
    name: 'opening and closing the command palette',
    async act(page, turn) {
      await page.keyboard.press(turn % 2 === 0 ? 'Control+k' : 'Escape')
      await page.locator('input.mantine-Spotlight-search').waitFor({ state: turn % 2 === 0 ? 'visible' : 'detached' })
    },
  },
  {
    name: 'switching the tabs of a domain',
    start: 'domain',
    async act(page, turn) {
      const tab = page.locator('main nav a').nth(turn % 3)
      await tab.click()
      await page.locator('main h1').waitFor()
    },
  },
]

async function openPage(browser: Browser, url: string, stored: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true })
  await context.addInitScript(`
    ${await readFile(webVitals, 'utf8')}
    localStorage.setItem('zonedeck.auth', ${JSON.stringify(stored)})
    window.inp = 0
    webVitals.onINP(({ value }) => { window.inp = value }, { reportAllChanges: true, durationThreshold: 16 })`)
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('main h1').waitFor()
  await settle(page)
  return page
}

/** The 95th percentile of the time between two frames while about 10,000 rows are scrolled. */
async function scroll(page: Page): Promise<number> {
  await firstRow(page).waitFor()
  await page.mouse.move(700, 600)
  await page.evaluate(`
    window.frames60 = []
    let before = performance.now()
    const next = (now) => { window.frames60.push(now - before); before = now; requestAnimationFrame(next) }
    requestAnimationFrame(next)`)
  for (let step = 0; step < 120; step += 1) await page.mouse.wheel(0, 3_000)
  return percentile(z.array(z.number()).parse(await page.evaluate('window.frames60.slice(1)')), 0.95)
}

export const interactionsBench: Bench = {
  about:
    'interaction to next paint (`web-vitals`, the slowest of 20) over 100,000 domains in Chromium on an unthrottled desktop; needs npm run build',
  async run(report) {
    const { origin, stored, domainId, close } = await startFilledPanel()
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
    const against = { kind: 'at most', value: limitMs, what: 'limit' } as const
    try {
      for (const { name, act, start } of interactions) {
        const page = await openPage(browser, `${origin}/domains${start === 'domain' ? `/${domainId}` : ''}`, stored)
        for (let turn = 0; turn < times; turn += 1) {
          await act(page, turn)
          await settle(page)
        }
        report({ name, value: z.number().parse(await page.evaluate('window.inp')), unit: 'ms', against })
        await page.context().close()
      }
      const page = await openPage(browser, `${origin}/domains`, stored)
      report({ name: 'scrolling 10,000 rows, between two frames, 95th percentile', value: await scroll(page), unit: 'ms', against })
    } finally {
      await browser.close()
      await close()
    }
  },
}
