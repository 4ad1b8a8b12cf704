import type { Page } from 'playwright/test'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2, world: { zones: 40, accounts: 2 } })

const zones = z.object({
  data: z.array(z.object({ id: z.uuid(), accountId: z.uuid(), traffic: z.object({ requests: z.number() }).nullable() })),
})
const readZones = async (query = '') => (await call('GET', `/zones/live${query}`, zones)).data
const rows = (page: Page) => page.getByRole('grid').locator('[role=row][data-id]')
const cell = (page: Page, column: string) => rows(page).first().locator(`[data-column=${column}]`)
const totals = z.object({
  totals: z.array(
    z.object({ id: z.uuid().nullable(), name: z.string().nullable(), domains: z.number(), month: z.object({ requests: z.number() }) }),
  ),
})
const readTotals = async (by: string) => (await call('GET', `/traffic/totals?by=${by}`, totals)).totals

/** The panel reads traffic automatically, and then sums it. */
async function waitForTotals(): Promise<void> {
  await expect.poll(async () => (await readZones()).filter(({ traffic }) => traffic === null).length, { timeout: 120_000 }).toBe(0)
  const count = (await readZones()).length
  const summed = async () => (await readTotals('account')).reduce((sum, { domains }) => sum + domains, 0)
  await expect.poll(summed, { timeout: 120_000 }).toBe(count)
}

test('traffic is summed by account and group for each period, leads to the domains, and has the lists for cleaning up', async ({
  mine,
  t,
}) => {
  test.setTimeout(300_000)
  await waitForTotals()
  const [busiest] = await readTotals('account')
  await mine.setViewportSize({ width: 1366, height: 900 })
  await mine.goto('/domains/traffic')
  await expect(rows(mine)).toHaveCount(1)
  await expect(cell(mine, 'name')).toContainText(t('traffic:no_group'))
  await expect(cell(mine, 'name')).toContainText(t('traffic:no_group_opens'))
  await expect(mine.getByText(t('traffic:clean_up.note'))).toBeVisible()
  const tabs = mine.getByRole('navigation', { name: t('traffic:tabs') })
  await tabs.getByRole('link', { name: t('traffic:by_many.account') }).click()
  await expect(tabs.locator('[aria-current=page]')).toHaveText(t('traffic:by_many.account'))
  await expect(mine).toHaveURL(/by=account/)
  await expect(rows(mine)).toHaveCount(2)
  await expect(cell(mine, 'name')).toHaveText(busiest?.name ?? '')
  await expect(cell(mine, 'trend').locator('svg')).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])
  const month = await cell(mine, 'requests').textContent()
  await mine.getByText(t('traffic:period.day'), { exact: true }).click()
  await expect(mine).toHaveURL(/period=day/)
  await expect(cell(mine, 'requests')).not.toHaveText(month ?? '')

  const idle = await readZones('?traffic=idle')
  const link = mine.getByRole('link', { name: new RegExp(`^${t('traffic:clean_up.idle')}`) })
  await expect(link).toHaveText(`${t('traffic:clean_up.idle')}: ${idle.length}`)
  await link.click()
  await expect(mine).toHaveURL(/\/domains\?traffic=idle/)

  await mine.goto('/domains/traffic?by=account')
  await rows(mine).first().locator('[data-column=name]').click()
  await expect(mine).toHaveURL(new RegExp(`account=${busiest?.id ?? ''}&sort=-requests`))
})

test('until the accounts are loaded, the groups that are still shown cannot be opened', async ({ mine, t }) => {
  test.setTimeout(300_000)
  await waitForTotals()
  await mine.goto('/domains/traffic')
  await expect(cell(mine, 'name')).toContainText(t('traffic:no_group'))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await mine.route(/traffic\.totals/, async (route) => {
    await released
    await route.continue()
  })
  const tabs = mine.getByRole('navigation', { name: t('traffic:tabs') })
  await tabs.getByRole('link', { name: t('traffic:by_many.account') }).click()
  await expect(mine).toHaveURL(/by=account/)
  await cell(mine, 'requests').click()
  release()
  await expect(rows(mine)).toHaveCount(2)
  await expect(mine).toHaveURL(/\/domains\/traffic\?by=account/)
})

test('traffic that fails to load is loaded by Retry, and the page is found by its name in the palette', async ({ mine, t }) => {
  test.setTimeout(300_000)
  await waitForTotals()
  await mine.goto('/accounts')
  await mine.getByRole('heading', { level: 1 }).waitFor()
  await mine.keyboard.press('Control+k')
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('textbox').fill(t('traffic:title'))
  await dialog
    .locator('button[data-action]')
    .filter({ hasText: t('traffic:title') })
    .first()
    .click()
  await expect(mine).toHaveURL(/\/domains\/traffic$/)
  await expect(rows(mine)).toHaveCount(1)
  const retry = await failUntilRetry(mine, /traffic\.totals/)
  await mine.reload()
  await retry(mine.getByRole('button', { name: t('common:retry') }))
  await expect(rows(mine)).toHaveCount(1)
})
