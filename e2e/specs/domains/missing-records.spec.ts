import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 2, accounts: 1, recordsPerZone: 12 }, accounts: 1 })

const page = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })

test('R-ACC-07 records that Cloudflare no longer lists are shown on the tab and on the accounts page, and are kept or removed there', async ({
  mine,
  t,
}) => {
  const { data } = await call('GET', '/zones/live?limit=40', page)
  const [first, second] = data.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (first === undefined || second === undefined) throw new Error('the world has two domains')
  const read = async () => {
    for (const { id } of data) await call('POST', `/zones/${id}/dns-records/refresh`, z.unknown(), {})
  }
  await read()
  deck().cloudflare.faults.add({ path: '/zones/*/dns_records', effect: { kind: 'short-list', share: 0.25 } })
  await read()

  await mine.goto(`/domains/${first.id}/records`)
  const title = t('records:missing.title', { count: 9, formatted: '9', known: '12' })
  await expect(mine.getByText(title)).toBeVisible()
  await mine.getByText(t('records:missing.which')).click()
  const notice = mine.getByRole('status').filter({ hasText: title })
  await expect(notice.getByRole('listitem')).toHaveCount(9)
  await notice.getByRole('button', { name: t('common:missing_records.keep') }).click()
  await expect(notice.getByRole('button', { name: t('common:missing_records.keep') })).toBeHidden()

  await mine.goto('/accounts')
  const banner = mine.getByRole('status').filter({ hasText: t('common:missing_records.gone') })
  await banner.getByText(t('common:missing.which')).click()
  const label = t('accounts:missing_records.domain', { name: second.name, missing: '9', known: '12' })
  // Only what nobody has decided about.
  await expect(banner.getByRole('listitem')).toHaveCount(1)
  await banner.getByLabel(label, { exact: true }).check()
  await expect(banner).toContainText(t('accounts:missing_records.selected', { count: 1, formatted: '1' }))
  await banner.getByRole('button', { name: t('common:missing_records.gone') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('common:missing_records.gone_title', { count: 9, formatted: '9' }))
  await dialog.getByRole('button', { name: t('common:missing_records.gone') }).click()
  await expect(dialog).toBeHidden()
  await expect(banner).toBeHidden()
})
