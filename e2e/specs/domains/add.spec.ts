import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 3, world: { zones: 12, accounts: 3 } })

type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']

async function openDialog(page: Page, t: Texts): Promise<Locator> {
  await page.goto('/domains')
  await page
    .getByRole('main')
    .getByRole('button', { name: t('domains:add.button') })
    .click()
  return page.getByRole('dialog')
}
const zonesNamed = (name: string) => deck().cloudflare.state.zonesNamed(name)

test('R-DOM-05 R-DOM-06 one domain is added from the list, with its name servers and the applied settings reported', async ({
  mine,
  t,
}) => {
  const dialog = await openDialog(mine, t)
  await dialog.getByRole('button', { name: t('domains:add.submit') }).click()
  await expect(dialog).toContainText(t('validation:required'))
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(3)
  await dialog.locator('[name=domainName]').fill('shop.fresh-name.com')
  await dialog.getByPlaceholder(t('domains:add.choose_account')).click()
  await mine.getByRole('option').first().click()
  await dialog.locator('[name=ipAddress]').fill('192.0.2.7')
  await dialog.getByRole('button', { name: t('domains:add.submit') }).click()
  await expect(dialog).toContainText(t('faults:domain_is_subdomain'))

  await dialog.locator('[name=domainName]').fill('fresh-name.com')
  await dialog.getByRole('button', { name: t('domains:add.submit') }).click()
  await expect(dialog).toContainText(t('domains:add.done_text'))
  for (const server of zonesNamed('fresh-name.com')[0]?.nameServers ?? ['none']) await expect(dialog).toContainText(server)
  await expect(dialog.getByRole('list', { name: t('domains:add.set') })).toContainText('A + www → 192.0.2.7')
  await dialog
    .getByRole('button', { name: t('common:close') })
    .last()
    .click()
  await expect(mine.getByRole('main')).toContainText('fresh-name.com')
})

test('R-DOM-06 settings that failed are reported, and a retry applies them', async ({ mine, t }) => {
  const { faults } = deck().cloudflare
  faults.add({ path: '/zones/*/dns_records*', effect: { kind: 'forbidden' } })
  const dialog = await openDialog(mine, t)
  await dialog.locator('[name=domainName]').fill('half-done.com')
  await dialog.getByPlaceholder(t('domains:add.choose_account')).click()
  await mine.getByRole('option').first().click()
  await dialog.locator('[name=ipAddress]').fill('192.0.2.8')
  await dialog.getByRole('button', { name: t('domains:add.submit') }).click()
  await expect(dialog.getByRole('alert')).toContainText(t('domains:add.incomplete'))
  faults.clear()
  await dialog.getByRole('button', { name: t('domains:add.retry') }).click()
  await expect(dialog.getByRole('alert')).toBeHidden()
  await expect(dialog.getByRole('list', { name: t('domains:add.set') })).toContainText('A + www → 192.0.2.8')
  expect(zonesNamed('half-done.com')).toHaveLength(1)
})

test('fields that a selected profile sets are disabled and say so; without the profile they apply', async ({ mine, t }) => {
  const { profile } = await call('POST', '/profiles', z.object({ profile: z.object({ id: z.uuid() }) }), {
    name: 'Strictly',
    settings: { ssl: 'strict', alwaysUseHttps: false },
    records: [],
  })
  await call('POST', `/profiles/${profile.id}/default`, z.unknown(), { isDefault: true })
  const dialog = await openDialog(mine, t)
  const ssl = dialog.getByRole('combobox', { name: t('domains:add.ssl') })
  const https = dialog.getByRole('checkbox', { name: t('domains:add.https') })
  await expect(dialog.getByText(t('domains:add.set_by_profile', { profile: 'Strictly' }))).toHaveCount(2)
  await expect(ssl).toBeDisabled()
  await expect(ssl).toHaveValue(t('domains:ssl.strict'))
  await expect(https).toBeDisabled()
  await expect(https).not.toBeChecked()
  await call('DELETE', `/profiles/${profile.id}`, z.unknown())
  await mine.reload()
  await openDialog(mine, t)
  await expect(ssl).toBeEnabled()
  await expect(ssl).toHaveValue(t('domains:ssl.flexible'))
})

test('R-DOM-07 a list is checked line by line and distributed over accounts in the manual order, and moves on to the next account when one is full', async ({
  mine,
  t,
  context,
}) => {
  const [first, second] = deck().credentials.map(({ email }) => email)
  const [ours] = [...deck().cloudflare.state.zonesById.values()]
  const account = deck().cloudflare.state.accountsById.get(deck().credentials[1]?.accountId ?? '')
  if (first === undefined || second === undefined || ours === undefined || account === undefined) throw new Error('the world is too small')
  const dialog = await openDialog(mine, t)
  await dialog.getByText(t('domains:add.many'), { exact: true }).click()
  const show = dialog.getByRole('button', { name: t('domains:add.preview') })
  await show.click()
  await expect(dialog).toContainText(t('domains:add.enter_domains'))
  await expect(dialog).toContainText(t('faults:select_account'))

  // Submitted in the moment it is pasted, before the page has parsed it.
  await dialog.getByLabel(t('domains:add.domains')).evaluate((field: HTMLTextAreaElement) => {
    field.focus()
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'quick-name.com')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.form?.requestSubmit()
  })
  await expect(dialog).toContainText(t('domains:add.understood', { count: 1, formatted: '1' }))
  await expect(dialog.getByText(t('domains:add.none_good'))).toHaveCount(0)

  // As a file saved by a spreadsheet.
  const lines = [
    'domain,ip,account',
    'many-one.com',
    'many-two.com,192.0.2.22',
    'https://no.com/',
    'a.many-one.com',
    'MANY-ONE.com',
    ours.name,
  ]
  await dialog.locator('input[type=file]').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  await expect(dialog).toContainText(t('faults:domain_is_url'))
  await expect(dialog).toContainText(t('faults:domain_is_subdomain'))
  await expect(dialog).toContainText(t('faults:domain_repeated'))
  await expect(dialog).toContainText(`${ours.name}: `)
  await expect(dialog).toContainText(t('domains:add.understood', { count: 2, formatted: '2' }))

  // The second account is moved to the first place by keyboard.
  for (const email of [first, second]) {
    await dialog.getByLabel(t('domains:add.add_account'), { exact: true }).first().click()
    await mine.getByRole('option', { name: email }).click()
  }
  await dialog.getByRole('button', { name: t('domains:add.up', { email: second }) }).focus()
  await mine.keyboard.press('Enter')
  const order = dialog.getByRole('group', { name: t('domains:add.accounts') }).getByRole('listitem')
  await expect(order.first()).toContainText(second)
  await expect(order.first().getByTitle(t('domains:add.drag'))).toBeVisible()
  await dialog.locator('[name=ipAddress]').fill('192.0.2.7')
  await show.click()

  const shares = mine.getByRole('list', { name: t('operations:preview.shares') })
  await expect(shares).toContainText(second)
  await expect(shares).toContainText(t('operations:reasons.first'))
  expect(zonesNamed('many-one.com')).toHaveLength(0)

  // After the preview the account is no longer allowed to add domains.
  account.mayCreateZones = false
  await mine.getByRole('button', { name: t('operations:preview.run_create', { count: 2, formatted: '2' }) }).click()
  await expect(mine).toHaveURL(/\/operations\//)
  const other = deck().credentials[0]?.accountId
  await expect.poll(() => ['many-one.com', 'many-two.com'].map((name) => zonesNamed(name)[0]?.account.id)).toEqual([other, other])
  const main = mine.getByRole('main')
  const servers = zonesNamed('many-two.com')[0]?.nameServers.toSorted() ?? ['none']
  const table = main.getByRole('list', { name: t('operations:views.servers') })
  await expect(table).toContainText(servers.join(' · '))
  // Either may be written last.
  for (const name of ['many-one.com', 'many-two.com']) await expect(table).toContainText(name)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await main.getByRole('button', { name: t('operations:servers.copy_table') }).click()
  await expect
    .poll(async () => (await mine.evaluate(() => navigator.clipboard.readText())).split('\n').toSorted())
    .toEqual([expect.stringMatching(/^many-one\.com\t[^\t]+\t[^\t]+$/), expect.stringMatching(/^many-two\.com\t[^\t]+\t[^\t]+$/)])
  await expect(main.getByRole('link', { name: t('operations:servers.connect') })).toBeVisible()
  await main.getByText(t('operations:views.items'), { exact: true }).click()
  await expect(main).toContainText(first)
  account.mayCreateZones = true
})

test('R-DOM-08 a pasted list selects the domains that are in the panel for bulk actions', async ({ mine, t }) => {
  const names = [...deck().cloudflare.state.zonesById.values()].slice(0, 3).map(({ name }) => name)
  await mine.goto('/domains/lookup')
  await mine.getByLabel(t('domains:lookup.label')).fill([...names, 'not-ours.com', names[0]].join('\n'))
  await mine.getByRole('button', { name: t('domains:lookup.check') }).click()
  await mine.getByRole('button', { name: t('domains:lookup.select', { count: 3, total: '3' }) }).click()
  const bar = mine.getByRole('toolbar')
  await bar.getByRole('button', { name: t('operations:bulk.settings') }).click()
  await expect(mine.getByRole('dialog')).toContainText(t('common:domains', { count: 3, formatted: '3' }))
})

test('R-DOM-07 a partly failed addition lists the domains that were not added, with reasons, before the remaining steps', async ({
  mine,
  t,
}) => {
  const dialog = await openDialog(mine, t)
  await dialog.getByText(t('domains:add.many'), { exact: true }).click()
  await dialog.getByLabel(t('domains:add.domains')).fill('partly-one.com\npartly-banned.com')
  await dialog.getByLabel(t('domains:add.add_account'), { exact: true }).first().click()
  await mine.getByRole('option').first().click()
  await dialog.locator('[name=ipAddress]').fill('192.0.2.9')
  await dialog.getByRole('button', { name: t('domains:add.preview') }).click()
  deck().cloudflare.state.refusals.banned.add('partly-banned.com')
  await mine.getByRole('button', { name: t('operations:preview.run_create', { count: 2, formatted: '2' }) }).click()
  const failures = mine.getByRole('region', { name: t('operations:failures.label') })
  await expect(failures).toContainText(t('operations:failures.title', { count: 1, formatted: '1' }))
  await expect(failures.getByRole('listitem')).toHaveText([/^partly-banned\.com: .*cannot be added to Cloudflare at this time/])
  // The remaining step concerns the other domain.
  await expect(mine.getByRole('main').getByRole('list', { name: t('operations:views.servers') })).toContainText('partly-one.com')
  await mine.getByRole('main').getByText(t('operations:views.items'), { exact: true }).click()
  await expect(failures).toBeHidden()
})

test.describe('on a touch screen without a mouse', () => {
  test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true })

  test('the order of accounts has no handle, because touch does not drag, but buttons', async ({ mine, t }) => {
    const dialog = await openDialog(mine, t)
    await dialog.getByText(t('domains:add.many'), { exact: true }).click()
    for (const { email } of deck().credentials.slice(0, 2)) {
      await dialog.getByLabel(t('domains:add.add_account'), { exact: true }).first().click()
      await mine.getByRole('option', { name: email }).click()
    }
    const order = dialog.getByRole('group', { name: t('domains:add.accounts') }).getByRole('listitem')
    await expect(order).toHaveCount(2)
    await expect(order.first().getByTitle(t('domains:add.drag'))).toBeHidden()
    await expect(
      order.first().getByRole('button', { name: t('domains:add.down', { email: deck().credentials[0]?.email ?? '' }) }),
    ).toBeVisible()
  })
})
