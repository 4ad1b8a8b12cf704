import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { addAccounts, call, deck, expect, hearing, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 4, world: { zones: 900, accounts: 8 } })

const zones = z.object({
  data: z.array(z.object({ id: z.uuid(), name: z.string(), displayName: z.string(), zoneId: z.string(), status: z.string() })),
})
const allZones = async (query = '') => (await call('GET', `/zones/live${query}`, zones)).data
const rows = (page: Page) => page.getByRole('grid').locator('[role=row][data-id]')
const rowCount = (page: Page) =>
  page
    .getByRole('grid')
    .getAttribute('aria-rowcount')
    .then((count) => Number(count) - 1)
const box = (page: Page, index: number) => page.locator(`[role=row][aria-rowindex="${index + 2}"]`).getByRole('checkbox')

test('R-DOM-01 R-RTE-05 R-APP-05 a statistics tile sets a filter that is in the URL and is restored later', async ({ mine, t }) => {
  const pending = await allZones('?status=pending')
  await mine.goto('/domains')
  const tile = mine.getByRole('group', { name: t('domains:tiles.label') }).getByRole('button', { name: t('domains:tiles.pending') })
  await expect(tile).toContainText(String(pending.length))
  await tile.click()
  await expect(tile).toHaveAttribute('aria-pressed', 'true')
  await expect(mine).toHaveURL(/\?status=pending$/)
  await expect.poll(() => rowCount(mine)).toBe(pending.length)

  await mine.goto('/domains')
  await expect(mine).toHaveURL(/status=pending/)
  await expect.poll(() => rowCount(mine)).toBe(pending.length)
  await tile.click()
  await expect(mine).toHaveURL(/\/domains$/)
  await mine.reload()
  await expect(rows(mine).first()).toBeVisible()
  await expect(mine).toHaveURL(/\/domains$/)
})

test('R-DOM-02 the search finds any part of a name and combines with filters', async ({ mine, t }) => {
  const all = await allZones()
  const part = all[Math.floor(all.length / 2)]?.name.slice(2, 7) ?? ''
  const matching = all.filter(({ name }) => name.includes(part))
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  await mine.keyboard.press('/')
  await mine.keyboard.type(part.toUpperCase())
  await expect.poll(() => rowCount(mine)).toBe(matching.length)
  await mine
    .getByRole('search')
    .getByRole('button', { name: t('domains:filters.status') })
    .click()
  await mine.getByRole('option', { name: t('domains:status.active') }).click()
  await expect.poll(() => rowCount(mine)).toBe(matching.filter(({ status }) => status === 'active').length)
  await expect(mine).toHaveURL(/status=active/)
})

test('R-DOM-02 loaded rows that match are shown, marked as incomplete, while the response is on the way', async ({ mine }) => {
  const matching = (await allZones()).filter(({ name }) => name.includes('a')).length
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await mine.route(/\/trpc\/.*domains\.rows/, async (route) => {
    await held
    await route.continue()
  })
  await mine.keyboard.press('/')
  await mine.keyboard.type('a')
  await expect.poll(() => rowCount(mine)).toBeLessThan(101)
  await expect(mine.getByRole('grid')).toHaveAttribute('aria-busy', 'true')
  for (const name of await rows(mine).locator('[data-column=name]').allTextContents()) expect(name).toContain('a')
  release()
  await expect.poll(() => rowCount(mine)).toBe(matching)
  await expect(mine.getByRole('grid')).not.toHaveAttribute('aria-busy')
})

test('R-DOM-02 the IP filter explains its format and finds exactly the address; a partial address changes nothing', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 1600, height: 800 })
  await mine.goto('/domains?ip=203.0')
  await expect(rows(mine).first()).toBeVisible()
  const total = await rowCount(mine)
  await mine
    .getByRole('search')
    .getByRole('button', { name: t('domains:filters.ip'), exact: true })
    .click()
  const field = mine.getByRole('textbox', { name: t('domains:filters.ip') })
  await expect(field).toHaveAccessibleDescription(t('domains:filters.ip_help'))
  await field.fill('203.0')
  await expect(field).toHaveAccessibleDescription(new RegExp(t('faults:invalid_address_filter').replaceAll(/[()*.]/g, '.')))
  await field.press('Enter')
  await expect(field).toBeVisible()
  expect(await rowCount(mine)).toBe(total)
  const { originIPs } = z
    .object({ data: z.array(z.object({ originIPs: z.array(z.string()) })) })
    .transform(({ data }) => data.find(({ originIPs: [first] }) => first !== undefined) ?? { originIPs: [] })
    .parse(await call('GET', '/zones/live', z.unknown()))
  const [ip = ''] = originIPs
  await field.fill(ip)
  await expect(mine).toHaveURL(new RegExp(`ip=${ip}$`))
  await expect.poll(() => rowCount(mine)).toBe((await allZones(`?ip=${ip}`)).length)
})

test('R-DOM-02 filters stay on one line, and those that do not fit are in the sheet with all filters', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 1100, height: 800 })
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  const bar = mine.getByRole('search')
  const more = bar.getByTitle(t('common:filters.title'))
  const email = bar.getByRole('button', { name: t('domains:filters.email'), exact: true })
  await expect(email).toHaveCount(0)
  await expect(bar.getByRole('button', { name: t('domains:filters.health'), exact: true })).toBeVisible()
  await more.click()
  const sheet = mine.getByRole('dialog', { name: t('common:filters.title') })
  await sheet.getByRole('button', { name: t('domains:filters.status'), exact: true }).click()
  await mine.getByRole('option', { name: t('domains:status.pending') }).click()
  await sheet.getByRole('button', { name: t('common:filters.apply'), exact: true }).click()
  await expect(mine).toHaveURL(/status=pending/)
  await mine.setViewportSize({ width: 1920, height: 800 })
  await expect(email).toBeVisible()
  await expect(more).toBeVisible()
  // The chosen value takes the place of the last filter.
  await mine.setViewportSize({ width: 2560, height: 1200 })
  await bar.getByRole('button', { name: t('common:filters.reset'), exact: true }).click()
  await expect(bar.getByRole('button', { name: t('domains:filters.origin_certificate'), exact: true })).toBeVisible()
})

test('bots and DNSSEC of every domain are filters and columns, in the link and in the export', async ({ mine, t }) => {
  const [shielded, waiting] = await allZones('?status=active')
  if (shielded === undefined || waiting === undefined) throw new Error('no active zones')
  const { state } = deck().cloudflare
  for (const domain of [shielded, waiting]) {
    const zone = state.zonesById.get(domain.zoneId)
    if (zone === undefined) throw new Error('no such zone')
    zone.plan = 'free'
    state.changesOf(zone).bots = { fight_mode: domain === shielded, ai_bots_protection: 'block' }
    if (domain === waiting) state.changesOf(zone).dnssec = { enabled: true, modifiedOnMs: Date.now() }
    await call('POST', `/zones/${domain.id}/refresh`, z.unknown())
  }
  await mine.setViewportSize({ width: 1920, height: 900 })
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  const bar = mine.getByRole('search')
  await bar.getByRole('button', { name: t('domains:filters.bots'), exact: true }).click()
  const option = (column: 'bot_fight_mode' | 'ai_bots', value: string) =>
    mine.getByRole('option', { name: `${t(`domains:columns.${column}`)}: ${value}`, exact: true })
  await option('ai_bots', t('domains:ai_bots.block')).click()
  await expect(mine).toHaveURL(/aiBots=block/)
  await option('bot_fight_mode', t('domains:on_off.disabled')).click()
  await expect(mine).toHaveURL(/botFight=disabled/)
  // Another value of the same setting takes its place.
  await option('bot_fight_mode', t('domains:on_off.enabled')).click()
  await expect(mine).toHaveURL(/aiBots=block&botFight=enabled|botFight=enabled.*aiBots=block/)
  await mine.keyboard.press('Escape')
  const found = await allZones('?aiBots=block&botFightMode=enabled')
  expect(found.map(({ id }) => id)).toContain(shielded.id)
  await expect.poll(() => rowCount(mine)).toBe(found.length)

  await mine.goto(`/domains?q=${waiting.name}&aiBots=block&botFight=disabled&dnssec=pending`)
  await expect(rows(mine)).toHaveCount(1)
  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  for (const column of ['ai_bots', 'bot_fight_mode', 'dnssec'] as const) {
    const saved = mine.waitForResponse(/me\.saveLayout/)
    await mine.getByRole('checkbox', { name: t(`domains:columns.${column}`), exact: true }).click()
    await saved
  }
  await mine.keyboard.press('Escape')
  const cell = (column: string) => rows(mine).locator(`[data-column=${column}]`)
  await expect(cell('aiBots')).toHaveText(t('domains:ai_bots.block'))
  await expect(cell('botFightMode')).toHaveText(t('domains:no'))
  await expect(cell('dnssec')).toHaveText(t('domains:dnssec.pending'))

  await box(mine, 0).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('domains:selection.export') })
    .click()
  const downloading = mine.waitForEvent('download')
  await mine.getByRole('menuitem', { name: t('domains:selection.csv') }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  const [heading = '', line = ''] = csv.split('\r\n')
  const exported = Object.fromEntries(heading.split(',').map((name, index) => [name, line.split(',')[index]]))
  expect(exported).toMatchObject({ botFightMode: 'false', aiBots: 'block', dnssec: 'pending' })

  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  const saved = mine.waitForResponse(/me\.saveLayout/)
  await mine.getByRole('button', { name: t('common:table.columns_reset') }).click()
  await saved
})

test('the nearest expiry of origin certificates is a filter and a column, in the link and in the export', async ({ mine, t }) => {
  const [domain, without] = await allZones('?status=active')
  if (domain === undefined || without === undefined) throw new Error('no active zones')
  for (const { id } of [domain, without]) await call('POST', `/zones/${id}/refresh`, z.unknown())
  await call('POST', `/zones/${domain.id}/origin-certificates`, z.unknown(), {
    validityDays: 7,
    hostnames: [`only.${domain.name}`],
    keyType: 'ecc',
  })
  expect((await allZones('?originCertificate=expires_soon')).map(({ id }) => id)).not.toContain(domain.id)
  const expires = new Date(Date.now() + 86_400_000)
  const { originCertificates } = deck().cloudflare.state
  const issued = [...originCertificates.values()].find(({ hostnames }) => hostnames[0] === `only.${domain.name}`)
  if (issued === undefined) throw new Error('not issued')
  originCertificates.set(issued.id, { ...issued, expiresOnMs: expires.getTime() })
  await call('POST', `/zones/${domain.id}/refresh`, z.unknown())
  const found = await allZones('?originCertificate=expires_soon')
  expect(found.map(({ id }) => id)).toContain(domain.id)
  await mine.setViewportSize({ width: 1366, height: 900 })
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  const bar = mine.getByRole('search')
  await bar.getByTitle(t('common:filters.title')).click()
  const sheet = mine.getByRole('dialog', { name: t('common:filters.title') })
  await sheet.getByRole('button', { name: t('domains:filters.origin_certificate'), exact: true }).click()
  await mine.getByRole('option', { name: t('domains:origin_certificate.expires_soon') }).click()
  await sheet.getByRole('button', { name: t('common:filters.apply'), exact: true }).click()
  await expect(mine).toHaveURL(/originCert=expires_soon/)
  await expect.poll(() => rowCount(mine)).toBe(found.length)

  await mine.goto(`/domains?q=${domain.name}&originCert=expires_soon`)
  await expect(rows(mine)).toHaveCount(1)
  const column = mine.getByRole('checkbox', { name: t('domains:columns.origin_certificate'), exact: true })
  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  await expect(column).not.toBeChecked()
  const shown = mine.waitForResponse(/me\.saveLayout/)
  await column.click()
  await shown
  await mine.keyboard.press('Escape')
  const cell = rows(mine).locator('[data-column=originCertificate]')
  await expect(cell).toContainText(String(expires.getFullYear()))
  await expect(cell).toContainText(t('domains:origin_certificate.expires_soon'))

  await box(mine, 0).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('domains:selection.export') })
    .click()
  const downloading = mine.waitForEvent('download')
  await mine.getByRole('menuitem', { name: t('domains:selection.csv') }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  const [heading = '', line = ''] = csv.split('\r\n')
  const exported = Object.fromEntries(heading.split(',').map((name, index) => [name, line.split(',')[index]]))
  expect(exported['originCertificate']).toBe('expires_soon')
  expect(Date.parse(exported['originCertificateExpiresAt'] ?? '')).toBeLessThan(expires.getTime() + 60_000)

  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  const saved = mine.waitForResponse(/me\.saveLayout/)
  await mine.getByRole('button', { name: t('common:table.columns_reset') }).click()
  await saved
})

test('traffic of 30 days is a filter, a sort order, columns, and part of the export', async ({ mine, t }) => {
  const traffic = z.object({ data: z.array(z.object({ name: z.string(), traffic: z.object({ requests: z.number() }).nullable() })) })
  const read = async () => (await call('GET', '/zones/live', traffic)).data
  // The panel reads it automatically, ten domains a second in each account.
  await expect.poll(async () => (await read()).filter(({ traffic: amount }) => amount === null).length, { timeout: 120_000 }).toBe(0)
  const all = await read()
  const none = all.filter(({ traffic: amount }) => amount?.requests === 0)
  expect(none.length).toBeGreaterThan(0)
  await mine.setViewportSize({ width: 1366, height: 900 })
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  await mine.getByRole('search').getByTitle(t('common:filters.title')).click()
  const sheet = mine.getByRole('dialog', { name: t('common:filters.title') })
  await sheet.getByRole('button', { name: t('domains:filters.traffic'), exact: true }).click()
  await mine.getByRole('option', { name: t('domains:traffic.none') }).click()
  await sheet.getByRole('button', { name: t('common:filters.apply'), exact: true }).click()
  await expect(mine).toHaveURL(/traffic=none/)
  await expect.poll(() => rowCount(mine)).toBe(none.length)

  const [busiest] = all.toSorted((a, b) => (b.traffic?.requests ?? 0) - (a.traffic?.requests ?? 0))
  await mine.goto('/domains?traffic=some&sort=-requests')
  await expect(rows(mine).first()).toContainText(busiest?.name ?? '')
  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  for (const column of ['requests', 'trend', 'server_errors'] as const) {
    const saved = mine.waitForResponse(/me\.saveLayout/)
    await mine.getByRole('checkbox', { name: t(`domains:columns.${column}`), exact: true }).click()
    await saved
  }
  await mine.keyboard.press('Escape')
  const cell = (column: string) => rows(mine).first().locator(`[data-column=${column}]`)
  await expect(cell('requests')).toHaveText(/\d/)
  await expect(cell('trend').locator('svg')).toBeVisible()
  await expect(cell('serverErrors')).toHaveText(/%|—/)

  await box(mine, 0).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('domains:selection.export') })
    .click()
  const downloading = mine.waitForEvent('download')
  await mine.getByRole('menuitem', { name: t('domains:selection.csv') }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  const [heading = '', line = ''] = csv.split('\r\n')
  const exported = Object.fromEntries(heading.split(',').map((name, index) => [name, line.split(',')[index]]))
  expect(exported['requests']).toBe(String(busiest?.traffic?.requests))

  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  const saved = mine.waitForResponse(/me\.saveLayout/)
  await mine.getByRole('button', { name: t('common:table.columns_reset') }).click()
  await saved
})

test('R-DOM-02 an empty result offers to reset the filters', async ({ mine, t }) => {
  await mine.goto('/domains?q=there-is-no-such-name')
  await expect(mine.getByText(t('common:filters.none'))).toBeVisible()
  await mine.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(rows(mine).first()).toBeVisible()
  await expect(mine).toHaveURL(/\/domains$/)
})

test('R-DOM-03 the chosen columns are kept after a reload and at a width with other default columns', async ({ mine, t }) => {
  const head = (name: 'records' | 'updated' | 'health') => mine.getByRole('columnheader', { name: t(`domains:columns.${name}`) })
  const choose = async (...names: ('records' | 'updated' | 'health')[]): Promise<void> => {
    await mine.getByRole('button', { name: t('common:table.columns') }).click()
    for (const name of names) {
      const saved = mine.waitForResponse(/me\.saveLayout/)
      await mine.getByRole('checkbox', { name: t(`domains:columns.${name}`) }).click()
      await saved
    }
    await mine.keyboard.press('Escape')
  }
  await mine.setViewportSize({ width: 1366, height: 800 })
  await mine.goto('/domains')
  await expect(head('records')).toBeVisible()
  await expect(head('health')).toHaveCount(0)
  await choose('records', 'health')
  for (const width of [1366, 1920]) {
    await mine.setViewportSize({ width, height: 800 })
    await mine.reload()
    await expect(head('health')).toBeVisible()
    await expect(head('records')).toHaveCount(0)
  }
  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  const saved = mine.waitForResponse(/me\.saveLayout/)
  await mine.getByRole('button', { name: t('common:table.columns_reset') }).click()
  await saved
})

test('R-RTE-05 a link restores the view: filter, order and cards', async ({ mine }) => {
  const active = (await allZones('?status=active')).map(({ name }) => name).toSorted()
  await mine.goto('/domains?status=active&sort=-name')
  await expect(rows(mine).first()).toHaveAttribute('aria-rowindex', '2')
  await expect(rows(mine).first().getByRole('link').first()).toHaveText(active.at(-1) ?? '')
  await mine.goto('/domains?view=grid')
  await expect(mine.getByRole('article').first()).toBeVisible()
})

test('R-RTE-05 a link with unknown values still opens the list', async ({ mine }) => {
  const all = await allZones()
  await mine.goto('/domains?status=all&tls=banana&sort=nothing&account=mine&view=3')
  await expect.poll(() => rowCount(mine)).toBe(all.length)
  await expect(rows(mine).first()).toBeVisible()
})

test('R-DOM-04 only a few of hundreds of rows are rendered, and any position of the list is one jump away', async ({ mine }) => {
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  await expect.poll(() => rowCount(mine)).toBeGreaterThan(400)
  const count = await rowCount(mine)
  await mine.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }))
  await expect(mine.locator(`[role=row][aria-rowindex="${count + 1}"][data-id]`)).toBeVisible()
  expect(await mine.getByRole('row').count()).toBeLessThanOrEqual(200)
})

test('R-DOM-04 Shift selects a range across rows that were never loaded; the selection is exported as names and as a table', async ({
  mine,
  t,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const names = (await allZones()).map(({ displayName }) => displayName)
  await mine.goto('/domains')
  await box(mine, 1).click()
  await mine.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: 36 * 350 }))
  await expect(mine.locator('[role=row][aria-rowindex="352"][data-id]')).toBeVisible()
  await box(mine, 350).click({ modifiers: ['Shift'] })
  const bar = mine.getByRole('toolbar')
  await expect(bar).toContainText(t('domains:selection.count', { count: 350, total: '350' }))
  await bar.getByRole('button', { name: t('domains:selection.copy') }).click()
  await expect(mine.getByText(t('domains:selection.copied', { count: 350, total: '350' }))).toBeVisible()
  const copied = (await mine.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(copied.toSorted()).toEqual(names.slice(1, 351).toSorted())

  await bar.getByRole('button', { name: t('domains:selection.export') }).click()
  const download = mine.waitForEvent('download')
  await mine.getByRole('menuitem', { name: t('domains:selection.csv') }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(351)

  await mine.keyboard.press('Escape')
  await expect(bar).toBeHidden()
})

test('R-DOM-04 all matching domains are selected without listing them, and one can be deselected', async ({ mine, t }) => {
  await mine.goto('/domains?status=active')
  await expect(rows(mine).first()).toBeVisible()
  const count = await rowCount(mine)
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  const bar = mine.getByRole('toolbar')
  await expect(bar).toContainText(t('domains:selection.count', { count, total: String(count) }))
  await box(mine, 2).click()
  await expect(bar).toContainText(t('domains:selection.count', { count: count - 1, total: String(count - 1) }))
  // Escape closes only the open menu.
  await bar.getByRole('button', { name: t('operations:bulk.dns') }).click()
  await expect(mine.getByRole('menu')).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(mine.getByRole('menu')).toBeHidden()
  // Also before the focus has moved from the button into the menu.
  await bar.getByRole('button', { name: t('operations:bulk.dns') }).click()
  await expect(mine.getByRole('menu').locator(':focus')).toHaveCount(1)
  await bar.getByRole('button', { name: t('operations:bulk.dns') }).focus()
  await mine.keyboard.press('Escape')
  await expect(mine.getByRole('menu')).toBeHidden()
  await expect(bar).toBeVisible()
  await mine.getByRole('button', { name: t('common:filters.clear_one', { filter: t('domains:filters.status') }) }).click()
  await expect(bar).toBeHidden()
})

test('the keyboard moves, selects and opens', async ({ mine, t }) => {
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  for (const key of ['j', 'j', 'x', 'k', 'x']) await mine.keyboard.press(key)
  await expect(mine.getByRole('toolbar')).toContainText(t('domains:selection.count', { count: 2, total: '2' }))
  const id = await rows(mine).first().getAttribute('data-id')
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(new RegExp(`/domains/${id}$`))
  await mine.goBack()
  await expect(mine.getByRole('toolbar')).toBeVisible()
})

test('the domains beside a hovered one are loaded before they are opened', async ({ mine }) => {
  const asked: string[] = []
  mine.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  await rows(mine).nth(3).locator('[data-column=status]').hover()
  for (const beside of [2, 4]) {
    const id = (await rows(mine).nth(beside).getAttribute('data-id')) ?? ''
    await expect.poll(() => asked.some((request) => request.includes('domains.full') && request.includes(id))).toBe(true)
  }
})

test('R-DOM-12 the link of a domain is copied, and a browser that denies the clipboard is reported', async ({ mine, t, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await mine.goto('/domains')
  const row = rows(mine).nth(2)
  await row.hover()
  // The message is visible only briefly, so every frame is checked, starting before the click.
  const announced = mine.waitForFunction((words) => document.querySelector(`[aria-label="${words}"]`), t('common:copied'))
  await row.getByRole('button', { name: t('domains:actions.copy_link') }).click()
  await announced
  expect(await mine.evaluate(() => navigator.clipboard.readText())).toMatch(/^https:\/\/[^/]+$/)

  await mine.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))))
  await rows(mine).nth(3).hover()
  await rows(mine)
    .nth(3)
    .getByRole('button', { name: t('domains:actions.copy_link') })
    .click()
  await expect(mine.getByRole('alert').getByText(t('domains:actions.copy_link_failed'))).toBeVisible()
})

test('R-DOM-02 a pasted list shows which names are in the panel and which are not', async ({ mine, t, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [first, second] = await allZones()
  await mine.goto('/domains')
  await expect(rows(mine).first()).toBeVisible()
  const list = [first?.name, `https://${second?.name ?? ''}/path`, first?.name.toUpperCase(), 'not-ours.example', 'no name at all'].join(
    '\n',
  )
  await mine.evaluate((text) => navigator.clipboard.writeText(text), list)
  await mine.keyboard.press('/')
  await mine.keyboard.press('Control+v')
  await expect(mine).toHaveURL(/\/domains\/lookup$/)
  const tile = (name: string) =>
    mine.getByRole('group', { name: t('domains:lookup.results') }).getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(tile(t('domains:lookup.ours'))).toContainText('2')
  await expect(tile(t('domains:lookup.absent'))).toContainText('1')
  await expect(tile(t('domains:lookup.invalid'))).toContainText('1')
  await expect(tile(t('domains:lookup.repeated'))).toContainText('1')
  await tile(t('domains:lookup.ours')).click()
  await expect(rows(mine)).toHaveCount(2)
  await rows(mine).first().getByRole('link').first().click()
  await expect(mine).toHaveURL(/\/domains\/[\da-f-]{36}$/)
  await expect(mine.getByRole('heading', { level: 1 })).toHaveText(first?.displayName ?? '')
})

test('R-ACC-07 domains of an account that was added elsewhere appear without a reload', async ({ mine }) => {
  const live = hearing(mine)
  await mine.goto('/domains')
  await live
  await expect(rows(mine).first()).toBeVisible()
  const before = await rowCount(mine)
  await addAccounts(deck().credentials.slice(4, 5))
  const after = (await allZones()).length
  expect(after).toBeGreaterThan(before)
  await expect.poll(() => rowCount(mine)).toBe(after)
})

test('R-ERR-03 a list that failed to load shows an error and can be retried', async ({ mine, t }) => {
  const retry = await failUntilRetry(mine, /\/trpc\/.*domains\.rows/, (route) => route.fulfill({ status: 500, body: '<html>oops' }))
  await mine.goto('/domains')
  await retry(mine.getByRole('button', { name: t('common:retry') }))
  await expect(rows(mine).first()).toBeVisible()
})

test('the focus stays in its row when rows are read again, and keyboard navigation continues from there', async ({ mine }) => {
  await mine.goto('/domains')
  const grid = mine.getByRole('grid')
  await expect(rows(mine).first()).toBeVisible()
  const focused = grid.getByRole('checkbox').nth(3)
  await focused.focus()
  // Another page has changed them, and the response arrives only after the key.
  const { promise: pressed, resolve: press } = Promise.withResolvers<undefined>()
  const asked = mine.waitForRequest(/domains\.rows/)
  await mine.route(/domains\.rows/, async (route) => {
    await pressed
    await route.continue()
  })
  const [, domain] = await allZones()
  await call('POST', `/zones/${domain?.id ?? ''}/refresh`, z.unknown())
  await asked
  await expect(focused).toBeFocused()
  await mine.keyboard.press('ArrowDown')
  await expect(grid).toBeFocused()
  await expect(grid).toHaveAttribute('aria-activedescendant', 'row-3')
  await focused.focus()
  await mine.keyboard.press('End')
  const read = mine.waitForResponse(/domains\.rows/)
  press(undefined)
  await read
  await expect(grid).toBeFocused()
  await expect(grid).toHaveAttribute('aria-activedescendant', /^row-[1-9]\d\d$/)
  await mine.keyboard.press('Home')
  await expect(grid).toHaveAttribute('aria-activedescendant', 'row-0')
})

test('j and k move from the row with the focused control, and back to the list', async ({ mine, t }) => {
  await mine.goto('/domains')
  const grid = mine.getByRole('grid')
  await expect(rows(mine).first()).toBeVisible()
  await rows(mine).nth(4).getByRole('checkbox').focus()
  await mine.keyboard.press('j')
  await expect(grid).toBeFocused()
  await expect(grid).toHaveAttribute('aria-activedescendant', 'row-5')
  await rows(mine).nth(2).getByRole('button').last().focus()
  await mine.keyboard.press('k')
  await expect(grid).toBeFocused()
  await expect(grid).toHaveAttribute('aria-activedescendant', 'row-1')
  await mine.keyboard.press('x')
  await expect(mine.getByRole('toolbar')).toContainText(t('domains:selection.count', { count: 1, total: '1' }))
})
