import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 up to AA, and what its makers hold for good practice. */
const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

interface Looked {
  /** A selector; the whole page if absent. */
  readonly within?: string
  /** Also with the width of a phone. */
  readonly phone?: boolean
}

/** As another window of the same person chooses it. A page of another maker than the client's has the theme that the system has. */
async function show(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  if ((await page.locator('html[data-mantine-color-scheme]').count()) === 0) return
  await page.evaluate((newValue) => window.dispatchEvent(new StorageEvent('storage', { key: 'zonedeck.theme', newValue })), theme)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
}

const sidewards = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** What axe finds of what is shown, dark and light; with `phone` also narrow, where nothing may scroll sideways. The page is dark and as wide as it was after. */
export async function axeFindings(page: Page, { within, phone = false }: Looked = {}): Promise<string[]> {
  const find = async (where: string, rules: object) => {
    await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0)
    // Half faded in, everything is of low contrast.
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
  // Another theme is other colours and nothing else; a narrow page has other parts in the same colours.
  findings.push(...(await find('light', { runOnly: { type: 'rule', values: ['color-contrast'] } })))
  await show(page, 'dark')
  if (!phone || wide === null) return findings
  await page.setViewportSize({ width: 390, height: 844 })
  findings.push(...(await find('phone', { runOnly: tags, rules: { 'color-contrast': { enabled: false } } })))
  if ((await sidewards(page)) > 0) findings.push('phone, scrolls sideways')
  await page.setViewportSize(wide)
  return findings
}
