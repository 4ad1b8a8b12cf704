import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, hearing, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2, world: { zones: 30, accounts: 2, plain: true } })

const zones = z.object({
  data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), sslMode: z.string().nullable() })),
})
const activeZones = async () => (await call('GET', '/zones/live?status=active&limit=1000', zones)).data
type Zone = Awaited<ReturnType<typeof activeZones>>[number]
type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']

const many = (count: number) => ({ count, formatted: String(count) })
const few = 5
/** The security level at the provider. */
const levelAt = ({ zoneId: providerZoneId }: Zone): unknown => {
  const zone = deck().cloudflare.state.zonesById.get(providerZoneId)
  return zone && deck().cloudflare.state.changesOf(zone).settings.get('security_level')?.value
}
const dock = (page: Page, t: Texts): Locator => page.getByRole('complementary', { name: t('operations:dock.label') })
const state = (page: Page, t: Texts, name: 'paused' | 'done' | 'partly' | 'cancelled' | 'scheduled' | 'waiting') =>
  page.getByText(t(`operations:states.${name}`), { exact: true }).first()

test.beforeAll(async () => {
  await expect
    .poll(async () => (await activeZones()).every(({ sslMode }) => sslMode !== null), { message: 'details are read', timeout: 60_000 })
    .toBe(true)
})

/** Opens the preview of another security level for all active domains. */
async function previewLevel(page: Page, t: Texts, level: 'low' | 'high' | 'under_attack'): Promise<Locator> {
  await page.goto('/domains?status=active')
  await page.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.settings'), exact: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('security:level.name')).selectOption(level)
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  return dialog
}

/** Opens the page as another user. */
async function viewer(browser: Browser, path: string): Promise<Page> {
  const { owner, panel } = deck()
  if (owner === null) throw new Error('nobody owns this world')
  const context = await browser.newContext({ baseURL: panel.url, locale: 'ru-RU', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, owner)
  const live = hearing(page)
  await page.goto(path)
  await live
  return page
}

test('R-DOM-08 a trial reports and exports its failures, another viewer continues it, and the operation is undone', async ({
  mine,
  t,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const active = await activeZones()
  const [refused] = active
  if (refused === undefined) throw new Error('no active zone')
  const heal = deck().cloudflare.faults.add({
    method: 'PATCH',
    path: `/zones/${refused.zoneId}/settings*`,
    effect: { kind: 'success-false' },
  })
  const dialog = await previewLevel(mine, t, 'under_attack')
  await dialog.getByRole('checkbox', { name: t('operations:start.trial') }).check()
  await dialog.getByRole('button', { name: t('operations:start.run_trial', many(few)) }).click()
  // The trial waits for a decision, which the dock offers too.
  await expect(dock(mine, t).getByRole('button', { name: t('operations:trial.go_on') })).toBeVisible()
  await expect(dock(mine, t).getByRole('button', { name: t('operations:page.cancel') })).toBeVisible()
  // The dock does not cover the end of the list.
  const list = mine.getByRole('grid')
  const endOfList = async (): Promise<number> => {
    await list.evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }))
    const [row, over] = await Promise.all([list.getByRole('row').last().boundingBox(), dock(mine, t).boundingBox()])
    return row === null || over === null ? 0 : over.y - (row.y + row.height)
  }
  await expect.poll(endOfList).toBeGreaterThan(0)
  // On other pages it only says that a decision is waiting, so that it covers as little as possible.
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.accounts') })
    .click()
  await expect(dock(mine, t).getByRole('button', { expanded: false })).toContainText(t('operations:dock.deciding', many(1)))
  await dock(mine, t).getByRole('button', { expanded: false }).click()
  await dock(mine, t).getByRole('link').click()

  const notice = (page: Page) => page.getByRole('region', { name: t('operations:trial.label') })
  await expect(notice(mine)).toContainText(t('operations:trial.text_failed', { formatted: '1' }))
  expect(active.filter((zone) => levelAt(zone) === 'under_attack')).toHaveLength(few - 1)

  await mine.getByRole('button', { name: t('operations:page.failures') }).click()
  const saving = mine.waitForEvent('download')
  await mine.getByRole('menuitem', { name: t('operations:page.csv_failures') }).click()
  const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${refused.name},`)
  expect(lines[1]).toContain(t('failures:codes.provider_rejected'))
  await mine.getByRole('button', { name: t('operations:page.failures') }).click()
  await mine.getByRole('menuitem', { name: t('operations:page.copy_failures') }).click()
  await expect(mine.getByText(t('operations:page.copied'))).toBeVisible()
  expect(await mine.evaluate(() => navigator.clipboard.readText())).toBe(refused.name)

  const other = await viewer(browser, new URL(mine.url()).pathname)
  await notice(other)
    .getByRole('button', { name: t('operations:trial.go_on') })
    .click()
  for (const page of [mine, other]) await expect(state(page, t, 'partly')).toBeVisible()
  await expect(notice(mine)).toBeHidden()
  expect(active.filter((zone) => levelAt(zone) === 'under_attack')).toHaveLength(active.length - 1)
  heal()

  await mine.getByRole('button', { name: t('operations:page.undo'), exact: true }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:preview.run_undo', many(active.length - 1)), exact: true })
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.undo'))
  await expect(state(mine, t, 'done')).toBeVisible()
  expect(active.filter((zone) => levelAt(zone) === 'under_attack')).toEqual([])
  await other.context().close()
})

test('a later start is picked from a calendar; until then the operation is not shown as running and can be cancelled', async ({
  mine,
  t,
}) => {
  const sent = deck().cloudflare.journal.count({ method: 'PATCH' })
  const dialog = await previewLevel(mine, t, 'high')
  await dialog.getByRole('checkbox', { name: t('operations:preview.later') }).check()
  await dialog.getByRole('button', { name: t('operations:preview.when') }).click()
  await mine.getByRole('button', { name: t('common:calendar.next') }).click()
  await mine.getByRole('button', { name: /^15 / }).click()
  await mine.getByLabel(t('common:calendar.hours')).fill('09')
  await mine.getByLabel(t('common:calendar.minutes')).fill('05')
  await mine.getByRole('button', { name: t('common:calendar.apply') }).click()
  await dialog.getByRole('button', { name: t('operations:preview.schedule') }).click()
  await mine.getByRole('button', { name: t('operations:preview.open') }).click()

  await expect(state(mine, t, 'scheduled')).toBeVisible()
  await expect(mine.getByText(t('operations:page.starts', { when: '' }).trim()).first()).toContainText(/UTC|GMT|МСК|MSK/)
  await expect(mine.getByText(/15 .*, 09:05/).first()).toBeVisible()
  await expect(dock(mine, t)).toBeHidden()

  await mine.getByRole('button', { name: t('operations:page.reschedule') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:preview.when') })
    .click()
  await mine.getByLabel(t('common:calendar.hours')).fill('10')
  await mine.getByRole('button', { name: t('common:calendar.apply') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:page.reschedule_action') })
    .click()
  await expect(mine.getByText(/15 .*, 10:05/).first()).toBeVisible()
  await mine.getByRole('button', { name: t('operations:page.cancel') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:page.cancel') })
    .click()
  await expect(state(mine, t, 'cancelled')).toBeVisible()
  expect(deck().cloudflare.journal.count({ method: 'PATCH' })).toBe(sent)
})

test('a running operation is paused, resumed and cancelled, and another viewer sees each step immediately', async ({
  mine,
  t,
  browser,
}) => {
  const active = await activeZones()
  // No item finishes before the operation is stopped.
  const heal = deck().cloudflare.faults.add({ method: 'PATCH', path: '/zones/*', effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
  const dialog = await previewLevel(mine, t, 'low')
  await dialog.getByRole('button', { name: /^Изменить / }).click()
  await dock(mine, t).getByRole('button', { expanded: false }).click()
  await dock(mine, t).getByRole('link').click()
  await expect(mine).toHaveURL(/\/operations\/./)
  const other = await viewer(browser, new URL(mine.url()).pathname)
  const press = (name: 'pause' | 'resume' | 'cancel') =>
    mine.getByRole('button', { name: t(`operations:page.${name}`), exact: true }).click()

  await press('pause')
  for (const page of [mine, other]) await expect(state(page, t, 'paused')).toBeVisible()
  await press('resume')
  for (const page of [mine, other]) await expect(page.getByRole('button', { name: t('operations:page.pause') })).toBeVisible()
  await press('cancel')
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:page.cancel') })
    .click()
  for (const page of [mine, other]) await expect(state(page, t, 'cancelled')).toBeVisible()
  await expect(other.getByRole('button', { name: t('operations:page.resume') })).toBeHidden()
  heal()
  expect(active.filter((zone) => levelAt(zone) === 'low')).toEqual([])
  await other.context().close()
})
