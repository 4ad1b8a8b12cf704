import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, hearing, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 3 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), status: z.string() })) })
const recordAnswer = z.object({ record: z.object({ id: z.string() }) })
const used = new Set<string>()

/** A domain that no other test uses. */
async function fresh() {
  const { data } = await call('GET', '/zones/live', zones)
  const found = data.find((zone) => zone.status === 'active' && !used.has(zone.id))
  if (found === undefined) throw new Error('no domain is left')
  used.add(found.id)
  return { ...found, remote: deck().cloudflare.state.getZone(found.zoneId) }
}

const change = (id: string, patch: object) => call('PATCH', `/zones/${id}/settings`, z.unknown(), patch)
const addText = async (id: string, content: string) =>
  (await call('POST', `/zones/${id}/dns-records`, recordAnswer, { type: 'TXT', name: 'history', content })).record.id
const entry = (page: Page, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text })

test('changes of records and settings show the previous value and the author, and update live', async ({ mine, t }) => {
  const { id, name } = await fresh()
  await change(id, { minTlsVersion: '1.0' })
  const live = hearing(mine)
  await mine.goto(`/domains/${id}/history`)
  await live
  await change(id, { minTlsVersion: '1.3' })
  const tls = entry(mine, t('security:tls.name')).first()
  await expect(tls).toContainText('TLS 1.3')
  await expect(tls).toContainText('Owner')
  const record = await addText(id, 'v=spf1 include:_spf.google.com ip4:192.0.2.1 -all')
  await call('PATCH', `/zones/${id}/dns-records/${record}`, z.unknown(), { content: 'v=spf1 include:_spf.google.com ip4:192.0.2.7 -all' })
  const changed = entry(mine, `TXT history.${name}`).first()
  await expect(changed.locator('del')).toContainText('ip4:192.0.2.1')
  await expect(changed.locator('ins')).toContainText('ip4:192.0.2.7')
  await mine.getByRole('button', { name: t('history:subject'), exact: true }).click()
  await mine.getByRole('option', { name: t('history:subjects.setting') }).click()
  await expect(mine).toHaveURL(/subject=setting/)
  await expect(entry(mine, `TXT history.${name}`)).toHaveCount(0)
  await expect(tls).toBeVisible()
})

test('a change is undone after a preview', async ({ mine, t }) => {
  const { id, remote } = await fresh()
  await change(id, { minTlsVersion: '1.1' })
  await change(id, { minTlsVersion: '1.3' })
  await mine.goto(`/domains/${id}/history`)
  const latest = entry(mine, 'TLS 1.3').first()
  await latest.getByRole('button', { name: t('history:revert_one', { change: t('security:tls.name') }) }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('history:steps_state.will_change'))
  await expect(dialog).toContainText('TLS 1.1')
  await dialog.getByRole('button', { name: t('history:revert_now') }).click()
  await expect(dialog).toHaveCount(0)
  expect(remote.changes?.settings.get('min_tls_version')?.value).toBe('1.1')
  await expect(entry(mine, t('history:sources.revert')).first()).toContainText('TLS 1.1')
  await expect(entry(mine, t('history:reverted_mark')).first()).toContainText('TLS 1.3')
})

test('several changes are undone together; those overwritten since are skipped by default', async ({ mine, t }) => {
  const { id, name, remote } = await fresh()
  await change(id, { securityLevel: 'medium' })
  await change(id, { securityLevel: 'high' })
  await change(id, { securityLevel: 'low' })
  await addText(id, 'to be taken back')
  await mine.goto(`/domains/${id}/history`)
  await entry(mine, `TXT history.${name}`).getByRole('checkbox').check()
  // The change from medium to high, before the one from high to low.
  await entry(mine, t('security:level.name')).nth(1).getByRole('checkbox').check()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('history:revert_selected') })
    .click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('history:steps_state.changed_since'))
  await dialog.getByRole('button', { name: t('history:revert_now') }).click()
  await expect(dialog).toHaveCount(0)
  expect(remote.changes?.settings.get('security_level')?.value).toBe('low')
  await expect(entry(mine, t('history:sources.revert')).first()).toContainText(`TXT history.${name}`)
})

test('only the visible part of hundreds of changes is rendered, and the last one can be scrolled to', async ({ mine, t }) => {
  const { id, name } = await fresh()
  const creates = Array.from({ length: 120 }, (_, index) => ({ type: 'TXT', name: `many${index}`, content: 'x' }))
  await call('POST', `/zones/${id}/dns-records/batch`, z.unknown(), { creates })
  await mine.goto(`/domains/${id}/history`)
  const group = (count: number) => mine.getByRole('button', { name: t('history:many', { count, formatted: String(count) }), exact: true })
  for (const count of [100, 120]) {
    await mine.getByRole('button', { name: t('history:more') }).click()
    await expect(group(count)).toBeVisible()
  }
  await group(120).click()
  const lines = mine.getByRole('list', { name: t('history:list') }).getByRole('listitem')
  await expect(lines.nth(10)).toBeVisible()
  expect(await lines.count()).toBeLessThan(60)
  const last = lines.filter({ hasText: new RegExp(`TXT many\\d+\\.${name.replaceAll('.', '\\.')}`) }).last()
  await mine.getByRole('main').hover()
  await expect
    .poll(async () => {
      await mine.mouse.wheel(0, 3_000)
      const box = await mine.getByRole('list', { name: t('history:list') }).boundingBox()
      return box === null ? Infinity : box.y + box.height
    })
    .toBeLessThan(900)
  await expect(last).toBeVisible()
  // The heading of the day stays visible.
  await expect(mine.getByRole('heading', { level: 2 }).first()).toBeInViewport()
})
