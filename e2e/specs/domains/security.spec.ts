import type { Page } from 'playwright/test'
import { z } from 'zod'
import { registrarCustomers } from '#server/simulators/registrar-world.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 3 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), status: z.string() })) })
const settings = z.object({ settings: z.object({ ssl: z.string().nullable(), minTlsVersion: z.string().nullable() }) })
const tracker = z.object({ tracker: z.object({ id: z.uuid() }) })
const used = new Set<string>()

/** A domain that no other test uses, with fixed settings. */
async function fresh(patch: object = {}) {
  const { data } = await call('GET', '/zones/live', zones)
  const found = data.find((zone) => zone.status === 'active' && !used.has(zone.id))
  if (found === undefined) throw new Error('no domain is left')
  used.add(found.id)
  await call('PATCH', `/zones/${found.id}/settings`, z.unknown(), {
    ssl: 'full',
    minTlsVersion: '1.2',
    alwaysUseHttps: false,
    hsts: { enabled: false, maxAge: 0 },
    securityLevel: 'medium',
    ...patch,
  })
  return { ...found, remote: deck().cloudflare.state.getZone(found.zoneId) }
}

const radio = (page: Page, name: string | RegExp) => page.getByRole('radio', { name })
const toggle = (page: Page, name: string) => page.getByRole('switch', { name })
const mirrored = async (id: string) => (await call('GET', `/zones/${id}/settings`, settings)).settings

test('R-DET-03 every setting is changed independently and immediately, and can be undone', async ({ mine, t }) => {
  const { id, remote } = await fresh()
  await mine.goto(`/domains/${id}/security`)
  await expect(radio(mine, '1.2')).toBeChecked()
  await radio(mine, '1.3').click()
  await expect(radio(mine, '1.3')).toBeChecked()
  await expect.poll(() => remote.changes?.settings.get('min_tls_version')?.value).toBe('1.3')
  await mine.getByRole('button', { name: t('security:undo') }).click()
  await expect(radio(mine, '1.2')).toBeChecked()
  await expect.poll(() => remote.changes?.settings.get('min_tls_version')?.value).toBe('1.2')

  await toggle(mine, t('security:https.name')).click()
  await expect.poll(() => remote.changes?.settings.get('always_use_https')?.value).toBe('on')
  await radio(mine, t('security:level.levels.high.name')).click()
  await expect.poll(() => remote.changes?.settings.get('security_level')?.value).toBe('high')
  await radio(mine, t('security:hsts.months_short', { formatted: '6' })).click()
  await toggle(mine, t('security:hsts.includeSubDomains.name')).click()
  await expect
    .poll(() => remote.changes?.settings.get('security_header')?.value)
    .toMatchObject({ strict_transport_security: { enabled: true, max_age: 15_552_000, include_subdomains: true } })
})

test('R-DET-03 a change that Cloudflare rejects is rolled back and shows its message', async ({ mine, t }) => {
  const { id, remote } = await fresh()
  await mine.goto(`/domains/${id}/security`)
  await expect(radio(mine, '1.2')).toBeChecked()
  const heal = deck().cloudflare.faults.add({ method: 'PATCH', path: `/zones/${remote.id}/settings/*`, effect: { kind: 'forbidden' } })
  await radio(mine, '1.0').click()
  const alert = mine.getByRole('alert').filter({ hasText: t('security:tls.failed') })
  await expect(alert).toContainText(t('errors:provider_code', { code: '10000', message: 'Authentication error' }))
  await expect(radio(mine, '1.2')).toBeChecked()
  await toggle(mine, t('security:https.name')).click()
  await expect(mine.getByRole('alert').filter({ hasText: t('security:https.failed') })).toBeVisible()
  await expect(toggle(mine, t('security:https.name'))).not.toBeChecked()
  heal()
  expect((await mirrored(id)).minTlsVersion).toBe('1.2')
})

test('R-DET-03 a dangerous change is confirmed inline, and Escape leaves the setting unchanged', async ({ mine, t }) => {
  const { id, remote } = await fresh({ alwaysUseHttps: true })
  await mine.goto(`/domains/${id}/security`)
  const flexible = radio(mine, new RegExp(`^${t('security:ssl.modes.flexible.name')}`))
  await flexible.click()
  const question = mine.getByRole('alertdialog')
  await expect(question).toContainText(t('security:warnings.flexible_with_https.title'))
  await mine.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(flexible).not.toBeChecked()
  await flexible.click()
  await question.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect(flexible).toBeChecked()
  await expect.poll(() => remote.changes?.settings.get('ssl')?.value).toBe('flexible')
})

test('R-DET-03 settings work by keyboard: arrows move, Space selects', async ({ mine }) => {
  const { id, remote } = await fresh()
  await mine.goto(`/domains/${id}/security`)
  await radio(mine, '1.2').focus()
  await mine.keyboard.press('ArrowLeft')
  await expect(radio(mine, '1.1')).toBeFocused()
  await expect(radio(mine, '1.2')).toBeChecked()
  await mine.keyboard.press('Space')
  await expect(radio(mine, '1.1')).toBeChecked()
  await expect.poll(() => remote.changes?.settings.get('min_tls_version')?.value).toBe('1.1')
})

test('R-DET-05 development mode counts down its remaining time', async ({ mine, t }) => {
  const { id } = await fresh()
  await mine.goto(`/domains/${id}/security`)
  await toggle(mine, t('security:development.name')).click()
  await expect(mine.getByRole('timer')).toContainText(/[23]:\d\d:\d\d/)
})

test('R-DET-04 certificates show authority, type, days left, expiry, hosts and state; a failed one shows the error', async ({
  mine,
  t,
}) => {
  const { id, name, remote } = await fresh()
  const nowMs = Date.now()
  const pack = {
    id: 'a'.repeat(32),
    type: 'universal' as const,
    hosts: [name, `*.${name}`],
    authority: 'lets_encrypt' as const,
    validationMethod: 'txt' as const,
    validityDays: 90 as const,
    uploadedOnMs: nowMs - 60 * 86_400_000,
    expiresOnMs: nowMs + 30.5 * 86_400_000,
  }
  deck().cloudflare.state.changesOf(remote).universalSsl = true
  deck().cloudflare.state.changesOf(remote).packs = [
    { ...pack, status: 'active' },
    { ...pack, id: 'b'.repeat(32), status: 'pending_validation' },
    { ...pack, id: 'c'.repeat(32), status: 'expired', expiresOnMs: nowMs - 5 * 86_400_000 },
  ]
  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:certificates.title'), exact: true })
  const list = section.getByRole('list', { name: t('security:certificates.title') })
  const active = list.getByRole('listitem').filter({ hasText: t('security:certificates.states.active') })
  await expect(active.first()).toContainText('Let’s Encrypt')
  await expect(active.first()).toContainText(t('security:certificates.days', { count: 90, formatted: '90' }))
  await expect(active.first()).toContainText(t('security:certificates.left', { count: 30, formatted: '30' }))
  await expect(active.first()).toContainText(`*.${name}`)
  const pending = list.getByRole('listitem').filter({ hasText: t('security:certificates.states.pending_validation') })
  await expect(pending.first()).toContainText(`_acme-challenge.${name}`)
  await expect(section.getByRole('table')).toContainText(t('security:certificates.states.expired'))
})

test('R-DET-03 the settings of bots ask before a change that harms a tracker or search, and show what the plan lacks', async ({
  mine,
  t,
}) => {
  const { id, remote } = await fresh()
  remote.plan = 'free'
  const bots = () => deck().cloudflare.state.changesOf(remote).bots
  const off = { fight_mode: false, ai_bots_protection: 'disabled', crawler_protection: 'disabled', is_robots_txt_managed: false }
  deck().cloudflare.state.changesOf(remote).bots = off
  await call('POST', `/zones/${id}/refresh`, z.unknown())
  const { keitaro } = deck()
  const made = await call('POST', '/trackers', tracker, { kind: 'KEITARO', name: 'Keitaro', url: keitaro.url, apiKey: keitaro.apiKey })
  await call('POST', `/zones/${id}/tracker`, z.unknown(), { trackerId: made.tracker.id })
  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:bots.title') })
  const fight = toggle(mine, t('security:bots.fight_mode.name'))
  await expect(fight).not.toBeChecked()
  await fight.click()
  await expect(mine.getByRole('alertdialog')).toContainText(t('security:warnings.bot_fight_with_tracker.title'))
  await mine.getByRole('button', { name: t('security:leave') }).click()
  expect(bots()).toEqual(off)
  await fight.click()
  await mine.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect.poll(bots).toEqual({ ...off, fight_mode: true })
  await expect(fight).toBeChecked()

  await section.getByRole('radio', { name: t('security:bots.ai.choices.block') }).click()
  await expect(mine.getByRole('alertdialog')).toContainText(t('security:warnings.ai_bots_with_search.title'))
  await mine.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect.poll(bots).toEqual({ ...off, fight_mode: true, ai_bots_protection: 'block' })
  const changed = t('security:changed', { name: t('security:bots.ai.name'), value: t('security:bots.ai.choices.block') })
  // The undo of the change before may still be shown.
  await mine
    .getByRole('status')
    .filter({ hasText: changed })
    .getByRole('button', { name: t('security:undo') })
    .click()
  await expect.poll(bots).toEqual({ ...off, fight_mode: true })

  remote.plan = 'business'
  await call('POST', `/zones/${id}/refresh`, z.unknown())
  await mine.goto(`/domains/${id}/security`)
  await expect(fight).toBeDisabled()
  await expect(section).toContainText(t('security:not_editable'))
  await toggle(mine, t('security:bots.labyrinth.name')).click()
  await expect.poll(() => bots()?.['crawler_protection']).toBe('enabled')
})

test('R-DET-03 DNSSEC shows the DS record for the registrar until it is there, and warns before it is disabled', async ({
  mine,
  context,
  t,
}) => {
  const { id, name, remote } = await fresh()
  const { state } = deck().cloudflare
  await call('POST', `/zones/${id}/refresh`, z.unknown())
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: deck().panel.url })
  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:dnssec.title') })
  const dnssec = section.getByRole('switch', { name: t('security:dnssec.name') })
  await expect(dnssec).not.toBeChecked()
  await dnssec.click()
  await expect(section).toContainText(t('security:dnssec.statuses.pending.name'))
  await section.getByRole('button', { name: `${name}. 3600 IN DS` }).click()
  expect(await mine.evaluate(() => navigator.clipboard.readText())).toMatch(/^\S+ 3600 IN DS \d+ 13 2 [\dA-F]{64}$/)
  expect(remote.changes?.dnssec?.enabled).toBe(true)

  const published = section.getByRole('group', { name: t('security:dnssec.public.title') })
  await expect(published).toContainText(t('security:dnssec.public.states.not_published.name'))
  state.registrarDs.add(name)
  await published.getByRole('button', { name: t('security:dnssec.public.check') }).click()
  await expect(published).toContainText(t('security:dnssec.public.states.published.help'))
  const answer = z.object({ ds: z.object({ state: z.string() }) })
  expect((await call('GET', `/zones/${id}/dnssec/ds`, answer)).ds.state).toBe('published')
  await call('POST', `/zones/${id}/refresh`, z.unknown())
  await expect(section).toContainText(t('security:dnssec.statuses.active.name'))
  await dnssec.click()
  await expect(mine.getByRole('alertdialog')).toContainText(t('security:warnings.dnssec_off.title'))
  await mine.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect(section).toContainText(t('security:dnssec.statuses.pending-disabled.name'))
  expect(remote.changes?.dnssec?.enabled).toBe(false)
})

test('the DS record is set at Porkbun after a confirmation, and removed there', async ({ mine, t }) => {
  const { id, name } = await fresh()
  const porkbun = deck().market.accounts.find(({ provider }) => provider === 'PORKBUN')
  if (porkbun === undefined) throw new Error('no account at Porkbun')
  porkbun.names.set(name, {
    name,
    createdAtMs: Date.now() - 8_640_000_000,
    expiresAtMs: Date.now() + 8_640_000_000,
    autoRenew: true,
    locked: false,
    privacy: true,
    nameServers: [],
    apiAccess: true,
  })
  const made = z.object({ registrar: z.object({ id: z.uuid() }) })
  const input = { name: 'Porkbun', type: 'API_ENABLED', provider: 'PORKBUN', ...registrarCustomers.PORKBUN }
  const { registrar } = await call('POST', '/registrars', made, input)
  await call('PATCH', `/zones/${id}/registrar`, z.unknown(), { registrarId: registrar.id })
  await call('PATCH', `/zones/${id}/settings`, z.unknown(), { dnssec: true })
  const records = () => porkbun.names.get(name)?.dsRecords ?? []

  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:dnssec.title') })
  const press = async (action: 'set' | 'remove') => {
    const label = t(`security:dnssec.registrar.${action}`, { registrar: 'Porkbun' })
    await section.getByRole('button', { name: label }).click()
    const dialog = mine.getByRole('dialog')
    await expect(dialog).toContainText(t(`security:dnssec.registrar.${action}_text`, { domain: name }))
    await dialog.getByRole('button', { name: label }).click()
    await expect(dialog).toBeHidden()
  }
  // Its two buttons and the DS record fit a phone.
  await mine.setViewportSize({ width: 360, height: 740 })
  await expect(section.getByRole('button', { name: t('security:dnssec.registrar.set', { registrar: 'Porkbun' }) })).toBeVisible()
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  await mine.setViewportSize({ width: 1280, height: 800 })
  await press('set')
  await expect.poll(records).toMatchObject([{ algorithm: 13, digestType: 2 }])
  await press('remove')
  await expect.poll(records).toEqual([])
})

test('R-DET-04 disabling universal SSL is confirmed, and a failure is reported', async ({ mine, t }) => {
  const { id, remote } = await fresh({ alwaysUseHttps: true, hsts: { enabled: true, maxAge: 2_592_000 } })
  deck().cloudflare.state.changesOf(remote).universalSsl = true
  await mine.goto(`/domains/${id}/security`)
  const universal = toggle(mine, t('security:universal.name'))
  await expect(universal).toBeChecked()
  const heal = deck().cloudflare.faults.add({ method: 'PATCH', path: `/zones/${remote.id}/ssl/*`, effect: { kind: 'forbidden' } })
  await universal.click()
  await expect(mine.getByRole('alertdialog')).toContainText(t('security:warnings.universal_off_with_hsts.title'))
  await mine.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect(mine.getByRole('alert').filter({ hasText: t('security:universal.failed') })).toBeVisible()
  await expect(universal).toBeChecked()
  heal()
  await universal.click()
  await mine.getByRole('button', { name: t('security:change_anyway') }).click()
  await expect(mine.getByRole('heading', { name: t('security:certificates.none') })).toBeVisible()
  await expect.poll(() => remote.changes?.universalSsl).toBe(false)
})

test('R-DET-03 R-DET-04 nothing scrolls sideways at 360 px', async ({ mine, t }) => {
  const { id } = await fresh()
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto(`/domains/${id}/security`)
  await expect(radio(mine, '1.2')).toBeChecked()
  await expect(toggle(mine, t('security:universal.name'))).toBeVisible()
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
})
