import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 up to AA, and the best-practice rules of axe. */
const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

interface Looked {
  /** A selector; defaults to the whole page. */
  readonly within?: string
  /** Also checks the width of a phone. */
  readonly phone?: boolean
}

/** Selects the theme. A page that is not the client's follows the color scheme of the system. */
async function show(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  if ((await page.locator('html[data-mantine-color-scheme]').count()) === 0) return
  await page.evaluate((newValue) => window.dispatchEvent(new StorageEvent('storage', { key: 'zonedeck.theme', newValue })), theme)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
}

const sidewards = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Returns the axe violations of the visible page, dark and light; with `phone` also narrow, where nothing may scroll sideways. Restores the dark
 * theme and the width.
 */
export async function axeFindings(page: Page, { within, phone = false }: Looked = {}): Promise<string[]> {
  const find = async (where: string, rules: object) => {
    await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0)
    // During a fade-in everything has low contrast.
    await expect.poll(() => page.evaluate(() => document.getAnimations().some((moving) => moving instanceof CSSTransition))).toBe(false)
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'] })
    const { violations } = await page.evaluate<Found>(`axe.run(${JSON.stringify(within) ?? 'document'}, ${options})`)
    return violations.map(({ id, nodes }) => `${where}, ${id}: ${nodes.map(({ html }) => html).join('\n')}`)
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script)
  const wide = page.viewportSize()
  const tags = { type: 'tag', values: everything }
  const findings = await find('dark', { runOnly: tags })
  await show(page, 'light')
  // The light theme only changes colors, and the narrow layout reuses them, so the combination needs no run.
  findings.push(...(await find('light', { runOnly: { type: 'rule', values: ['color-contrast'] } })))
  await show(page, 'dark')
  if (!phone || wide === null) return findings
  await page.setViewportSize({ width: 390, height: 844 })
  findings.push(...(await find('phone', { runOnly: tags, rules: { 'color-contrast': { enabled: false } } })))
  if ((await sidewards(page)) > 0) findings.push('phone, scrolls sideways')
  await page.setViewportSize(wide)
  return findings
}
