import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const impacts = ['minor', 'moderate', 'serious', 'critical'] as const
type Impact = (typeof impacts)[number]

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly impact: Impact | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

interface Looked {
  /** A selector; the whole page if absent. */
  readonly within?: string
  readonly least?: Impact
}

/** As another window of the same person chooses it. */
async function show(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((newValue) => window.dispatchEvent(new StorageEvent('storage', { key: 'zonedeck.theme', newValue })), theme)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
}

/** What axe finds of what is shown, dark and light; serious things and worse if not told otherwise. The page is dark before and after. */
export async function axeFindings(page: Page, { within, least = 'serious' }: Looked = {}): Promise<string[]> {
  const find = async (theme: 'dark' | 'light', rules: readonly string[]) => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    // Half faded in, everything is of low contrast.
    await expect.poll(() => page.evaluate(() => document.getAnimations().some((moving) => moving instanceof CSSTransition))).toBe(false)
    const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })
    const { violations } = await page.evaluate<Found>(`axe.run(${JSON.stringify(within) ?? 'document'}, ${options})`)
    return violations
      .filter(({ impact }) => impact === null || impacts.indexOf(impact) >= impacts.indexOf(least))
      .map(({ id, nodes }) => `${theme}, ${id}: ${nodes[0]?.html ?? ''}`)
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script)
  const dark = await find('dark', ['wcag2a', 'wcag2aa', 'wcag21aa'])
  await show(page, 'light')
  // Another theme is other colours and nothing else.
  const light = await find('light', ['color-contrast'])
  await show(page, 'dark')
  return [...dark, ...light]
}
