import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import type { texts } from '../../texts.ts'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import type { Session } from '../../fixtures.ts'

useDeck({ world: { zones: 10, accounts: 1 }, accounts: 1 })

type Words = ReturnType<typeof texts>

const group = z.object({ group: z.object({ id: z.uuid() }) })
const zones = z.object({ data: z.array(z.object({ id: z.uuid(), displayName: z.string() })) })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
/** Selects one value of a filter. */
async function choose(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('search').getByRole('button', { name: filter, exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${value}( ·|$)`) }).click()
}

let boris: Session
test.beforeAll(async () => {
  boris = await register('Boris')
  const { group: made } = await call('POST', '/groups', group, { name: 'Shops' })
  await call('PATCH', `/groups/${made.id}`, z.unknown(), { name: 'Stores', description: 'All of them' })
  await call('POST', '/groups', group, { name: 'Of Boris' }, boris.token)
})

async function journey(page: Page, t: Words): Promise<void> {
  await page.goto('/activity-logs')
  await expect(page.getByRole('heading', { level: 1, name: t('activity:title') })).toBeVisible()
  const changed = row(page, 'Shops').filter({ hasText: t('activity:actions.update') })
  await expect(changed).toContainText('Stores')
  await expect(row(page, 'Of Boris')).toContainText('Boris')

  // The details of an entry show before and after.
  await changed.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row').filter({ hasText: t('activity:fields.name') })).toContainText('ShopsStores')
  await expect(dialog).toContainText(t('activity:kinds.user'))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Filters are in the URL and combine.
  await choose(page, t('activity:filters.action'), t('activity:actions.create'))
  await choose(page, t('activity:filters.entity'), t('activity:entities.group'))
  await expect(page).toHaveURL(/action=create/)
  await expect(page).toHaveURL(/entity=group/)
  await expect(row(page, 'Of Boris')).toBeVisible()
  await expect(changed).toHaveCount(0)
  await choose(page, t('activity:filters.user'), 'Boris')
  await expect(row(page, 'Shops')).toHaveCount(0)
  await expect(row(page, 'Of Boris')).toBeVisible()
  await page.reload()
  await expect(row(page, 'Of Boris')).toBeVisible()
  await expect(row(page, 'Shops')).toHaveCount(0)
  await choose(page, t('activity:filters.kind'), t('activity:kinds.token'))
  await expect(page.getByText(t('activity:no_match.title'))).toBeVisible()
  await page.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(changed).toBeVisible()
}

test('R-LOG-01 R-LOG-02 the log shows who changed what, before and after, with every filter, in Russian', async ({ mine, t }) => {
  await journey(mine, t)
})

test('R-LOG-01 R-LOG-02 the log shows who changed what, before and after, with every filter, in English', async ({ mine, en }) => {
  await mine.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await journey(mine, en)
})

test('R-LOG-02 the statistics count entries, and each of them is a filter', async ({ mine, t }) => {
  await mine.goto('/activity-logs')
  const today = mine.getByRole('button', { name: new RegExp(`^${t('activity:windows.today')}`) })
  await expect(today).not.toContainText(/^\D*$/)
  await today.click()
  await expect(today).toHaveAttribute('aria-pressed', 'true')
  await expect(mine).toHaveURL(/from=\d{4}-\d\d-\d\d/)
  const charts = mine.getByRole('region', { name: t('activity:charts.label') })
  await expect(charts.getByRole('table').getByRole('row')).toHaveCount(8)
  await charts.getByRole('button', { name: new RegExp(`^${t('activity:entities.group')}:`) }).click()
  await expect(mine).toHaveURL(/entity=group/)
  await expect(row(mine, 'Stores')).toBeVisible()
  await expect(row(mine, t('activity:actions.login'))).toHaveCount(0)
  // A custom range of days.
  await mine.getByRole('button', { name: new RegExp(`^${t('activity:filters.dates')}:`) }).click()
  await mine.getByRole('button', { name: t('common:calendar.previous') }).click()
  const days = mine.locator('button[data-day], table button').filter({ hasText: /^1[05]$/ })
  await days.first().click()
  await days.last().click()
  await expect(mine).toHaveURL(/from=\d{4}-\d\d-10.*to=\d{4}-\d\d-15/)
  await expect(mine.getByText(t('activity:no_match.title'))).toBeVisible()
})

test('R-LOG-02 an entry links to the timeline of its domain', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live', zones)
  const [zone] = data
  if (zone === undefined) throw new Error('there is no domain')
  const { group: made } = await call('POST', '/groups', group, { name: 'Led' })
  await call('PATCH', `/zones/${zone.id}/group`, z.unknown(), { groupId: made.id })
  await mine.goto('/activity-logs?entity=zone')
  await row(mine, 'Led').getByRole('link', { name: zone.displayName }).click()
  await expect(mine).toHaveURL(new RegExp(`/domains/${zone.id}/history`))
  await expect(mine.getByText('Led').first()).toBeVisible()
  await mine.goBack()
  await expect(row(mine, 'Led')).toContainText(t('activity:entities.zone'))
})

test('the exported log contains what the filters match', async ({ mine, t }) => {
  await mine.goto('/activity-logs?entity=group&action=update')
  await expect(row(mine, 'Shops')).toBeVisible()
  const waiting = mine.waitForEvent('download')
  await mine.getByRole('button', { name: t('activity:export') }).click()
  const file = readFileSync(await (await waiting).path(), 'utf8')
  expect(file).toContain('time,actor,actor_id,actor_username,by,')
  expect(file.trimEnd().split('\r\n')).toHaveLength(2)
  expect(file).toContain('Shops')
})

test('R-PRM-02 a user sees their own entries and has no owner filter', async ({ page, t }) => {
  await signIn(page, boris)
  await page.goto('/activity-logs')
  await expect(row(page, 'Of Boris')).toBeVisible()
  await expect(row(page, 'Shops')).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('activity:filters.owner'), exact: true })).toHaveCount(0)
})

test('R-PAL-01 the palette and a keyboard shortcut open the log', async ({ mine, t }) => {
  await mine.goto('/groups')
  await expect(mine.getByRole('heading', { level: 1, name: t('groups:title') })).toBeVisible()
  // Pressed together: on a slow machine the shortcut would time out between the keys.
  await Promise.all(['g', 'l'].map((key) => mine.keyboard.press(key)))
  await expect(mine).toHaveURL(/\/activity-logs/)
  await mine.goto('/groups')
  await expect(mine.getByRole('heading', { level: 1, name: t('groups:title') })).toBeVisible()
  await mine.keyboard.press('Control+k')
  await mine.getByPlaceholder(t('shell:palette.placeholder')).fill(t('shell:nav.activity'))
  await expect(mine.getByRole('dialog').locator('button[data-action]').first()).toContainText(t('shell:nav.activity'))
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(/\/activity-logs/)
})

test('axe finds no violations in the log, dark and light', async ({ mine, t }) => {
  await mine.goto('/activity-logs')
  await expect(row(mine, 'Shops').first()).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])
  await row(mine, 'Shops').first().click()
  await expect(mine.getByRole('dialog')).toContainText(t('activity:dialog.time'))
  expect(await axeFindings(mine)).toEqual([])
})

test('a log that failed to load shows an error and can be retried', async ({ mine, t }) => {
  const retry = await failUntilRetry(mine, /activity\.list/)
  await mine.goto('/activity-logs')
  await expect(mine.getByText(t('activity:failed'))).toBeVisible()
  // The error of the statistics, which load with the list, may come first.
  await retry(mine.getByRole('button', { name: t('common:retry') }).last())
  await expect(row(mine, 'Shops').first()).toBeVisible()
})
