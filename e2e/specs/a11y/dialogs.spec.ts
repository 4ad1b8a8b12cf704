import type { Locator, Page } from 'playwright/test'
import { axeFindings } from '../../axe.ts'
import { fillDeck } from '../../filled-deck.ts'
import type { Filled } from '../../filled-deck.ts'
import { expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 10, accounts: 2, plain: true }, accounts: 2 })

// Each test visits many pages and dialogs.
test.describe.configure({ timeout: 600_000 })

let filled: Filled
test.beforeAll(async () => {
  test.setTimeout(300_000)
  filled = await fillDeck()
})

/** Checks the open dialog with axe and closes it. */
async function look(page: Page, where: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await expect(dialog, where).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect.soft(await axeFindings(page, { within: '[role=dialog]' }), where).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog, where).toBeHidden()
}
async function open(page: Page, path: string): Promise<Locator> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true], [class*=skeleton]')).toHaveCount(0)
  return page.getByRole('main')
}

test('axe finds no violations in the dialogs that add a resource, the palette and the keyboard help, dark and light', async ({
  mine,
  t,
}) => {
  await open(mine, '/accounts')
  await mine.keyboard.press('Control+k')
  await mine.getByPlaceholder(t('shell:palette.placeholder')).fill('m')
  await expect(mine.getByRole('dialog').locator('mark').first()).toBeVisible()
  await look(mine, 'palette')
  await mine.keyboard.press('Shift+Slash')
  await look(mine, 'keys')
  const adds = mine.getByRole('navigation')
  const dialog = mine.getByRole('dialog')
  for (const entity of ['account', 'domain', 'group', 'profile', 'registrar'] as const) {
    await adds.getByRole('button', { name: t(`shell:quick_add.${entity}`) }).focus()
    await mine.keyboard.press('Enter')
    await look(mine, entity)
  }
  for (const [entity, words, list] of [
    ['account', t('accounts:form.many'), 'anna@example.com:0123456789abcdef0123456789abcdef01234\nno separator'],
    ['domain', t('domains:add.many'), 'new-offer.com\nhttps://'],
  ] as const) {
    await adds.getByRole('button', { name: t(`shell:quick_add.${entity}`) }).focus()
    await mine.keyboard.press('Enter')
    await dialog.getByText(words, { exact: true }).click()
    await dialog.getByRole('textbox').first().fill(list)
    await expect(dialog.getByRole('listitem').first()).toBeVisible()
    await look(mine, `many: ${entity}`)
  }
})

test('axe finds no violations in any bulk dialog or the preview, dark and light; Escape closes the dialog and keeps the selection', async ({
  mine,
  t,
}) => {
  await open(mine, '/domains?status=active')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  const bar = mine.getByRole('toolbar')
  const ask = async (menu: 'dns' | 'tracker' | 'more', kind: Parameters<typeof bulk>[0]) => {
    await bar.getByRole('button', { name: t(`operations:bulk.${menu}`), exact: true }).click()
    await mine.getByRole('menuitem', { name: bulk(kind), exact: true }).click()
    await look(mine, kind)
  }
  const bulk = (kind: BulkKind) => t(`operations:bulk.${kind}`)
  for (const kind of ['settings', 'ip'] as const) {
    await bar.getByRole('button', { name: bulk(kind), exact: true }).click()
    await look(mine, kind)
  }
  for (const kind of ['dns_add', 'dns_edit', 'dns_replace', 'dns_delete'] as const) await ask('dns', kind)
  for (const kind of ['tracker_bind', 'tracker_unbind'] as const) await ask('tracker', kind)
  for (const kind of [
    'ip_access_add',
    'ip_access_delete',
    'redirects',
    'profile',
    'group',
    'registrar',
    'purge',
    'replace',
    'reserve',
    'monitoring',
    'delete',
  ] as const)
    await ask('more', kind)
  const dialog = mine.getByRole('dialog')
  await bar.getByRole('button', { name: bulk('settings'), exact: true }).click()
  await dialog.getByLabel(t('security:ssl.name')).selectOption('strict')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
  await look(mine, 'preview')
})
type BulkKind =
  | 'settings'
  | 'ip'
  | 'dns_add'
  | 'dns_replace'
  | 'dns_edit'
  | 'dns_delete'
  | 'tracker_bind'
  | 'tracker_unbind'
  | 'ip_access_add'
  | 'ip_access_delete'
  | 'profile'
  | 'group'
  | 'registrar'
  | 'purge'
  | 'redirects'
  | 'replace'
  | 'reserve'
  | 'monitoring'
  | 'delete'

test('axe finds no violations in the dialogs of one domain and its records, dark and light', async ({ mine, t }) => {
  await open(mine, `/domains/${filled.domainId}`)
  const actions = mine.getByRole('region', { name: t('zone:actions.title') })
  for (const action of ['purge', 'change_ip', 'group', 'registrar', 'redirect', 'replace', 'pause', 'delete'] as const) {
    await actions.getByRole('button', { name: t(`zone:actions.${action}`) }).click()
    await look(mine, action)
  }
  const tracker = mine.getByRole('region', { name: t('trackers:section.title'), exact: true })
  await tracker.getByRole('button', { name: t('trackers:section.unbind') }).click()
  await look(mine, 'unbind')

  const main = await open(mine, `/domains/${filled.domainId}/records`)
  await main.getByRole('button', { name: t('records:add'), exact: true }).click()
  await expect(mine.getByRole('form', { name: t('records:editor.add') })).toBeVisible()
  expect.soft(await axeFindings(mine), 'record').toEqual([])
})

test('axe finds no violations in the dialogs of monitoring and trackers, dark and light', async ({ mine, t }) => {
  const main = await open(mine, '/settings?tab=monitoring')
  await main.getByRole('button', { name: t('monitoring:overrides.edit_one', { name: 'Shops' }) }).click()
  await look(mine, 'override')
  for (const words of [t('monitoring:channels.add'), t('monitoring:windows.add')]) {
    await main.getByRole('button', { name: words }).click()
    await look(mine, words)
  }
  await open(mine, '/monitoring?tab=incidents')
  // An account has an incident of the domain's abuse report, too.
  await main.getByRole('row').filter({ hasText: filled.domainName }).first().click()
  await look(mine, 'incident')

  await open(mine, '/settings?tab=trackers')
  await main.getByRole('button', { name: t('trackers:actions.edit_one', { name: 'Keitaro' }) }).click()
  await look(mine, 'tracker')
  await open(mine, '/trackers')
  await main.getByText('Timeout was reached').click()
  await look(mine, 'what differs')
  await open(mine, '/trackers?tab=reserve')
  await main.getByRole('button', { name: t('trackers:reserve.add') }).click()
  await look(mine, 'reserve')
})
