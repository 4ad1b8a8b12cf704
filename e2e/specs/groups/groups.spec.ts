import type { Page } from 'playwright/test'
import { z } from 'zod'
import { personLabel } from '#shared/features/users/person-label.ts'
import { axeFindings } from '../../axe.ts'
import { call, expect, register, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 120, accounts: 3 }, accounts: 2 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), displayName: z.string() })) })
const created = z.object({ group: z.object({ id: z.uuid() }) })

const dialogOf = (page: Page) => page.getByRole('dialog')
const cards = (page: Page, t: (key: 'groups:title') => string) => page.getByRole('list', { name: t('groups:title') }).getByRole('listitem')
const domains = (count: number) => ({ count, formatted: String(count) })

test('R-GRP-02 without groups the page says what they are for and makes the first; R-GRP-05 a toast confirms it', async ({ mine, t }) => {
  await mine.goto('/groups')
  await expect(mine.getByText(t('groups:empty.title'))).toBeVisible()
  await mine.getByRole('button', { name: t('groups:empty.action') }).click()
  const dialog = dialogOf(mine)
  await dialog.getByRole('button', { name: t('groups:form.create') }).click()
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  await dialog.getByLabel(t('groups:form.name')).fill('Магазины')
  // Arrows move among the colours and among the pictures.
  await dialog.getByRole('radio', { name: t('groups:color.indigo') }).focus()
  await mine.keyboard.press('ArrowRight')
  await expect(dialog.getByLabel(t('groups:form.color_hex'))).toHaveValue('#3b82f6')
  await dialog.getByRole('radio', { name: t('groups:icon.folder') }).focus()
  await mine.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: t('groups:icon.world') })).toBeChecked()
  await dialog.getByRole('button', { name: t('groups:form.create') }).click()
  await expect(dialog).toBeHidden()
  await expect(mine.getByText(t('groups:done.created'))).toBeVisible()
  await expect(cards(mine, t).first()).toContainText('Магазины')
})

test('R-GRP-04 a new group, made from anywhere, stands at the top', async ({ mine, t }) => {
  await call('POST', '/groups', created, { name: 'Older' })
  await mine.goto('/groups')
  await mine.getByRole('navigation').getByText(t('shell:nav.groups')).hover()
  await mine
    .getByRole('button', { name: t('shell:quick_add.group') })
    .first()
    .click()
  await dialogOf(mine).getByLabel(t('groups:form.name')).fill('Newest')
  await mine.keyboard.press('Enter')
  await expect(cards(mine, t).nth(0)).toContainText('Newest')
  await expect(cards(mine, t).nth(1)).toContainText('Older')
})

test('R-GRP-02 a group is changed, found by its text, and deleted; its domains stay', async ({ mine, t }) => {
  const row = (name: string) => mine.getByRole('row').filter({ hasText: name })
  const { group } = await call('POST', '/groups', created, { name: 'Before', color: '#e5484d' })
  const { data } = await call('GET', '/zones/live?limit=2', zones)
  await call('POST', `/groups/${group.id}/zones`, z.unknown(), { zoneIds: data.map(({ id }) => id) })
  await mine.goto('/groups?view=list')
  await row('Before').hover()
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'Before' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.edit') }).click()
  await dialogOf(mine).getByLabel(t('groups:form.name')).fill('After')
  await dialogOf(mine).getByLabel(t('groups:form.color_hex')).fill('#12345')
  await dialogOf(mine)
    .getByRole('button', { name: t('groups:form.save') })
    .click()
  await expect(dialogOf(mine).getByText(t('faults:invalid_color'))).toBeVisible()
  await dialogOf(mine).getByLabel(t('groups:form.color_hex')).fill('#123456')
  await dialogOf(mine)
    .getByRole('button', { name: t('groups:form.save') })
    .click()
  await expect(mine.getByText(t('groups:done.updated'))).toBeVisible()
  await mine.getByRole('searchbox', { name: t('groups:search') }).fill('aft')
  await expect(row('After')).toBeVisible()
  await expect(row('Older')).toHaveCount(0)
  await row('After').hover()
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'After' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.delete') }).click()
  await expect(dialogOf(mine)).toContainText(t('groups:delete.text', domains(2)))
  await dialogOf(mine)
    .getByRole('button', { name: t('groups:delete.confirm') })
    .click()
  await expect(mine.getByText(t('groups:done.deleted'))).toBeVisible()
  await expect(mine.getByText(t('groups:no_match.title'))).toBeVisible()
  expect((await call('GET', '/zones/live', zones)).data.length).toBeGreaterThan(2)
})

test('R-GRP-02 R-GRP-03 in English domains go into a group by search and by list, and out again; counts follow immediately', async ({
  mine,
  en: t,
}) => {
  const name = 'Filled'
  await mine.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await call('POST', '/groups', created, { name })
  const { data } = await call('GET', '/zones/live?limit=10', zones)
  const [first, second, third] = data.map(({ displayName }) => displayName)
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few domains')
  await mine.goto('/groups')
  const card = cards(mine, t).filter({ hasText: name })
  await card.getByRole('button').click()
  await mine.getByRole('menuitem', { name: t('groups:actions.add') }).click()
  const dialog = dialogOf(mine)
  await dialog.getByRole('searchbox', { name: t('groups:domains.search') }).fill(first)
  await dialog.getByRole('checkbox', { name: t('common:table.select_row', { row: first }), exact: true }).check()
  await dialog.getByRole('button', { name: t('groups:domains.add_count', domains(1)) }).click()
  await expect(mine.getByText(t('groups:done.added'))).toBeVisible()
  await expect(dialog.getByText(first)).toBeVisible()

  await dialog.getByText(t('groups:domains.paste')).click()
  await dialog.getByLabel(t('groups:paste.label')).fill(`${second}\nnobodys.example\n${third}, ${second}`)
  await expect(dialog.getByText(t('groups:paste.found', domains(2)))).toBeVisible()
  await expect(dialog.getByText(`nobodys.example: ${t('groups:paste.state.absent')}`)).toBeVisible()
  await expect(dialog.getByText(`${second}: ${t('groups:paste.state.repeated')}`)).toBeVisible()
  await dialog.getByRole('button', { name: t('groups:domains.add_count', domains(2)) }).click()
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  await dialog.getByRole('checkbox', { name: t('common:table.select_row', { row: second }), exact: true }).check()
  await dialog.getByRole('button', { name: t('groups:domains.remove_count', domains(1)) }).click()
  await expect(mine.getByText(t('groups:done.removed'))).toBeVisible()
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await mine.keyboard.press('Escape')
  await expect(card).toContainText(t('groups:domains_count', domains(2)))
  // The card is the way to its domains.
  await card.getByRole('link').click()
  await expect(mine).toHaveURL(/\/domains\?group=/)
  await expect(mine.getByRole('row').filter({ hasText: first })).toBeVisible()
  await expect(mine.getByRole('row').filter({ hasText: second })).toHaveCount(0)
})

test('R-GRP-05 a failure shows the server’s words, and the dialog stays with what was typed', async ({ mine, t }) => {
  const { group } = await call('POST', '/groups', created, { name: 'Gone' })
  await mine.goto('/groups')
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'Gone' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.edit') }).click()
  await dialogOf(mine).getByLabel(t('groups:form.name')).fill('Still here')
  // Somebody else deletes it; the page learns of it after the button is pressed.
  await mine.route(/groups\.(list|update)/, async (route) => {
    if (route.request().url().includes('groups.list')) return
    await call('DELETE', `/groups/${group.id}`, z.unknown())
    await route.continue()
  })
  await dialogOf(mine)
    .getByRole('button', { name: t('groups:form.save') })
    .click()
  await expect(mine.getByText(t('groups:failed.update'))).toBeVisible()
  await expect(mine.getByText(t('errors:codes.not_found'))).toBeVisible()
  await expect(dialogOf(mine).getByLabel(t('groups:form.name'))).toHaveValue('Still here')
})

test('R-GRP-02 where domains are put into a group, a new one is made right there; Escape closes only that dialog', async ({ mine, t }) => {
  await mine.goto('/domains')
  await mine.getByRole('row').nth(1).getByRole('checkbox').check()
  await mine.getByRole('button', { name: t('operations:bulk.more'), exact: true }).click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.group') }).click()
  const inner = mine.getByRole('dialog', { name: t('groups:form.create_title') })
  const choice = mine.getByRole('combobox', { name: t('operations:group.label') })
  const open = mine.getByRole('dialog').getByRole('button', { name: t('groups:add') })
  await open.click()
  await inner.getByLabel(t('groups:form.name')).press('Escape')
  await expect(inner).toBeHidden()
  await expect(choice).toBeVisible()
  await open.click()
  await inner.getByLabel(t('groups:form.name')).fill('Right here')
  await mine.keyboard.press('Enter')
  await expect(inner).toBeHidden()
  // Nothing was sent but the group, and it is chosen.
  await expect(choice).toHaveValue('Right here')
})

test('axe finds nothing serious on the page and in its dialogs, dark and light', async ({ mine, t }) => {
  const { group } = await call('POST', '/groups', created, { name: 'Axe', description: 'Text', color: '#d9a514' })
  const { data } = await call('GET', '/zones/live?limit=3', zones)
  await call('POST', `/groups/${group.id}/zones`, z.unknown(), { zoneIds: data.map(({ id }) => id) })
  const check = async (where: string) => {
    await expect(mine.getByRole('menu')).toHaveCount(0)
    expect(await axeFindings(mine), where).toEqual([])
  }
  await mine.goto('/groups')
  await expect(cards(mine, t).first()).toContainText('Axe')
  await check('cards')
  await mine.getByRole('button', { name: t('groups:actions.label', { group: 'Axe' }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.domains') }).click()
  await expect(dialogOf(mine).getByRole('checkbox')).toHaveCount(3)
  await check('domains')
  await dialogOf(mine).getByText(t('groups:domains.find')).click()
  await expect(dialogOf(mine).getByRole('checkbox').nth(4)).toBeVisible()
  await check('find')
  await mine.keyboard.press('Escape')
  await mine
    .getByRole('button', { name: t('groups:add') })
    .last()
    .click()
  await expect(dialogOf(mine).getByRole('radio').first()).toBeAttached()
  await check('form')
})

test('R-PRM-02 an administrator sees whose each group is and chooses by owner; a name that is there already says so', async ({
  mine,
  t,
}) => {
  const guest = await register('Neighbour')
  await call('POST', '/groups', created, { name: 'Ours' })
  await call('POST', '/groups', created, { name: 'Theirs' }, guest.token)
  await mine.goto('/groups')
  const theirs = cards(mine, t).filter({ hasText: 'Theirs' })
  await expect(theirs).toContainText('Neighbour')
  await mine.getByRole('button', { name: t('common:filters.owner'), exact: true }).click()
  await mine.getByRole('option', { name: personLabel(guest.user) }).click()
  await expect(cards(mine, t)).toHaveCount(1)
  await expect(theirs).toBeVisible()
  await expect(mine).toHaveURL(new RegExp(`owner=${guest.user.id}`))
  // The same name of somebody else is no reason to say anything.
  await mine
    .getByRole('button', { name: t('groups:add') })
    .last()
    .click()
  const name = dialogOf(mine).getByLabel(t('groups:form.name'))
  await name.fill('theirs')
  await expect(dialogOf(mine).getByText(t('groups:form.name_taken'))).toHaveCount(0)
  await name.fill(' OURS ')
  await expect(dialogOf(mine).getByText(t('groups:form.name_taken'))).toBeVisible()
})
