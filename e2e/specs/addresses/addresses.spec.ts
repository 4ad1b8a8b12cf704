import { isIPv4 } from 'node:net'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2, world: { zones: 24, accounts: 2, plain: true } })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), recordsCount: z.int().nullable(), originIPs: z.array(z.string()) })) })
const allZones = async () => (await call('GET', '/zones/live?limit=1000', zones)).data
const behind = async (address: string) => (await allZones()).filter(({ originIPs }) => originIPs.includes(address)).length
type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
const many = (count: number) => ({ count, formatted: String(count) })
const [from, to] = ['203.0.113.10', '203.0.113.20']

test.beforeAll(async () => {
  await expect
    .poll(async () => (await allZones()).every(({ recordsCount }) => recordsCount !== null), {
      message: 'records are read',
      timeout: 60_000,
    })
    .toBe(true)
  await call('POST', '/zones/bulk-ip-address', z.unknown(), { ids: (await allZones()).map(({ id }) => id), ipAddress: from })
  const others = async () =>
    (await allZones()).flatMap(({ originIPs }) => originIPs).filter((address) => isIPv4(address) && address !== from)
  await expect.poll(others, { timeout: 60_000 }).toEqual([])
})

/** Opens the address, previews moving all of its domains, and starts a trial. Returns the number of domains. */
async function beginMove(page: Page, t: Texts): Promise<number> {
  const count = await behind(from)
  await page.goto('/addresses')
  await page.getByRole('searchbox', { name: t('addresses:search') }).fill(from)
  await page.getByRole('grid').getByText(from, { exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('addresses:behind', many(count)))
  await dialog.getByRole('button', { name: t('addresses:move.open') }).click()
  await dialog.getByLabel(t('addresses:move.address')).fill(from)
  await dialog.getByRole('button', { name: t('addresses:move.preview') }).click()
  await expect(dialog.getByText(t('addresses:move.same'))).toBeVisible()
  await dialog.getByLabel(t('addresses:move.address')).fill(to)
  await dialog.getByRole('button', { name: t('addresses:move.preview') }).click()
  await expect(page.getByRole('checkbox', { name: t('operations:start.trial') })).toBeChecked()
  await page.getByRole('button', { name: t('operations:start.run_trial', many(5)), exact: true }).click()
  await expect(page.getByRole('region', { name: t('operations:trial.label') })).toContainText(
    t('operations:trial.title', { done: '5', ...many(count) }),
  )
  return count
}

test('moving all domains of an address starts with a trial, and a failed trial can be undone', async ({ mine, t }) => {
  const count = await beginMove(mine, t)
  await expect.poll(() => behind(to)).toBe(5)
  await mine
    .getByRole('region', { name: t('operations:trial.label') })
    .getByRole('button', { name: t('operations:page.undo') })
    .click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:preview.run_undo', many(5)), exact: true })
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.undo'))
  await expect(mine.getByText(t('operations:states.done'), { exact: true })).toBeVisible()
  await expect.poll(() => behind(from)).toBe(count)
})

test('moving all domains of an address starts with a trial, and a successful trial continues with the rest', async ({ mine, t }) => {
  const count = await beginMove(mine, t)
  await mine.getByRole('button', { name: t('operations:trial.go_on') }).click()
  await expect(mine.getByText(t('operations:states.done'), { exact: true })).toBeVisible()
  await expect.poll(() => behind(to)).toBe(count)
  expect(await behind(from)).toBe(0)
  await mine.goto('/addresses')
  await expect(mine.getByRole('grid').getByText(to, { exact: true })).toBeVisible()
  await expect(mine.getByRole('grid').getByText(from, { exact: true })).toBeHidden()
})
