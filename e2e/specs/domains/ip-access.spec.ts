import { z } from 'zod'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 12, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), status: z.string() })) })
const listed = async () =>
  (await call('GET', '/zones/live?limit=1000', zones)).data.map(({ id, zoneId: providerZoneId }) => ({ id, providerZoneId }))
/** Mode and value of each rule at Cloudflare. */
const hosted = (at: string) => (deck().cloudflare.state.accessRules.get(at) ?? []).map(({ mode, value }) => `${mode} ${value}`).toSorted()

test('rules of a domain are pasted, errors are named by line, a rule is edited and deleted, and the deletion is undone', async ({
  mine,
  t,
}) => {
  const domain = (await listed())[0]
  if (domain === undefined) throw new Error('no domain')
  const { id, providerZoneId } = domain
  applyEdit(deck().cloudflare.state, {
    kind: 'access-rule',
    at: providerZoneId,
    mode: 'whitelist',
    target: 'ip',
    value: '203.0.113.9',
    notes: '',
  })
  await mine.goto(`/domains/${id}/rules`)
  const section = mine.getByRole('region', { name: t('ip-access:title'), exact: true })
  const rows = section.getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await section.getByRole('button', { name: t('ip-access:add'), exact: true }).click()
  const dialog = mine.getByRole('dialog')
  const values = dialog.getByLabel(t('ip-access:values'))
  await values.fill('203.0.113.7\n10.0.0.0/8')
  const add = dialog.getByRole('button', { name: t('ip-access:add'), exact: true })
  await add.click()
  await expect(dialog.getByRole('listitem')).toHaveText(
    t('ip-access:line', { line: '2', text: '10.0.0.0/8', issue: t('faults:ip_access_prefix') }),
  )
  await values.fill('203.0.113.7\nAS64500 # scanner\n203.0.113.9')
  await dialog.getByLabel(t('ip-access:note')).fill('bots')
  await dialog.getByLabel(t('ip-access:expiry')).selectOption('day')
  await add.click()
  const kept = `203.0.113.9 (${t('ip-access:modes.whitelist')})`
  await expect(dialog.getByRole('status')).toHaveText(t('ip-access:conflicts', { values: kept }))
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await expect(dialog).toBeHidden()
  await expect(rows).toHaveCount(3)
  expect(hosted(providerZoneId)).toEqual(['block 203.0.113.7', 'block AS64500', 'whitelist 203.0.113.9'])

  const row = rows.filter({ hasText: 'AS64500' })
  await expect(row).toContainText('bots')
  await row.getByRole('button', { name: t('ip-access:edit_rule', { value: 'AS64500' }) }).click()
  await dialog.getByLabel(t('ip-access:mode')).selectOption('managed_challenge')
  await dialog.getByRole('button', { name: t('ip-access:save') }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toContainText(t('ip-access:modes.managed_challenge'))

  await row.getByRole('button', { name: t('ip-access:delete_rule', { value: 'AS64500' }) }).click()
  await dialog.getByRole('button', { name: t('ip-access:delete'), exact: true }).click()
  await expect(rows).toHaveCount(2)
  await expect(mine.getByText(t('ip-access:deleted', { value: 'AS64500' }))).toBeVisible()
  await mine
    .getByRole('status')
    .filter({ hasText: t('ip-access:deleted', { value: 'AS64500' }) })
    .getByRole('button', { name: t('history:undo') })
    .click()
  await expect(row).toContainText('bots')
  expect(hosted(providerZoneId)).toEqual(['block 203.0.113.7', 'managed_challenge AS64500', 'whitelist 203.0.113.9'])
})

test('an address is blocked on all selected domains after a preview, and rules of others stay', async ({ mine, t }) => {
  const all = await listed()
  const other = all.at(-1)?.providerZoneId ?? ''
  applyEdit(deck().cloudflare.state, { kind: 'access-rule', at: other, mode: 'block', target: 'ip', value: '198.51.100.1', notes: '' })
  await mine.goto('/domains')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  const bar = mine.getByRole('toolbar')
  await bar.getByRole('button', { name: t('operations:bulk.more'), exact: true }).click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.ip_access_add'), exact: true }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('ip-access:values')).fill('198.51.100.7')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog).toContainText(t('operations:change.ip_access', { value: '198.51.100.7' }))
  expect(hosted(other)).toEqual(['block 198.51.100.1'])
  await mine.getByRole('button', { name: t('operations:preview.run', { count: all.length, formatted: String(all.length) }) }).click()
  await expect
    .poll(() => all.every(({ providerZoneId }) => hosted(providerZoneId).includes('block 198.51.100.7')), { timeout: 30_000 })
    .toBe(true)
})

test('rules of an account are added once for all its domains and deleted, and the deletion is undone after a preview', async ({
  mine,
  t,
}) => {
  const at = deck().cloudflare.state.accountsById.keys().next().value ?? ''
  await mine.goto('/accounts')
  const menu = mine.getByRole('button', { name: t('accounts:actions.label') }).first()
  await mine.getByRole('row').filter({ has: menu }).hover()
  await menu.click()
  await mine.getByRole('menuitem', { name: t('accounts:actions.ip_access') }).click()
  const dialog = mine.getByRole('dialog').first()
  await expect(dialog).toContainText(t('ip-access:empty'))
  await dialog.getByRole('button', { name: t('ip-access:add'), exact: true }).click()
  const form = mine.getByRole('dialog', { name: t('ip-access:add_title') })
  await form.getByLabel(t('ip-access:values')).fill('198.51.100.0/24')
  await form.getByRole('button', { name: t('ip-access:add'), exact: true }).click()
  await expect(form).toBeHidden()
  const rules = dialog.getByRole('list', { name: t('ip-access:title') })
  await expect(rules.getByRole('listitem')).toContainText('198.51.100.0/24')
  expect(hosted(at)).toEqual(['block 198.51.100.0/24'])
  await dialog.getByRole('button', { name: t('ip-access:delete_rule', { value: '198.51.100.0/24' }) }).click()
  const question = mine.getByRole('dialog', { name: t('ip-access:delete_title', { value: '198.51.100.0/24' }) })
  await expect(question).toContainText(t('ip-access:delete_account_text'))
  await question.getByRole('button', { name: t('ip-access:delete'), exact: true }).click()
  await expect(dialog).toContainText(t('ip-access:empty'))
  expect(hosted(at)).toEqual([])
  const changes = dialog.getByRole('list', { name: t('history:list') })
  const change = t('history:ip_rule', { value: '198.51.100.0/24' })
  await expect(changes.getByText(change)).toHaveCount(2)
  await changes
    .getByRole('button', { name: t('history:revert_one', { change }) })
    .first()
    .click()
  const plan = mine.getByRole('dialog', { name: t('history:revert_title', { count: 1, formatted: '1' }) })
  await plan.getByRole('button', { name: t('history:revert_now') }).click()
  await expect(rules.getByRole('listitem')).toContainText('198.51.100.0/24')
  await expect(changes.getByText(t('history:reverted_mark'))).toHaveCount(1)
  expect(hosted(at)).toEqual(['block 198.51.100.0/24'])
})
