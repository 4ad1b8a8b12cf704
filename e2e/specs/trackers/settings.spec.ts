import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 0, accounts: 1 } })

const settings = z.object({
  settings: z.object({
    keitaroUrl: z.string().nullable(),
    keitaroApiKeyConfigured: z.boolean(),
    keitaro: z.object({ enabled: z.boolean(), connection: z.string() }),
  }),
})
const kept = async () => (await call('GET', '/settings/trackers', settings)).settings

test('R-TRK-01 R-TRK-02 a tracker is tested while it is filled in, added, moved only with its key, and cleared when it is switched off', async ({
  mine,
  t,
}) => {
  const { keitaro } = deck()
  keitaro.state.add({ name: 'offers.example.com' })
  keitaro.state.addCampaign('DE | Nutra')
  await mine.goto('/settings?tab=trackers')
  await mine.getByRole('button', { name: t('trackers:add', { kind: 'Keitaro' }) }).click()
  const dialog = mine.getByRole('dialog')
  const key = dialog.getByLabel(t('trackers:form.key'), { exact: false }).first()
  await dialog.getByLabel(t('trackers:form.url')).fill(keitaro.url)
  await expect(dialog.getByText(t('trackers:form.http_title'))).toBeVisible()
  await key.fill('not-the-key')
  await dialog.getByRole('button', { name: t('trackers:test.run') }).click()
  await expect(dialog.getByText(t('failures:codes.tracker_auth'))).toBeVisible()
  await expect(mine.getByText(t('trackers:failed.test'), { exact: true })).toBeVisible()

  // The result of the test belongs to the previous key.
  await key.fill(keitaro.apiKey)
  await expect(dialog.getByText(t('failures:codes.tracker_auth'))).toBeHidden()
  await dialog.getByRole('button', { name: t('trackers:test.run') }).click()
  await expect(dialog.getByText(t('trackers:test.works'))).toBeVisible()
  await dialog.getByRole('button', { name: t('trackers:form.add') }).click()
  await expect(dialog).toBeHidden()
  const row = mine.getByRole('listitem').filter({ hasText: keitaro.url })
  await expect(row.getByText(t('trackers:connection.works'), { exact: true })).toBeVisible()
  await expect(row.getByText(t('trackers:default'), { exact: true })).toBeVisible()
  expect(await kept()).toMatchObject({
    keitaroUrl: keitaro.url,
    keitaroApiKeyConfigured: true,
    keitaro: { enabled: true, connection: 'idle' },
  })

  keitaro.ways.adminApi = false
  await row.getByRole('button', { name: t('trackers:test.run_one', { name: 'Keitaro' }) }).click()
  await expect(row.getByText(t('failures:codes.tracker_edition'))).toBeVisible()
  await expect(row.getByText(t('trackers:connection.fails'), { exact: true })).toBeVisible()
  keitaro.ways.adminApi = true

  // The key is never sent to another host.
  await row.getByRole('button', { name: t('trackers:actions.edit_one', { name: 'Keitaro' }) }).click()
  await expect(key).toHaveValue('')
  await dialog.getByLabel(t('trackers:form.url')).fill('https://elsewhere.example.com')
  await dialog.getByLabel(t('trackers:form.name')).fill('')
  await expect(dialog.getByText(t('trackers:form.key_moved'))).toBeVisible()
  await dialog.getByRole('button', { name: t('trackers:form.save') }).click()
  // All missing fields are reported together.
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(2)
  expect((await kept()).keitaroUrl).toBe(keitaro.url)
  await mine.keyboard.press('Escape')

  await row.getByRole('switch').click()
  await dialog.getByRole('button', { name: t('trackers:disable.confirm') }).click()
  await expect(mine.getByText(t('trackers:state.off'))).toBeVisible()
  await expect(mine.getByText(t('trackers:connection.idle'))).toBeVisible()
  expect(await kept()).toEqual({
    ...(await kept()),
    keitaroUrl: null,
    keitaroApiKeyConfigured: false,
    keitaro: { enabled: false, connection: 'idle' },
  })
})

test('R-TRK-02 the addresses of a tracker are listed and changed one by one', async ({ mine, t }) => {
  const { binom } = deck()
  const addresses = ['203.0.113.10', '2001:db8::10']
  await call('POST', '/trackers', z.unknown(), { kind: 'BINOM', name: 'Addressed', url: binom.url, apiKey: binom.apiKey, addresses })
  await mine.goto('/settings?tab=trackers')
  await mine.getByRole('button', { name: t('trackers:actions.edit_one', { name: 'Addressed' }) }).click()
  const dialog = mine.getByRole('dialog')
  const field = dialog.getByLabel(t('trackers:form.addresses'))
  await expect(field).toHaveValue(addresses.join(', '))
  await field.press('End')
  await field.pressSequentially(', 203.0.113.11')
  await dialog.getByRole('button', { name: t('trackers:form.save') }).click()
  await expect(dialog).toBeHidden()
  const tracker = z.object({ id: z.uuid(), name: z.string(), addresses: z.array(z.string()) })
  const { trackers } = await call('GET', '/trackers', z.object({ trackers: z.array(tracker) }))
  const changed = trackers.find(({ name }) => name === 'Addressed')
  expect(changed?.addresses).toEqual([...addresses, '203.0.113.11'])
  await call('DELETE', `/trackers/${changed?.id ?? ''}`, z.unknown())
})

test('a tracker is deleted after its consequences are shown', async ({ mine, t }) => {
  const { binom } = deck()
  await call('POST', '/trackers', z.unknown(), { kind: 'BINOM', name: 'Second', url: binom.url, apiKey: binom.apiKey })
  await mine.goto('/settings?tab=trackers')
  await mine.getByRole('button', { name: t('trackers:actions.label', { name: 'Second' }) }).click()
  await mine.getByRole('menuitem', { name: t('trackers:actions.delete') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(t('trackers:delete.text', { count: 0, formatted: '0' }))).toBeVisible()
  await dialog.getByRole('button', { name: t('trackers:delete.confirm') }).click()
  await expect(mine.getByRole('link', { name: binom.url })).toHaveCount(0)
})
