import { expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 3 })

test('R-DOM-03 on a phone rows are cards, filters a sheet, and nothing scrolls sideways at 360 px', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto('/domains')
  const cards = mine.getByRole('article')
  await expect(cards.first()).toBeVisible()
  expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)

  await mine.getByRole('button', { name: t('common:filters.title') }).tap()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('domains:filters.status') })
    .tap()
  await mine.getByRole('option', { name: t('domains:status.active') }).tap()
  await mine.getByRole('button', { name: t('common:filters.apply') }).tap()
  await expect(mine).toHaveURL(/status=active/)

  await cards.nth(1).getByRole('checkbox').tap()
  await expect(mine.getByRole('toolbar')).toBeVisible()
  await cards.nth(1).getByRole('link').first().tap()
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(mine).toHaveURL(/\/domains\/[\da-f-]{36}$/)
})
