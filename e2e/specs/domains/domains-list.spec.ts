import type { Page } from 'playwright/test'
import { deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 400, accounts: 6 }, accounts: 3 })

const expectCount = (page: Page, count: number) => expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(count + 1))
const rowAt = (page: Page, index: number) => page.locator(`#row-${index}`)

/** What the owner's accounts hold at Cloudflare, sorted as the panel does. */
function zones() {
  const accounts = new Set(
    deck()
      .credentials.slice(0, 3)
      .map(({ accountId }) => accountId),
  )
  return [...deck().cloudflare.state.zonesById.values()]
    .filter((zone) => accounts.has(zone.account.id))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

test('R-DOM-01 a tile counts and filters, and looks pressed', async ({ mine, t }) => {
  await mine.goto('/domains')
  await expectCount(mine, zones().length)
  const active = mine.getByRole('button', { name: t('domains:tiles.active') })
  const activeZones = zones().filter(({ status }) => status === 'active')
  await expect(active).toContainText(String(activeZones.length))
  await active.click()
  await expect(active).toHaveAttribute('aria-pressed', 'true')
  await expect(mine).toHaveURL(/status=active/)
  await expectCount(mine, activeZones.length)
  await active.click()
  await expectCount(mine, zones().length)
})

test('R-DOM-02 R-RTE-05 filters combine, are a link, and a reset takes them away', async ({ mine, browser, t }) => {
  const part = zones()[5]?.name.slice(0, 4) ?? ''
  const expected = zones().filter(({ name, status }) => name.includes(part) && status === 'active')
  await mine.goto('/domains')
  await mine.getByRole('searchbox').fill(part.toUpperCase())
  await mine
    .getByRole('search')
    .getByRole('button', { name: t('domains:filters.status'), exact: true })
    .click()
  await mine.getByRole('option', { name: t('domains:status.active') }).click()
  await expectCount(mine, expected.length)
  for (const [index, { name }] of expected.slice(0, 5).entries()) await expect(rowAt(mine, index)).toContainText(name)

  const stored = await mine.evaluate(() => localStorage.getItem('zonedeck.auth') ?? '')
  const other = await browser.newContext({ baseURL: new URL(mine.url()).origin })
  await other.addInitScript((value) => localStorage.setItem('zonedeck.auth', value), stored)
  const elsewhere = await other.newPage()
  await elsewhere.goto(mine.url())
  await expectCount(elsewhere, expected.length)
  await other.close()

  // The persisted filter fills in where the address says nothing (R-APP-05).
  await mine.goto('/accounts')
  await mine.goto('/domains')
  await expectCount(mine, expected.length)
  await mine.getByRole('button', { name: t('domains:tiles.total') }).click()
  await expectCount(mine, zones().length)
})

test('R-DOM-02 a search without a match says so and offers the way back', async ({ mine, t }) => {
  await mine.goto('/domains')
  await mine.getByRole('searchbox').fill('<b>нет такого</b> 🦊')
  await expect(mine.getByText(t('domains:empty.no_match'))).toBeVisible()
  await mine.getByRole('button', { name: t('domains:empty.reset') }).click()
  await expectCount(mine, zones().length)
})

test('R-RTE-05 sorting happens over all domains and is in the address', async ({ mine }) => {
  await mine.goto('/domains?sort=-name')
  await expect(rowAt(mine, 0)).toContainText(zones().at(-1)?.name ?? '?')
  await mine.getByRole('columnheader').filter({ hasText: 'Домен' }).click()
  await expect(rowAt(mine, 0)).toContainText(zones()[0]?.name ?? '?')
  await expect(mine).not.toHaveURL(/sort=/)
})

test('R-DOM-04 Shift selects a range, and all that match can be selected', async ({ mine, t }) => {
  await mine.goto('/domains')
  await rowAt(mine, 2).getByRole('checkbox').click()
  await rowAt(mine, 9)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  const bar = mine.getByRole('toolbar')
  await expect(bar).toContainText(t('domains:selection.count', { count: 8, total: '8' }))
  await expect(rowAt(mine, 5)).toHaveAttribute('aria-selected', 'true')
  await expect(rowAt(mine, 10)).toHaveAttribute('aria-selected', 'false')

  const all = zones().length
  await bar.getByRole('button', { name: t('domains:selection.all_matching', { count: all, total: String(all) }) }).click()
  await expect(bar).toContainText(t('domains:selection.count', { count: all, total: String(all) }))
  await mine.keyboard.press('Escape')
  await expect(bar).toBeHidden()
})

test('R-DOM-12 the link of a domain is copied', async ({ mine, context, t }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await mine.goto('/domains')
  const name = zones()[0]?.name ?? '?'
  await expect(rowAt(mine, 0)).toContainText(name)
  await rowAt(mine, 0).hover()
  await rowAt(mine, 0)
    .getByRole('button', { name: t('domains:actions.copy_link') })
    .click()
  await expect.poll(() => mine.evaluate(() => navigator.clipboard.readText())).toContain(name)
})

test('R-DOM-12 a refused clipboard is told', async ({ mine, t }) => {
  await mine.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } })
  })
  await mine.goto('/domains')
  await rowAt(mine, 0).hover()
  await rowAt(mine, 0)
    .getByRole('button', { name: t('domains:actions.copy_link') })
    .click()
  await expect(mine.getByText(t('domains:actions.copy_link_failed'))).toBeVisible()
})

test('R-DOM-03 the grid shows the same domains as cards, and the choice is in the address', async ({ mine, t }) => {
  await mine.goto('/domains')
  await mine.getByText(t('domains:view.grid'), { exact: true }).locator('..').click()
  await expect(mine).toHaveURL(/view=grid/)
  const cards = mine.getByRole('list', { name: t('domains:title') }).getByRole('listitem')
  await expect(cards.first()).toContainText(zones()[0]?.name ?? '?')
  await expect(cards.first()).toHaveAttribute('aria-setsize', String(zones().length))
})

test('a pasted list of names tells which are ours, and in which account', async ({ mine, t }) => {
  const ours = zones().slice(0, 3)
  await mine.goto('/domains/lookup')
  await mine
    .getByLabel(t('domains:lookup.label'))
    .fill([...ours.map(({ name }) => `https://${name.toUpperCase()}/path`), 'absent.example', 'не домен!', ours[0]?.name].join('\n'))
  await mine.getByRole('button', { name: t('domains:lookup.check') }).click()
  const tile = (label: string) => mine.getByRole('button', { name: label })
  await expect(tile(t('domains:lookup.ours'))).toContainText('3')
  await expect(tile(t('domains:lookup.absent'))).toContainText('1')
  await expect(tile(t('domains:lookup.repeated'))).toContainText('1')
  await tile(t('domains:lookup.ours')).click()
  await expect(mine.getByRole('grid')).toContainText(
    deck().credentials.find(({ accountId }) => accountId === ours[0]?.account.id)?.email ?? '?',
  )
})

test('a row opens its domain, and the way back keeps the filter', async ({ mine }) => {
  const wanted = zones().filter(({ status }) => status === 'active')[0]
  await mine.goto('/domains?status=active')
  await rowAt(mine, 0)
    .getByText(wanted?.name ?? '?')
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(wanted?.name ?? '?')
  await mine.goBack()
  await expect(mine).toHaveURL(/status=active/)
  await expect(rowAt(mine, 0)).toContainText(wanted?.name ?? '?')
})

test('never more than 200 rows are in the page, and the last one is reached', async ({ mine }) => {
  await mine.goto('/domains')
  await expectCount(mine, zones().length)
  await mine.getByRole('grid').focus()
  await mine.keyboard.press('End')
  await expect(rowAt(mine, zones().length - 1)).toContainText(zones().at(-1)?.name ?? '?')
  expect(await mine.getByRole('row').count()).toBeLessThanOrEqual(200)
})
