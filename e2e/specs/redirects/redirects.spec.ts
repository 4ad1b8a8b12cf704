import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 6, accounts: 1, plain: true } })

const zones = z.object({ data: z.array(z.object({ name: z.string() })) })
const liveZones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string() })) })
const recordsAt = (providerZoneId: string): string[] => {
  const { state } = deck().cloudflare
  const zone = state.zonesById.get(providerZoneId)
  if (zone === undefined) throw new Error('no such zone')
  return recordsOf(state, zone).map(({ type, name, content, proxied }) => `${type} ${name} ${content} ${proxied}`)
}
const firstZone = async (): Promise<string> => {
  const [zone] = (await call('GET', '/zones/live?limit=1', zones)).data
  if (zone === undefined) throw new Error('no zone')
  return zone.name
}
const many = (count: number) => ({ count, formatted: String(count) })

test('redirects are imported with a preview, searched, tested, exported, and deleted', async ({ mine, t }) => {
  const zone = await firstZone()
  await mine.goto('/redirects')
  await expect(mine.getByText(t('redirects:empty.title'))).toBeVisible()
  // Rules of domains redirect too, so a URL can be tested without a list.
  await expect(mine.getByRole('button', { name: t('redirects:test') })).toBeVisible()
  const size = mine.viewportSize() ?? { width: 1280, height: 720 }
  await mine.setViewportSize({ width: 390, height: 844 })
  for (const action of ['redirects:add', 'redirects:import'] as const)
    await expect(mine.getByRole('button', { name: t(action) })).toHaveText(t(action))
  await mine.setViewportSize(size)

  await mine.getByRole('button', { name: t('redirects:import') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:csv.title') })
  await dialog
    .getByRole('textbox', { name: t('redirects:csv.text') })
    .fill(`${zone}/a,https://${zone}/b\n${zone}/b,https://target.example/end,302\nnot a source,https://target.example/`)
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await expect(dialog.getByText(t('redirects:plan.line_errors.title', many(1)))).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await expect(dialog).toContainText(t('redirects:plan.line', { line: 3, reason: t('faults:source_invalid') }))
  await expect(dialog.getByText(t('redirects:plan.chains.title', many(1)))).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: `${zone}/b → https://target.example/end 302` })).toBeVisible()
  await mine.keyboard.press('Escape')
  await mine
    .getByRole('dialog', { name: t('common:discard.title') })
    .getByRole('button', { name: t('common:discard.keep') })
    .click()
  await dialog.getByRole('button', { name: t('redirects:plan.apply') }).click()
  await expect(dialog).toBeHidden()

  const grid = mine.getByRole('grid')
  await expect(grid.getByText(`${zone}/a`, { exact: true })).toBeVisible()
  await expect(grid.getByText('https://target.example/end')).toBeVisible()
  await mine.getByRole('searchbox', { name: t('redirects:search') }).fill('target.example')
  await expect(grid.getByText(`${zone}/a`, { exact: true })).toBeHidden()
  await mine.getByRole('searchbox', { name: t('redirects:search') }).fill('')

  await mine.getByRole('button', { name: t('redirects:test') }).click()
  const tester = mine.getByRole('dialog', { name: t('redirects:tester.title') })
  await tester.getByRole('button', { name: t('redirects:tester.run') }).click()
  await expect(tester.getByText(t('validation:required'))).toBeVisible()
  await tester.getByRole('textbox', { name: t('redirects:tester.url') }).fill('stranger.example')
  await tester.getByRole('button', { name: t('redirects:tester.run') }).click()
  await expect(tester.getByText(t('redirects:tester.foreign'))).toBeVisible()
  await tester.getByRole('textbox', { name: t('redirects:tester.url') }).fill(`${zone}/a`)
  await tester.getByRole('button', { name: t('redirects:tester.run') }).click()
  await expect(tester.getByText('https://target.example/end')).toBeVisible()
  await expect(tester.getByText(t('redirects:tester.uncertain'))).toBeVisible()
  await mine.keyboard.press('Escape')

  const download = mine.waitForEvent('download')
  await mine.getByRole('button', { name: t('redirects:export') }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain(`${zone}/b,https://target.example/end,302`)

  await grid.getByText(`${zone}/a`, { exact: true }).hover()
  await mine.getByRole('button', { name: t('redirects:row.menu', { source: `${zone}/a` }) }).click()
  await mine.getByRole('menuitem', { name: t('redirects:row.delete') }).click()
  await mine
    .getByRole('dialog', { name: t('redirects:form.delete', { source: `${zone}/a` }) })
    .getByRole('button', { name: t('redirects:plan.delete') })
    .click()
  await expect(grid.getByText(`${zone}/a`, { exact: true })).toBeHidden()
  await expect(grid.getByText(`${zone}/b`, { exact: true })).toBeVisible()
})

test('the preview names the rule that may redirect a target again, depending on more than the address', async ({ mine, t }) => {
  const [zone, other] = (await call('GET', '/zones/live', liveZones)).data
  if (zone === undefined || other === undefined) throw new Error('no zones')
  await call('GET', `/zones/${other.id}/rulesets`, z.unknown())
  await call('POST', `/zones/${other.id}/rulesets/http_request_dynamic_redirect/rules`, z.unknown(), {
    rule: {
      description: 'Germany',
      expression: 'ip.src.country eq "DE"',
      action: 'redirect',
      actionParameters: { from_value: { status_code: 301, target_url: { value: 'https://de.example/' } } },
    },
  })
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:add') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:form.add') })
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill(`${zone.name}/german`)
  await dialog.getByRole('textbox', { name: t('redirects:form.target') }).fill(`https://${other.name}/`)
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await expect(dialog.getByText(t('redirects:plan.uncertain.title', many(1)))).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: `${zone.name}/german → ${other.name}: Germany` })).toBeVisible()
})

test('one redirect is added for a whole domain and edited; a wrong source is reported at its field', async ({ mine, t }) => {
  const zone = await firstZone()
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:add') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:form.add') })
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill(`${zone}:8080`)
  await dialog.getByRole('textbox', { name: t('redirects:form.target') }).fill('https://moved.example/')
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await expect(dialog.getByText(t('faults:source_port'))).toBeVisible()
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill(zone)
  await dialog.getByRole('checkbox', { name: t('redirects:form.whole') }).check()
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await dialog.getByRole('button', { name: t('redirects:plan.apply') }).click()
  const grid = mine.getByRole('grid')
  await expect(grid.getByText(`${zone}/`, { exact: true })).toBeVisible()

  await grid.getByText(`${zone}/`, { exact: true }).click()
  const editing = mine.getByRole('dialog', { name: t('redirects:form.edit') })
  await editing.getByRole('textbox', { name: t('redirects:form.target') }).fill('https://moved.example/new')
  await editing.getByRole('button', { name: t('redirects:form.preview') }).click()
  await editing.getByRole('button', { name: t('redirects:plan.apply') }).click()
  await expect(grid.getByText('https://moved.example/new')).toBeVisible()
})

test('a file that is empty or not text is refused, and a replacing import says how many redirects it deletes', async ({ mine, t }) => {
  const zone = await firstZone()
  await mine.goto('/redirects')
  const bring = async (csv: string, mode: 'merge' | 'replace') => {
    await mine.getByRole('button', { name: t('redirects:import') }).click()
    const dialog = mine.getByRole('dialog', { name: t('redirects:csv.title') })
    const choose = (content: string) =>
      dialog.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await choose('')
    await expect(dialog.getByText(t('redirects:csv.empty'))).toBeVisible()
    await choose('PK\0\u0003')
    await expect(dialog.getByText(t('redirects:csv.not_csv'))).toBeVisible()
    await choose(csv)
    await dialog
      .getByRole('radiogroup', { name: t('redirects:csv.mode') })
      .getByText(t(`redirects:csv.${mode}`))
      .click()
    await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
    return dialog
  }
  const first = await bring(Array.from({ length: 23 }, (_, at) => `${zone}/${at},https://target.example/`).join('\n'), 'merge')
  await expect(first.getByText(t('redirects:plan.more', many(3)))).toBeVisible()
  await first.getByRole('button', { name: t('redirects:plan.apply') }).click()
  await expect(mine.getByRole('grid').getByText(`${zone}/22`, { exact: true })).toBeVisible()
  const second = await bring(`${zone}/0,https://target.example/`, 'replace')
  const deleted = Number(await second.getByRole('definition').nth(2).innerText())
  expect(deleted).toBeGreaterThanOrEqual(22)
  await second.getByRole('button', { name: t('redirects:plan.apply_delete', many(deleted)) }).click()
  await expect(mine.getByRole('grid').getByText(`${zone}/22`, { exact: true })).toBeHidden()
})

test('a file of Russian Windows is imported, and its hosts are shown in Unicode', async ({ mine, t }) => {
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:import') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:csv.title') })
  // "пример" in Windows-1251.
  const host = Buffer.from([0xef, 0xf0, 0xe8, 0xec, 0xe5, 0xf0])
  const file = Buffer.concat([host, Buffer.from('.example;https://target.example/')])
  await dialog.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: file })
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await expect(dialog.getByText('пример.example/', { exact: true }).first()).toBeVisible()
})

test('Cancel asks before it discards what was entered', async ({ mine, t }) => {
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:add') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:form.add') })
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill('old.example')
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  const asked = mine.getByRole('dialog', { name: t('common:discard.title') })
  await expect(asked.getByRole('button', { name: t('common:discard.keep') })).toBeFocused()
  await asked.getByRole('button', { name: t('common:discard.keep') }).click()
  await expect(dialog.getByRole('textbox', { name: t('redirects:form.source') })).toHaveValue('old.example')
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await asked.getByRole('button', { name: t('common:discard.confirm') }).click()
  await expect(dialog).toBeHidden()
  await expect(mine.getByRole('button', { name: t('redirects:add') })).toBeFocused()
})

test('on a phone a redirect is added', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 390, height: 844 })
  const zone = await firstZone()
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:add') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:form.add') })
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill(`${zone}/phone`)
  await dialog.getByRole('textbox', { name: t('redirects:form.target') }).fill('https://phone.example/')
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  await dialog.getByRole('button', { name: t('redirects:plan.apply') }).click()
  await expect(mine.getByText(`${zone}/phone`, { exact: true })).toBeVisible()
})

test('a proxied record is created for a hostname without one, unless that is switched off', async ({ mine, t }) => {
  const [zone] = (await call('GET', '/zones/live?limit=1', liveZones)).data
  if (zone === undefined) throw new Error('no zone')
  const host = `promo.${zone.name}`
  await mine.goto('/redirects')
  await mine.getByRole('button', { name: t('redirects:add') }).click()
  const dialog = mine.getByRole('dialog', { name: t('redirects:form.add') })
  await dialog.getByRole('textbox', { name: t('redirects:form.source') }).fill(host)
  await dialog.getByRole('textbox', { name: t('redirects:form.target') }).fill('https://promo.example/')
  await dialog.getByRole('button', { name: t('redirects:form.preview') }).click()
  const toggle = dialog.getByRole('checkbox', { name: t('redirects:plan.records.create', many(1)) })
  await expect(toggle).toBeChecked()
  await expect(dialog.getByText(host, { exact: true })).toBeVisible()
  const unproxied = dialog.getByText(t('redirects:plan.unproxied.title', many(1)))
  await expect(unproxied).toBeHidden()
  await toggle.click()
  await expect(unproxied).toBeVisible()
  await toggle.click()
  await expect(unproxied).toBeHidden()
  await dialog.getByRole('button', { name: t('redirects:plan.apply') }).click()
  await expect(mine.getByRole('grid').getByText(`${host}/`, { exact: true })).toBeVisible()
  expect(recordsAt(zone.zoneId)).toContain(`AAAA ${host} 100:: true`)
})

test('selected domains are redirected to one URL, with what it does in their account', async ({ mine, t }) => {
  await mine.goto('/domains')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.more'), exact: true })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.redirects'), exact: true }).click()
  const dialog = mine.getByRole('dialog')
  const url = dialog.getByRole('textbox', { name: t('operations:redirect.url') })
  await url.fill('target.example')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByText(t('faults:target_incomplete'))).toBeVisible()
  await url.fill('https://target.example/moved')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const accounts = dialog.getByRole('list', { name: t('operations:redirect.accounts') })
  await expect(accounts.getByRole('listitem')).toHaveCount(1)
  await dialog.getByRole('button', { name: t('operations:preview.back') }).click()
  await expect(url).toHaveValue('https://target.example/moved')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await dialog.getByRole('button', { name: /^Выполнить / }).click()
  await expect(dialog).toBeHidden()
  const zone = await firstZone()
  await mine.goto('/redirects')
  const row = mine.getByRole('row').filter({ hasText: 'https://target.example/moved' })
  await expect(row.getByText(`${zone}/`, { exact: true })).toBeVisible()
})
