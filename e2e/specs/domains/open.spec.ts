import type { Page } from 'playwright/test'
import { deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 400, accounts: 6 }, accounts: 3 })

const rowAt = (page: Page, index: number) => page.locator(`#row-${index}`)

/** The zones of the owner's accounts at Cloudflare, in the panel's order. */
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

test('R-RTE-05 sorting covers all domains and is kept in the URL', async ({ mine, t }) => {
  await mine.goto('/domains?sort=-name')
  await expect(rowAt(mine, 0)).toContainText(zones().at(-1)?.name ?? '?')
  await mine
    .getByRole('columnheader')
    .getByRole('button', { name: t('domains:columns.name') })
    .click()
  await expect(rowAt(mine, 0)).toContainText(zones()[0]?.name ?? '?')
  await expect(mine).not.toHaveURL(/sort=/)
})

test('R-RTE-05 unknown search parameters are removed from the URL', async ({ mine }) => {
  await mine.goto('/domains?status=nonsense&page=3&sort=-name')
  await expect(rowAt(mine, 0)).toContainText(zones().at(-1)?.name ?? '?')
  await expect(mine).toHaveURL(/\/domains\?sort=-name$/)
})

test('a row opens its domain, and going back keeps the filter', async ({ mine }) => {
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
