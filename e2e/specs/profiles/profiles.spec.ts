import type { Page } from 'playwright/test'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 40, accounts: 2, plain: true }, accounts: 2 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string(), tlsMin: z.string().nullable() })) })
const activeZones = async () => (await call('GET', '/zones/live?status=active&limit=1000', zones)).data
const profiles = z.object({ profiles: z.array(z.object({ id: z.uuid(), name: z.string(), domains: z.int() })) })
const list = async () => (await call('GET', '/profiles', profiles)).profiles
const many = (count: number) => ({ count, formatted: String(count) })

type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
const dialogOf = (page: Page) => page.getByRole('dialog')
const card = (page: Page, t: Texts, name: string) =>
  page
    .getByRole('list', { name: t('profiles:title') })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
const act = async (page: Page, t: Texts, name: string, action: 'edit' | 'domains' | 'duplicate' | 'default' | 'delete') => {
  await page.getByRole('button', { name: t('profiles:actions.label', { profile: name }), exact: true }).click()
  await page.getByRole('menuitem', { name: t(`profiles:actions.${action}`), exact: true }).click()
}

test.beforeAll(async () => {
  await expect
    .poll(async () => (await activeZones()).every(({ tlsMin }) => tlsMin !== null), { message: 'details are read', timeout: 60_000 })
    .toBe(true)
})

test('a profile consists of settings and records, and errors are shown at their fields', async ({ mine, t }) => {
  await mine.goto('/profiles')
  await expect(mine.getByText(t('profiles:empty.title'))).toBeVisible()
  await mine.getByRole('button', { name: t('profiles:empty.action') }).click()
  const dialog = dialogOf(mine)
  const save = dialog.getByRole('button', { name: t('profiles:form.create') })
  await save.click()
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveText(t('faults:profile_empty'))

  await dialog.getByLabel(t('profiles:form.name')).fill('Магазины')
  await dialog.getByLabel(t('security:tls.name')).selectOption('1.3')
  await dialog.getByRole('button', { name: t('records:rows.add_first') }).click()
  const first = dialog.getByRole('group', { name: t('records:rows.row', { number: 1 }) })
  await first.getByLabel(t('records:column.content')).fill('not an address')
  await save.click()
  await expect(first.getByText(t('faults:record_ipv4'))).toBeVisible()
  await first.getByLabel(t('records:column.name')).fill('shop')
  await first.getByLabel(t('records:column.content')).fill('198.51.100.7')
  await save.click()
  await expect(dialog).toBeHidden()
  await expect(card(mine, t, 'Магазины')).toContainText('TLS 1.3')
  await expect(card(mine, t, 'Магазины')).toContainText('198.51.100.7')
})

test('a profile is applied to selected domains after a preview; later drift is counted, listed by domain and fixed', async ({
  mine,
  t,
}) => {
  const active = await activeZones()
  const count = active.length
  await mine.goto('/domains?status=active')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.more') })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.profile') }).click()
  const dialog = dialogOf(mine)
  await expect(dialog.getByRole('combobox', { name: t('operations:profile.label') })).toHaveValue('Магазины')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const row = mine.getByRole('listitem').filter({ hasText: active[0]?.name ?? '' })
  await expect(row).toContainText('TLS 1.3')
  await expect(row).toContainText('198.51.100.7')
  await mine.getByRole('button', { name: t('operations:preview.run', many(count)), exact: true }).click()
  await expect
    .poll(async () => (await list()).map(({ name, domains }) => [name, domains]), { timeout: 20_000 })
    .toEqual([['Магазины', count]])
  await expect.poll(async () => (await activeZones()).every(({ tlsMin }) => tlsMin === '1.3')).toBe(true)

  // One of the domains drifts from the profile.
  const [odd] = active
  if (odd === undefined) throw new Error('no active zone')
  await call('PATCH', `/zones/${odd.id}/settings`, z.unknown(), { minTlsVersion: '1.0' })
  await mine.goto('/profiles')
  await expect(card(mine, t, 'Магазины')).toContainText(t('profiles:differ', many(1)))
  await mine.getByRole('button', { name: t('common:domains', many(count)) }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: odd.name })).toContainText(t('profiles:differences', many(1)))
  await dialog.getByRole('link', { name: odd.name }).click()

  const section = mine.getByRole('region', { name: t('zone:profile.title') })
  await expect(section).toContainText('Магазины')
  await expect(section).toContainText('TLS 1.0')
  await section.getByRole('button', { name: t('zone:profile.restore') }).click()
  await mine.getByRole('button', { name: t('operations:preview.run', many(1)), exact: true }).click()
  await expect(section).toContainText(t('zone:profile.same'))
  await section.getByRole('button', { name: t('zone:profile.forget') }).click()
  await dialog.getByRole('button', { name: t('zone:profile.forget') }).click()
  await expect(section).toContainText(t('zone:profile.none'))
})

test('a profile becomes the default, is duplicated, edited and deleted; its domains stay unchanged', async ({ mine, t }) => {
  const [{ domains } = { domains: 0 }] = await list()
  await mine.goto('/profiles')
  await act(mine, t, 'Магазины', 'default')
  await expect(card(mine, t, 'Магазины').getByText(t('profiles:default'), { exact: true })).toBeVisible()
  await act(mine, t, 'Магазины', 'duplicate')
  await expect(card(mine, t, 'Магазины 2')).toContainText('TLS 1.3')
  await expect(card(mine, t, 'Магазины 2')).toContainText(t('common:domains', many(0)))

  await act(mine, t, 'Магазины 2', 'edit')
  const dialog = dialogOf(mine)
  await dialog.getByLabel(t('profiles:form.name')).fill('Магазины')
  await dialog.getByRole('button', { name: t('profiles:form.save') }).click()
  await expect(dialog.getByText(t('validation:name_taken'))).toBeVisible()
  await dialog.getByLabel(t('profiles:form.name')).fill('Парковка')
  await dialog.getByRole('button', { name: t('records:rows.remove', { number: 1 }) }).click()
  await dialog.getByRole('button', { name: t('profiles:form.save') }).click()
  await expect(dialog).toBeHidden()
  await expect(card(mine, t, 'Парковка')).not.toContainText('198.51.100.7')

  await act(mine, t, 'Магазины', 'delete')
  await expect(dialog).toContainText(t('profiles:delete.text', many(domains)))
  await dialog.getByRole('button', { name: t('profiles:delete.confirm') }).click()
  await expect(card(mine, t, 'Магазины')).toBeHidden()
  expect((await activeZones()).filter(({ tlsMin }) => tlsMin === '1.3').length).toBeGreaterThan(0)
  expect((await list()).map(({ name }) => name)).toEqual(['Парковка'])
})

test('axe finds no violations in the dialogs of profiles, dark and light', async ({ mine, t }) => {
  const check = async (where: string) => {
    await expect(mine.getByRole('menu')).toHaveCount(0)
    expect(await axeFindings(mine), where).toEqual([])
  }
  await mine.goto('/profiles')
  await expect(card(mine, t, 'Парковка')).toBeVisible()
  await act(mine, t, 'Парковка', 'edit')
  await dialogOf(mine)
    .getByRole('button', { name: t('records:rows.add_first') })
    .click()
  await check('form')
  await mine.keyboard.press('Escape')
  await act(mine, t, 'Парковка', 'domains')
  await expect(dialogOf(mine).getByText(t('profiles:domains_dialog.empty'))).toBeVisible()
  await check('domains')
})
