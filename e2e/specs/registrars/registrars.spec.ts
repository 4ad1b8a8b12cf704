import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 20, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), displayName: z.string() })) })
const created = z.object({ registrar: z.object({ id: z.uuid() }) })

test('R-REG-02 R-REG-03 a registrar by hand is added, found, changed without its secrets and deleted', async ({ mine, t }) => {
  await mine.goto('/registrars')
  await mine.getByRole('button', { name: t('registrars:empty.action') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required')).first()).toBeVisible()
  await dialog.getByLabel(t('registrars:form.name')).fill('Nameshop')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(2)
  await dialog.getByLabel(t('registrars:field.manual_username')).fill('anna')
  await dialog.getByLabel(t('registrars:field.manual_password'), { exact: false }).first().fill('long-secret-word')
  await dialog.getByRole('button', { name: t('registrars:add') }).click()
  await expect(dialog).toBeHidden()

  const menu = mine.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop' }) })
  await menu.click()
  await mine.getByRole('menuitem', { name: t('registrars:actions.edit') }).click()
  await expect(dialog.getByLabel(t('registrars:field.manual_username'))).toHaveValue('')
  await dialog.getByLabel(t('registrars:form.name')).fill('Nameshop 2')
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
  await dialog.getByRole('button', { name: t('registrars:delete.confirm') }).click()
  await expect(dialog.getByText(t('registrars:failed.delete'))).toBeVisible()
})
