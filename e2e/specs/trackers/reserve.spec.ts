import { z } from 'zod'
import { call, deck, expect, hearing, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 6, accounts: 1, plain: true } })

const zones = z.object({
  data: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      trackerType: z.string().nullable(),
      recordsCount: z.int().nullable(),
      sslMode: z.string().nullable(),
    }),
  ),
})
const all = async () => (await call('GET', '/zones/live?status=active&limit=100', zones)).data
const tracker = z.object({ tracker: z.object({ id: z.uuid() }) })

test('a spare domain is added to the reserve by name, replaces a failing one, and leaves the reserve', async ({ mine, t }) => {
  await expect
    .poll(async () => (await all()).every(({ recordsCount, sslMode }) => recordsCount !== null && sslMode !== null), { timeout: 60_000 })
    .toBe(true)
  const [failing, spare] = await all()
  if (failing === undefined || spare === undefined) throw new Error('too few zones')
  const { keitaro } = deck()
  const made = await call('POST', '/trackers', tracker, { kind: 'KEITARO', name: 'Keitaro', url: keitaro.url, apiKey: keitaro.apiKey })
  await call('POST', `/zones/${failing.id}/tracker`, z.unknown(), { trackerId: made.tracker.id })

  const heard = hearing(mine)
  await mine.goto('/trackers?tab=reserve')
  await heard
  await mine.getByRole('button', { name: t('trackers:reserve.add') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('trackers:reserve.names')).fill(`${spare.name}\nnowhere.example.com`)
  await expect(dialog.getByText(`nowhere.example.com: ${t('trackers:reserve.absent')}`)).toBeVisible()
  await dialog.getByRole('button', { name: t('trackers:reserve.next') }).click()
  await dialog.getByLabel(t('trackers:reserve.note')).fill('For shops')
  await dialog.getByRole('button', { name: t('trackers:reserve.put', { count: 1, formatted: '1' }) }).click()
  const row = mine.getByRole('row').filter({ hasText: spare.name })
  await expect(row.getByText(t('trackers:reserve.ready'), { exact: true })).toBeVisible()
  await expect(row.getByText('For shops')).toBeVisible()

  await mine.goto(`/domains/${failing.id}`)
  await mine.getByRole('button', { name: t('zone:actions.replace') }).click()
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByText(t('operations:swap.reason_needed'))).toBeVisible()
  await dialog.getByLabel(t('operations:swap.reason')).fill('Blocked')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByRole('listitem').getByText(spare.name, { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: t('operations:preview.run_replace', { count: 1, formatted: '1' }) }).click()
  await expect.poll(() => keitaro.state.find(spare.name)?.archived, { timeout: 20_000 }).toBe(false)
  await expect.poll(() => keitaro.state.find(failing.name)?.archived, { timeout: 20_000 }).toBe(true)
  await mine.goto('/trackers?tab=reserve')
  await expect(mine.getByText(t('trackers:reserve.empty_title'))).toBeVisible()
})
