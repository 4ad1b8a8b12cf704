import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2, world: { zones: 60, accounts: 2 } })

const zones = z.object({
  data: z.array(
    z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), sslMode: z.string().nullable(), securityLevel: z.string().nullable() }),
  ),
})
const activeZones = async () => (await call('GET', '/zones/live?status=active&limit=1000', zones)).data
type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']

test.beforeAll(async () => {
  await expect.poll(async () => (await activeZones()).every(({ sslMode }) => sslMode !== null), { message: 'details are read' }).toBe(true)
})

const bar = (page: Page): Locator => page.getByRole('toolbar')

/** Selects all active domains and opens the form. */
async function openSettings(page: Page, t: Texts, count: number): Promise<Locator> {
  await page.goto('/domains?status=active')
  await page.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await bar(page)
    .getByRole('button', { name: t('operations:bulk.settings') })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(t('common:domains', { count, formatted: String(count) }))
  return dialog
}

test('R-DOM-08 settings of all matching domains are previewed, then changed, and the result is reported', async ({ mine, t }) => {
  const active = await activeZones()
  const dialog = await openSettings(mine, t, active.length)
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await expect(dialog.getByRole('alert')).toHaveText(t('faults:settings_empty'))

  await dialog.getByLabel(t('security:ssl.name')).selectOption('strict')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const changing = active.filter(({ sslMode }) => sslMode !== 'strict').length
  const run = mine.getByRole('button', { name: t('operations:preview.run', { count: changing, formatted: String(changing) }) })
  await expect(run).toBeVisible()
  await expect(
    mine
      .getByRole('listitem')
      .filter({ hasText: t('security:ssl.modes.strict.name') })
      .first(),
  ).toBeVisible()
  // Nothing has been sent for this domain.
  expect((await activeZones()).filter(({ sslMode }) => sslMode === 'strict')).toHaveLength(active.length - changing)

  await run.click()
  await expect(bar(mine)).toBeHidden()
  await expect(
    mine.getByText(
      t('operations:toast.done', {
        kind: t('operations:kinds.settings'),
        done: String(changing),
        count: changing,
        formatted: String(changing),
      }),
    ),
  ).toBeVisible()
  await expect.poll(async () => (await activeZones()).every(({ sslMode }) => sslMode === 'strict')).toBe(true)
})

test('R-DET-03 HSTS is set with its options, and the preview names them', async ({ mine, t }) => {
  const active = await activeZones()
  const dialog = await openSettings(mine, t, active.length)
  const age = dialog.getByLabel(t('security:hsts.name'), { exact: true })
  const subdomains = dialog.getByRole('checkbox', { name: t('security:hsts.includeSubDomains.name') })
  await expect(subdomains).toBeHidden()
  await age.selectOption('15552000')
  await subdomains.check()
  await dialog.getByRole('checkbox', { name: t('security:hsts.nosniff.name') }).check()
  // Another max age keeps the other options.
  await age.selectOption('31536000')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const words = [
    t('security:hsts.months', { count: 12, formatted: '12' }),
    t('security:hsts.includeSubDomains.short'),
    t('security:hsts.nosniff.short'),
  ].join(', ')
  await expect(mine.getByRole('listitem').filter({ hasText: words }).first()).toBeVisible()
})

test('bots are changed for many domains, and the preview names those whose tracker or search traffic may suffer', async ({ mine, t }) => {
  const active = await activeZones()
  const bound = active[1]
  if (bound === undefined) throw new Error('no active zones')
  const { keitaro, cloudflare } = deck()
  for (const domain of active) {
    const zone = cloudflare.state.zonesById.get(domain.zoneId)
    if (zone === undefined) throw new Error('no such zone')
    zone.plan = 'free'
    cloudflare.state.changesOf(zone).bots = { fight_mode: false, ai_bots_protection: 'disabled' }
    await call('POST', `/zones/${domain.id}/refresh`, z.unknown())
  }
  const tracker = z.object({ tracker: z.object({ id: z.uuid() }) })
  const made = await call('POST', '/trackers', tracker, { kind: 'KEITARO', name: 'Keitaro', url: keitaro.url, apiKey: keitaro.apiKey })
  await call('POST', `/zones/${bound.id}/tracker`, z.unknown(), { trackerId: made.tracker.id })

  const dialog = await openSettings(mine, t, active.length)
  await dialog.getByLabel(t('security:bots.fight_mode.name')).selectOption('on')
  await dialog.getByLabel(t('security:bots.ai.name')).selectOption('only_on_ad_pages')
  await expect(dialog).toContainText(t('security:warnings.ai_bots_on_ad_pages_with_search.text'))
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const run = mine.getByRole('button', {
    name: t('operations:preview.run', { count: active.length, formatted: String(active.length) }),
  })
  await expect(run).toBeVisible()
  await expect(mine.getByText(t('security:warnings.ai_bots_on_ad_pages_with_search.title')).filter({ visible: true }).first()).toBeVisible()
  await expect(mine.getByText(t('security:warnings.bot_fight_with_tracker.text')).filter({ visible: true }).first()).toBeVisible()
  await expect(mine.getByRole('listitem').filter({ hasText: bound.name })).toContainText(
    t('security:warnings.bot_fight_with_tracker.title'),
  )
  await run.click()
  const changed = async () =>
    (await call('GET', '/zones/live?status=active&botFightMode=enabled&aiBots=only_on_ad_pages', zones)).data.length
  await expect.poll(changed).toBe(active.length)
})

test('R-DOM-08 R-ERR-04 a partial failure is reported by domain and retried separately, and the operation is undone', async ({
  mine,
  t,
}) => {
  const active = await activeZones()
  const changing = active.filter(({ securityLevel }) => securityLevel !== 'under_attack')
  const [refused] = changing
  if (refused === undefined) throw new Error('no active zone')
  const heal = deck().cloudflare.faults.add({
    method: 'PATCH',
    path: `/zones/${refused.zoneId}/settings*`,
    effect: { kind: 'success-false' },
  })

  const dialog = await openSettings(mine, t, active.length)
  await dialog.getByLabel(t('security:level.name')).selectOption('under_attack')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await mine.getByRole('button', { name: /^Изменить/ }).click()
  const toast = mine.getByRole('status').filter({ hasText: t('operations:toast.failed', { formatted: '1' }) })
  const updated = { kind: t('operations:kinds.settings'), done: String(changing.length - 1) }
  await expect(toast).toContainText(t('operations:toast.done', { ...updated, count: changing.length, formatted: String(changing.length) }))
  await mine.getByRole('button', { name: t('operations:toast.show') }).click()

  await expect(mine).toHaveURL(/\/operations\/.*state=failed/)
  const rows = mine.getByRole('grid').locator('[role=row][data-id]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(refused.name)
  await expect(rows).toContainText(t('failures:codes.provider_rejected'))

  heal()
  await mine.getByRole('button', { name: t('operations:page.retry', { count: 1, formatted: '1' }) }).click()
  await expect(mine.getByText(t('operations:states.done'), { exact: true })).toBeVisible()
  await expect(mine.getByText(t('operations:page.empty'))).toBeVisible()
  await mine.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(rows.first()).toBeVisible()

  await mine.getByRole('button', { name: t('operations:page.undo') }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: /^Отменить на / })
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.undo'))
  await expect(mine.getByText(t('operations:states.done'), { exact: true })).toBeVisible()
})
