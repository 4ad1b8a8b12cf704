import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 20, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), accountId: z.uuid(), displayName: z.string() })) })
const added = z.object({ zone: z.object({ nameServers: z.array(z.string()) }) })
const created = z.object({ registrar: z.object({ id: z.uuid() }) })

test('R-REG-02 R-REG-03 a registrar by hand is added, found, changed without its secrets and deleted', async ({ mine, t }) => {
  await mine.goto('/registrars')
  await mine.getByRole('button', { name: t('registrars:empty.action') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required')).first()).toBeVisible()
  await dialog.getByLabel(t('registrars:form.name')).fill('Nameshop')
  await dialog.getByRole('combobox', { name: t('registrars:form.provider') }).click()
  await mine.getByRole('option', { name: t('registrars:form.other') }).click()
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(3)
  await dialog.getByLabel(t('registrars:form.company')).fill('Gandi')
  await dialog.getByLabel(t('registrars:form.url')).fill('https://admin.gandi.net/')
  await dialog.getByLabel(t('registrars:field.manual_username')).fill('anna')
  await dialog.getByLabel(t('registrars:field.manual_password'), { exact: false }).first().fill('long-secret-word')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog).toBeHidden()
  await mine.getByLabel(t('registrars:search')).fill('gandi')
  const card = mine.getByRole('button', { name: 'Nameshop', exact: true })
  await expect(mine.getByText('Gandi', { exact: true })).toBeVisible()
  await card.click()
  await expect(dialog.getByRole('link', { name: t('registrars:details.open') })).toHaveAttribute('href', 'https://admin.gandi.net/')
  await mine.keyboard.press('Escape')
  await mine.getByLabel(t('registrars:search')).fill('')

  const menu = mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop' }) })
  await menu.click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.edit') }).click()
  await expect(dialog.getByLabel(t('registrars:field.manual_username'))).toHaveValue('')
  await dialog.getByRole('textbox', { name: t('registrars:form.name'), exact: true }).fill('Nameshop 2')
  await dialog.getByRole('button', { name: t('registrars:form.save') }).click()
  await expect(dialog).toBeHidden()
  await expect(mine.getByRole('button', { name: 'Nameshop 2', exact: true })).toBeVisible()

  await mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop 2' }) }).click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.delete') }).click()
  await dialog.getByRole('button', { name: t('registrars:delete.confirm') }).click()
  await expect(mine.getByText(t('registrars:empty.title'))).toBeVisible()
})

test('R-DOM-10 R-REG-04 a domain gets its registrar, which then cannot be deleted', async ({ mine, t }) => {
  await call('POST', '/registrars', created, { name: 'Kept', username: 'anna', password: 'long-secret-word' })
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  await mine.goto(`/domains/${data[0]?.id ?? ''}`)
  // In its panel: the sidebar has a button for new registrars too.
  const actions = mine.getByRole('region', { name: t('zone:actions.title') })
  await actions.getByRole('button', { name: t('zone:actions.registrar') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('combobox', { name: t('zone:registrar.label') }).click()
  await mine.getByRole('option', { name: 'Kept' }).click()
  await dialog.getByRole('button', { name: t('zone:registrar.save') }).click()
  await expect(mine.getByText(t('zone:registrar.done', { registrar: 'Kept' }))).toBeVisible()

  await mine.goto('/registrars')
  await mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Kept' }) }).click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.delete') }).click()
  await expect(dialog.getByRole('button', { name: t('registrars:delete.confirm') })).toBeDisabled()
  await expect(dialog.getByText(data[0]?.displayName ?? 'none')).toBeVisible()
  await dialog.getByRole('link', { name: t('registrars:delete.show') }).click()
  await expect(mine).toHaveURL(/\/domains\?registrar=/)
  await expect(mine.getByRole('row').filter({ hasText: data[0]?.displayName ?? 'none' })).toBeVisible()
})

test('R-REG-05 R-BUY-04 what stands at registrars: names without a zone, name servers by pair, renewals with a calendar', async ({
  mine,
  t,
}) => {
  const { data } = await call('GET', '/zones/live?limit=1', zones)
  const { zone } = await call('POST', '/zones', added, {
    domainName: 'waits-for-its-servers.com',
    accountId: data[0]?.accountId,
    ipAddress: '192.0.2.10',
  })
  const pages = mine.getByRole('navigation', { name: t('registrars:tabs.label') })
  await mine.goto('/registrars/name-servers')
  await expect(mine.getByText('waits-for-its-servers.com')).toBeVisible()
  await mine.getByText(t('registrars:delegation.pairs'), { exact: true }).click()
  const pairs = mine.getByRole('list', { name: t('registrars:delegation.pairs') })
  await expect(pairs.getByText(zone.nameServers.join(' · '))).toBeVisible()

  await pages.getByRole('link', { name: t('registrars:tabs.unbound') }).click()
  await expect(mine.getByText(t('registrars:unbound.empty_title'))).toBeVisible()

  await pages.getByRole('link', { name: t('registrars:tabs.renewals') }).click()
  await mine.getByRole('button', { name: t('registrars:feed.open') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:feed.create') }).click()
  await expect(dialog.getByText('/api/renewals.ics?token=')).toBeVisible()
  await dialog.getByRole('button', { name: t('registrars:feed.remove') }).click()
  await expect(dialog.getByRole('button', { name: t('registrars:feed.create') })).toBeVisible()
})
