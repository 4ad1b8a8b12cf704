import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, hearing, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 6, accounts: 1, plain: true } })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string(), trackerType: z.string().nullable() })) })
const all = async () => (await call('GET', '/zones/live?limit=100', zones)).data
const tracker = z.object({ tracker: z.object({ id: z.uuid() }) })

test.beforeAll(async () => {
  const { keitaro } = deck()
  keitaro.state.addCampaign('DE | Nutra')
  await call('POST', '/trackers', tracker, {
    kind: 'KEITARO',
    name: 'Keitaro',
    url: keitaro.url,
    apiKey: keitaro.apiKey,
    addresses: ['203.0.113.77'],
  })
})

const section = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })
type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
async function run(dialog: Locator, t: Texts, kind: 'bind' | 'unbind', count: number): Promise<void> {
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await dialog.getByRole('button', { name: t(`operations:preview.run_tracker_${kind}`, { count, formatted: String(count) }) }).click()
  await expect(dialog).toBeHidden()
}

test('R-TRK-03 a domain is bound to a campaign from its own page, checked again there, and unbound after a preview', async ({
  mine,
  t,
}) => {
  const { keitaro } = deck()
  const [zone] = await all()
  if (zone === undefined) throw new Error('no zone')
  const heard = hearing(mine)
  await mine.goto(`/domains/${zone.id}`)
  await heard
  const part = section(mine, t('trackers:section.title'))
  await part.getByRole('button', { name: t('trackers:section.bind') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('combobox', { name: t('trackers:bind.campaign') }).click()
  await mine.getByRole('option', { name: 'DE | Nutra' }).click()
  await run(dialog, t, 'bind', 1)
  await expect(part.getByText('DE | Nutra')).toBeVisible()
  const there = keitaro.state.find(zone.name)
  expect(there).toMatchObject({ archived: false })

  if (there) there.error = { description: 'Timeout was reached', solution: 'Add one A record' }
  await part.getByRole('button', { name: t('trackers:section.check') }).click()
  await expect(part.getByText('Timeout was reached')).toBeVisible()
  await expect(part.getByText('Add one A record')).toBeVisible()

  await part.getByRole('button', { name: t('trackers:section.unbind') }).click()
  await run(dialog, t, 'unbind', 1)
  await expect(part.getByText(t('trackers:section.unbound'))).toBeVisible()
  expect(keitaro.state.find(zone.name)).toMatchObject({ archived: true })
})

test('R-TRK-03 R-DOM-08 many domains are bound together, already bound ones are reported as skipped, and the list is filtered by tracker', async ({
  mine,
  t,
}) => {
  const [first, ...others] = await all()
  if (first === undefined) throw new Error('no zone')
  const { tracker: added } = await call(
    'GET',
    '/trackers',
    z.object({ trackers: z.array(tracker.shape.tracker) }).transform(({ trackers }) => ({ tracker: trackers[0] })),
  )
  await call('POST', `/zones/${first.id}/tracker`, z.unknown(), { trackerId: added?.id })
  const heard = hearing(mine)
  await mine.goto('/domains')
  await heard
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.tracker'), exact: true })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.tracker_bind') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(t('operations:tracker.bound', { count: 1, formatted: '1' }))).toBeVisible()
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByText(t('failures:codes.domain_bound'), { exact: false })).toBeVisible()
  const counted = { count: others.length, formatted: String(others.length) }
  await dialog.getByRole('button', { name: t('operations:preview.run_tracker_bind', counted) }).click()
  await expect.poll(async () => (await all()).filter(({ trackerType }) => trackerType === 'KEITARO').length).toBe(others.length + 1)

  await mine.goto('/domains?tracker=none')
  await expect(mine.getByText(t('domains:found', { count: 0, total: '0' }))).toBeVisible()
  await mine.goto('/domains?tracker=KEITARO')
  await expect(mine.getByRole('row').filter({ hasText: first.name })).toBeVisible()
})

test('R-DNS-02 a record that would expose the tracker’s address shows a warning in the editor and a confirmation at the proxy switch', async ({
  mine,
  t,
}) => {
  const [, , zone] = await all()
  if (zone === undefined) throw new Error('no zone')
  const records = `/zones/${zone.id}/dns-records`
  await call('POST', records, z.unknown(), { type: 'A', name: 'trk', content: '203.0.113.77', ttl: 1, proxied: true })
  await mine.goto(`/domains/${zone.id}/records`)
  const asked = mine.getByRole('switch', { name: t('records:toggle_proxy', { record: `A trk.${zone.name}` }) })
  await asked.click()
  const dialog = mine.getByRole('dialog', { name: t('records:exposes.title') })
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await expect(asked).toBeChecked()
  await asked.click()
  await dialog.getByRole('button', { name: t('records:exposes.action') }).click()
  await expect(asked).not.toBeChecked()

  await mine.keyboard.press('n')
  const editor = mine.getByRole('form', { name: t('records:editor.add') })
  await editor.getByLabel(t('records:column.name'), { exact: true }).fill('bare')
  await editor.getByLabel(t('records:column.content')).fill('203.0.113.77')
  await expect(editor.getByText(t('records:exposes.text'))).toBeHidden()
  await editor.getByRole('switch', { name: t('records:column.proxied') }).click()
  await expect(editor.getByText(t('records:exposes.text'))).toBeVisible()
})

test('R-DNS-02 the proxy switch, its shortcut and the bulk bar wait until the trackers’ addresses are loaded, then ask for confirmation', async ({
  mine,
  t,
}) => {
  const [, , , zone] = await all()
  if (zone === undefined) throw new Error('no zone')
  await call('POST', `/zones/${zone.id}/dns-records`, z.unknown(), {
    type: 'A',
    name: 'late',
    content: '203.0.113.77',
    ttl: 1,
    proxied: true,
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  await mine.route(/\/trpc\/[^?]*trackers\.list/, async (route) => {
    await promise
    await route.continue()
  })
  await mine.goto(`/domains/${zone.id}/records`)
  const late = mine.getByRole('switch', { name: t('records:toggle_proxy', { record: `A late.${zone.name}` }) })
  await late.click()
  const dialog = mine.getByRole('dialog', { name: t('records:exposes.title') })
  await expect(late).toBeChecked()
  resolve()
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await expect(late).toBeChecked()

  await mine.getByText('203.0.113.77').click()
  await mine.keyboard.press('p')
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await expect(late).toBeChecked()

  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('records:bulk.proxy_off') })
    .click()
  await dialog.getByRole('button', { name: t('common:cancel') }).click()
  await expect(late).toBeChecked()
})
