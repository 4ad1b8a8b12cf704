import type { Page } from 'playwright/test'
import { fillDeck } from '../../filled-deck.ts'
import type { Filled } from '../../filled-deck.ts'
import { expect, test, useDeck } from '../../fixtures.ts'
import { installProbe } from '../../layer-probe.ts'
import { open, still } from '../../open-page.ts'
import { addressOf, openPaths, routePaths } from '../../route-pages.ts'
import { installTableProbe } from '../../table-probe.ts'
import { languages } from '#shared/i18n/languages.ts'

useDeck({ world: { zones: 40, accounts: 2, plain: true }, accounts: 2 })

// Each test visits every page.
test.describe.configure({ timeout: 600_000 })

let filled: Filled
test.beforeAll(async () => {
  test.setTimeout(300_000)
  filled = await fillDeck()
})

const widths = [1920, 1440, 1366, 1280, 1100, 390]

const pageAddresses = (): Set<string> =>
  new Set(
    routePaths()
      // The root redirects to the domains, which are opened once.
      .filter((path) => !openPaths.includes(path) && path !== '/second-factor' && path !== '/')
      .map((path) => addressOf(path, filled)),
  )
const listTabs = async (page: Page): Promise<string[]> =>
  (await page.evaluate(() => window.probe.tabs())).filter((tab) => /^[^?]+\?tab=\w+$/.test(tab))

/** Shows every column of the table, including those hidden by default. */
async function showAllColumns(page: Page, words: string): Promise<void> {
  const button = page.getByRole('button', { name: words })
  if ((await button.count()) === 0) return
  await button.click()
  const menu = page.getByRole('group', { name: words })
  const hidden = menu.getByRole('checkbox', { checked: false })
  await expect(menu).toBeVisible()
  // The last option is not a column: it increases the row height.
  while ((await hidden.count()) > 1) await hidden.first().click()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
}

test('every table shows every column at every width: cells align with their headers, nothing overlaps, and truncated text shows its full value', async ({
  mine,
  t,
}) => {
  await mine.addInitScript(installProbe)
  await mine.addInitScript(installTableProbe)
  const addresses = pageAddresses()
  const looked = new Set<string>()
  for (const address of addresses) {
    await mine.setViewportSize({ width: 1920, height: 900 })
    // Later widths are window resizes.
    await open(mine, address, 'navigate')
    for (const tab of await listTabs(mine)) addresses.add(tab)
    if ((await mine.getByRole('grid').count()) > 0) {
      for (const width of [1366, 1100]) {
        await mine.setViewportSize({ width, height: 900 })
        await still(mine, 60)
        expect.soft(await mine.evaluate(() => window.tables.wider()), `${address}: columns shown at first fit ${width}`).toEqual([])
      }
    }
    await showAllColumns(mine, t('common:table.columns'))
    for (const width of widths) {
      await mine.setViewportSize({ width, height: 900 })
      await still(mine, 60)
      const { tables, faults } = await mine.evaluate(() => window.tables.look())
      expect.soft(faults, `${address} at ${width}`).toEqual([])
      for (const table of tables) looked.add(table)
      if (tables.length === 0) break
    }
  }
  expect(looked.size).toBeGreaterThan(12)
})

const cutOff = (page: Page): Promise<string[]> => page.evaluate(() => window.tables.cutOff())

for (const language of languages.filter((each) => each !== 'ru')) {
  test(`R-LAY-02 no page cuts off text at a width of 390 px (${language})`, async ({ mine }) => {
    await mine.addInitScript(installProbe)
    await mine.addInitScript(installTableProbe)
    await mine.addInitScript((selected) => localStorage.setItem('zonedeck.language', selected), language)
    await mine.setViewportSize({ width: 390, height: 844 })
    const addresses = pageAddresses()
    for (const address of addresses) {
      await open(mine, address, 'navigate')
      for (const tab of await listTabs(mine)) addresses.add(tab)
      expect.soft(await cutOff(mine), address).toEqual([])
    }
  })
}

test('a column fits its content until a person resizes it, and again after a double click on its edge', async ({ mine, t }) => {
  await mine.goto('/accounts')
  const head = mine.getByRole('columnheader', { name: t('accounts:column.health') })
  const edge = mine.getByRole('separator', { name: t('common:table.resize', { column: t('accounts:column.health') }) })
  const width = async () => (await head.boundingBox())?.width ?? 0
  await expect(mine.getByRole('row').nth(1)).toContainText('@')
  for (let presses = 0; presses < 6; presses += 1) await edge.press('ArrowRight')
  const sized = await width()
  await edge.dblclick()
  await expect.poll(width).toBeLessThan(sized - 32)
})

/** Pages are loaded whole at one narrow and one wide width, and entered from another page at the others. */
const loadedAt = [390, 1366]

for (const width of widths) {
  const narrow = width === 390
  const title = `every page reserves space for loading content: there is no layout shift at a width of ${width} px`
  test(narrow ? `R-LAY-02 ${title}, and no text is cut off (ru)` : title, async ({ mine }) => {
    await mine.addInitScript(installProbe)
    await mine.addInitScript(installTableProbe)
    await mine.setViewportSize({ width, height: 900 })
    const addresses = pageAddresses()
    for (const address of addresses) {
      await open(mine, address, loadedAt.includes(width) ? 'load' : 'navigate')
      const { sum, moved } = await mine.evaluate(() => window.tables.shifts())
      expect.soft(sum, `${address}: ${moved.join(' | ')}`).toBeLessThan(0.01)
      if (narrow) expect.soft(await cutOff(mine), address).toEqual([])
      for (const tab of await listTabs(mine)) addresses.add(tab)
    }
  })
}
