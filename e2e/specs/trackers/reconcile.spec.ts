import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { call, deck, expect, hearing, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 8, accounts: 1, plain: true } })

const zones = z.object({
  data: z.array(
    z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), trackerType: z.string().nullable(), recordsCount: z.int().nullable() }),
  ),
})
const all = async () => (await call('GET', '/zones/live?status=active&limit=100', zones)).data
type Zone = Awaited<ReturnType<typeof all>>[number]
const tracker = z.object({ tracker: z.object({ id: z.uuid() }) })
const read = z.object({ trackers: z.array(z.object({ sync: z.object({ syncedAt: z.string().nullable(), state: z.string() }) })) })
const address = '203.0.113.77'
let named: { linked: Zone; wrong: Zone; gone: Zone }

test.beforeAll(async () => {
  await expect.poll(async () => (await all()).every(({ recordsCount }) => recordsCount !== null), { timeout: 60_000 }).toBe(true)
  const [linked, wrong, gone] = await all()
  if (linked === undefined || wrong === undefined || gone === undefined) throw new Error('too few zones')
  named = { linked, wrong, gone }
  const { keitaro } = deck()
  keitaro.state.add({ name: linked.name })
  keitaro.state.add({ name: wrong.name, healed: true, error: { description: 'Timeout was reached', solution: 'Look at the firewall' } })
  keitaro.state.add({ name: gone.name })
  keitaro.state.add({ name: 'left-behind.example.com' })
  const made = await call('POST', '/trackers', tracker, {
    kind: 'KEITARO',
    name: 'Keitaro',
    url: keitaro.url,
    apiKey: keitaro.apiKey,
    addresses: [address],
  })
  for (const { id } of [wrong, gone]) await call('POST', `/zones/${id}/tracker`, z.unknown(), { trackerId: made.tracker.id })
  const there = keitaro.state.find(gone.name)
  if (there) there.archived = true
  await call('POST', `/trackers/${made.tracker.id}/sync`, z.unknown())
  await expect
    .poll(
      async () => (await call('GET', '/trackers', read)).trackers.every(({ sync }) => sync.state === 'idle' && sync.syncedAt !== null),
      {
        timeout: 20_000,
      },
    )
    .toBe(true)
})

type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
const one = { count: 1, formatted: '1' }
/** Opens the list of one difference. */
async function open(
  page: Page,
  t: Texts,
  state: 'not_linked' | 'check_error' | 'gone_there' | 'not_in_cloudflare' | 'address_differs',
): Promise<void> {
  const heard = hearing(page)
  await page.goto('/trackers')
  await heard
  await page
    .getByRole('group', { name: t('trackers:tiles') })
    .getByRole('button', { name: new RegExp(String.raw`^${t(`trackers:differs.${state}`)} \d`) })
    .click()
}
/** Selects the row of a domain and clicks the repair action. */
async function repair(page: Page, name: string, words: string): Promise<Locator> {
  await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click()
  await page.getByRole('toolbar').getByRole('button', { name: words }).click()
  return page.getByRole('dialog')
}

test('a domain in both the panel and the tracker is linked without creating it in the tracker', async ({ mine, t }) => {
  await open(mine, t, 'not_linked')
  const dialog = await repair(mine, named.linked.name, t('trackers:repair.link'))
  await dialog.getByRole('button', { name: t('operations:preview.run_tracker_bind', one) }).click()
  await expect.poll(async () => (await all()).find(({ id }) => id === named.linked.id)?.trackerType).toBe('KEITARO')
  await expect(mine.getByText(t('trackers:none.of_state'))).toBeVisible()
  expect([...deck().keitaro.state.domains.values()].filter(({ name }) => name === named.linked.name)).toHaveLength(1)
})

test('an error is shown with the tracker’s own message and can be checked again', async ({ mine, t }) => {
  await open(mine, t, 'check_error')
  await mine.getByText('Timeout was reached').click()
  const details = mine.getByRole('dialog')
  await expect(details.getByText('Look at the firewall', { exact: false })).toBeVisible()
  await details.getByRole('button', { name: t('trackers:repair.check') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('operations:preview.run_tracker_check', one) })
    .click()
  await expect(mine.getByText(t('trackers:none.of_state'))).toBeVisible()
})

test('records that bypass the tracker are pointed to it, with its address filled in', async ({ mine, t }) => {
  await open(mine, t, 'address_differs')
  const dialog = await repair(mine, named.wrong.name, t('trackers:repair.address'))
  await expect(dialog.getByLabel(t('operations:ip.address'))).toHaveValue(address)
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await dialog.getByRole('button', { name: t('operations:preview.run', one) }).click()
  await expect
    .poll(() => {
      const zone = deck().cloudflare.state.zonesById.get(named.wrong.zoneId)
      return zone === undefined
        ? []
        : recordsOf(deck().cloudflare.state, zone)
            .filter(({ type }) => type === 'A')
            .map(({ content }) => content)
    })
    .toContain(address)
})

test('R-TRK-03 a domain that is bound here but archived in the tracker is unbound here', async ({ mine, t }) => {
  await open(mine, t, 'gone_there')
  const dialog = await repair(mine, named.gone.name, t('trackers:repair.unbind'))
  await dialog.getByRole('button', { name: t('operations:preview.run_tracker_unbind', one) }).click()
  await expect.poll(async () => (await all()).find(({ id }) => id === named.gone.id)?.trackerType ?? null).toBe(null)
})

test('a tracker domain that is in no account is offered for addition or archived', async ({ mine, t }) => {
  await open(mine, t, 'not_in_cloudflare')
  const adding = await repair(mine, 'left-behind.example.com', t('trackers:repair.add'))
  await expect(adding.getByLabel(t('domains:add.domains'))).toHaveValue('left-behind.example.com')
  await expect(adding.getByLabel(t('domains:add.ip'))).toHaveValue(address)
  await adding.getByRole('button', { name: t('common:cancel') }).click()
  await expect(adding).toBeHidden()

  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('trackers:repair.archive') })
    .click()
  await expect(adding.getByText(t('operations:preview.undo.none'))).toBeVisible()
  await adding.getByRole('button', { name: t('operations:preview.run_tracker_archive', one) }).click()
  await expect.poll(() => deck().keitaro.state.find('left-behind.example.com')?.archived).toBe(true)
  await expect(mine.getByText(t('trackers:none.of_state'))).toBeVisible()
})
