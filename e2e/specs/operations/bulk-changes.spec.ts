import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { z } from 'zod'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { call, deck, expect, hearing, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2, world: { zones: 30, accounts: 2, plain: true } })

const zones = z.object({
  data: z.array(
    z.object({ id: z.uuid(), zoneId: z.string(), name: z.string(), sslMode: z.string().nullable(), recordsCount: z.int().nullable() }),
  ),
})
const activeZones = async () => (await call('GET', '/zones/live?status=active&limit=1000', zones)).data
type Zone = Awaited<ReturnType<typeof activeZones>>[number]
type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']
type Kind = 'ip' | 'dns_add' | 'dns_edit' | 'dns_delete' | 'group' | 'delete' | 'settings'

const many = (count: number) => ({ count, formatted: String(count) })
const bar = (page: Page): Locator => page.getByRole('toolbar')
/** The state at the provider. */
const recordsAt = ({ zoneId: providerZoneId }: Zone) => {
  const zone = deck().cloudflare.state.zonesById.get(providerZoneId)
  if (zone === undefined) throw new Error('no such zone')
  return recordsOf(deck().cloudflare.state, zone)
}

test.beforeAll(async () => {
  await expect
    .poll(async () => (await activeZones()).every(({ sslMode, recordsCount }) => sslMode !== null && recordsCount !== null), {
      message: 'details are read',
      timeout: 60_000,
    })
    .toBe(true)
})

/** Selects all active domains and opens a bulk action. */
async function ask(page: Page, t: Texts, kind: Kind): Promise<Locator> {
  await page.goto('/domains?status=active')
  await page.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  const button = (name: string) => bar(page).getByRole('button', { name, exact: true })
  if (kind === 'ip' || kind === 'settings') await button(t(`operations:bulk.${kind}`)).click()
  else {
    await button(t(kind.startsWith('dns') ? 'operations:bulk.dns' : 'operations:bulk.more')).click()
    await page.getByRole('menuitem', { name: t(`operations:bulk.${kind}`), exact: true }).click()
  }
  return page.getByRole('dialog')
}
const preview = (dialog: Locator, t: Texts) => dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
const resultText = (t: Texts, kind: Kind, done: number, count: number, subject = '') =>
  t(kind === 'delete' ? 'operations:toast.counted' : 'operations:toast.done', {
    kind: `${t(`operations:kinds.${kind}`)}${subject}`,
    done: String(done),
    ...many(count),
  })

test('R-DOM-10 a group is assigned to many domains, and the list shows it', async ({ mine, t }) => {
  const { length: count } = await activeZones()
  await call('POST', '/groups', z.unknown(), { name: 'Заказчик', color: '#e5484d' })
  const dialog = await ask(mine, t, 'group')
  await dialog.getByRole('combobox', { name: t('operations:group.label') }).click()
  await mine.getByRole('option', { name: 'Заказчик' }).click()
  await preview(dialog, t)
  await expect(mine.getByRole('listitem').filter({ hasText: 'Заказчик' }).first()).toBeVisible()
  await mine.getByRole('button', { name: t('operations:preview.run', many(count)), exact: true }).click()
  // The toast of the result offers undo.
  const ended = mine.getByRole('status').filter({ hasText: resultText(t, 'group', count, count) })
  await ended.getByRole('button', { name: t('operations:page.undo') }).click()
  const undoing = mine.getByRole('dialog')
  await expect(undoing.getByRole('button', { name: /^Отменить на / })).toBeEnabled()
  await mine.keyboard.press('Escape')
  await expect(undoing).toBeHidden()
  await mine.goto('/groups')
  await expect(mine.getByRole('list', { name: t('groups:title') })).toContainText(t('common:domains', many(count)))
})

test('R-DOM-14 an address replaces all A records, and failures are reported by domain', async ({ mine, t }) => {
  const active = await activeZones()
  const [refused, mail] = active
  if (refused === undefined || mail === undefined) throw new Error('no active zone')
  for (const record of [
    { type: 'A', name: 'mx', content: '203.0.113.8' },
    { type: 'MX', name: '@', content: `mx.${mail.name}`, priority: 10 },
  ])
    await call('POST', `/zones/${mail.id}/dns-records`, z.unknown(), record)
  const heal = deck().cloudflare.faults.add({
    path: `/zones/${refused.zoneId}/dns_records*`,
    effect: { kind: 'success-false' },
  })
  const dialog = await ask(mine, t, 'ip')
  await preview(dialog, t)
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  await dialog.getByLabel(t('operations:ip.address')).fill('203.0.113.77')
  await preview(dialog, t)
  const run = mine.getByRole('button', { name: /^Изменить / })
  await expect(run).toBeVisible()
  const changing = active.filter((zone) => recordsAt(zone).some(({ type }) => type === 'A')).length

  // Warned domains are shown separately, excluded, and included again.
  const planned = dialog.getByRole('list').filter({ has: mine.locator('[data-index]') })
  const warning = { warning: t('operations:dangers.mail_host_moves.title') }
  await dialog.getByRole('button', { name: `${t('operations:preview.show_warned')}: ${warning.warning}` }).click()
  await expect(planned.getByRole('listitem')).toHaveCount(1)
  await expect(planned).toContainText(mail.name)
  await dialog.getByRole('button', { name: `${t('operations:preview.exclude')}: ${warning.warning}` }).click()
  await expect(dialog.getByText(t('operations:preview.excluded', { ...warning, domains: t('common:domains', many(1)) }))).toBeVisible()
  await expect(run).toHaveText(t('operations:preview.run', many(changing - 1)))
  await expect(planned).toContainText(t('operations:codes.excluded'))
  await dialog.getByRole('button', { name: t('operations:preview.include') }).click()
  await expect(run).toHaveText(t('operations:preview.run', many(changing)))
  await dialog.getByRole('button', { name: t('operations:preview.only_warned', warning) }).click()
  await expect(planned.getByRole('listitem')).not.toHaveCount(1)
  await run.click()
  await expect(mine.getByText(resultText(t, 'ip', changing - 1, changing, ' → 203.0.113.77'))).toBeVisible()
  await mine.getByRole('button', { name: t('operations:toast.show') }).click()
  const rows = mine.getByRole('grid').locator('[role=row][data-id]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(refused.name)
  heal()
  for (const zone of active.filter(({ id }) => id !== refused.id)) {
    for (const { type, content } of recordsAt(zone)) if (type === 'A') expect(content).toBe('203.0.113.77')
  }

  // The list is filtered by kind and by result.
  await mine.goto('/operations')
  await mine.getByRole('button', { name: t('operations:list.result') }).click()
  await mine.getByRole('option', { name: t('operations:list.with_failures') }).click()
  await expect(mine).toHaveURL(/failed=true/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(t('operations:kinds.ip'))
  await mine.goto('/operations?kind=purge')
  await expect(mine.getByText(t('operations:list.none_match'))).toBeVisible()
  await mine.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(rows.first()).toBeVisible()
})

test('R-DNS-04 each domain gets its own value in place of the old one; matching records are edited', async ({ mine, t }) => {
  const active = await activeZones()
  const [without, ...others] = active
  const count = active.length
  const dialog = await ask(mine, t, 'dns_add')
  const first = dialog.getByRole('group', { name: t('records:rows.row', { number: 1 }) })
  await first.getByLabel(t('records:column.type')).selectOption('TXT')
  await first.getByLabel(t('records:column.content')).fill('site-token={{value}}')
  const values = dialog.getByLabel(t('operations:dns.values'), { exact: true })
  await values.fill(without?.name ?? '')
  await preview(dialog, t)
  await expect(dialog.getByText(t('operations:dns.values_wrong', { line: 1 }))).toBeVisible()
  await values.fill(others.map(({ name }, at) => `${name};token${at}`).join('\n'))
  await dialog.getByText(t('operations:dns.modes.replace'), { exact: true }).click()
  await preview(dialog, t)
  await expect(mine.getByText(t('operations:codes.value_missing'))).toBeVisible()
  await mine.getByRole('button', { name: t('operations:preview.run_dns_add', many(count - 1)), exact: true }).click()
  await expect(mine.getByText(resultText(t, 'dns_add', count - 1, count))).toBeVisible()
  const tokens = (zone: Zone) => recordsAt(zone).filter(({ content }) => content.includes('site-token='))
  for (const [at, zone] of others.entries())
    expect(
      tokens(zone)
        .map(({ content }) => content)
        .join(),
    ).toContain(`token${at}`)

  const edit = await ask(mine, t, 'dns_edit')
  await edit.getByLabel(t('operations:dns.type'), { exact: true }).selectOption('TXT')
  await edit.getByLabel(t('operations:dns.content'), { exact: true }).fill('site-token=')
  await edit.getByText(t('operations:replace.part'), { exact: true }).click()
  await preview(edit, t)
  await expect(edit.getByRole('alert')).toHaveText(t('faults:edit_empty'))
  // Beside the fields that it is about, and not below all of them.
  await expect(edit.getByRole('group', { name: t('operations:dns.edit_what') }).getByRole('alert')).toBeInViewport({ ratio: 1 })
  await edit.getByLabel(t('records:column.ttl'), { exact: true }).selectOption('3600')
  await preview(edit, t)
  await mine.getByRole('button', { name: t('operations:preview.run', many(count - 1)), exact: true }).click()
  await expect(mine.getByText(resultText(t, 'dns_edit', count - 1, count - 1))).toBeVisible()
  for (const zone of others) expect(tokens(zone).map(({ ttl }) => ttl)).toEqual([3600])
})

test('R-DNS-04 records are added to many domains; a deletion requires a filter and lists the domains that failed', async ({ mine, t }) => {
  const active = await activeZones()
  const count = active.length
  const dialog = await ask(mine, t, 'dns_add')
  await preview(dialog, t)
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  const first = dialog.getByRole('group', { name: t('records:rows.row', { number: 1 }) })
  await first.getByLabel(t('records:column.type')).selectOption('TXT')
  await first.getByLabel(t('records:column.name')).fill('probe')
  await first.getByLabel(t('records:column.content')).fill('here for now')
  await preview(dialog, t)
  await mine.getByRole('button', { name: t('operations:preview.run_dns_add', many(count)), exact: true }).click()
  await expect(mine.getByText(resultText(t, 'dns_add', count, count))).toBeVisible()
  const probes = (zone: Zone) => recordsAt(zone).filter(({ name }) => name === `probe.${zone.name}`)
  for (const zone of active) expect(probes(zone)).toHaveLength(1)

  const [refused] = active
  if (refused === undefined) throw new Error('no active zone')
  const heal = deck().cloudflare.faults.add({ path: `/zones/${refused.zoneId}/dns_records*`, effect: { kind: 'success-false' } })
  const again = await ask(mine, t, 'dns_delete')
  await preview(again, t)
  await expect(again.getByRole('alert')).toHaveText(t('faults:select_filter'))
  await again.getByLabel(t('operations:dns.name')).fill('probe')
  await preview(again, t)
  await mine.getByRole('button', { name: t('operations:preview.run_dns_delete', many(count)), exact: true }).click()
  await expect(mine.getByText(resultText(t, 'dns_delete', count - 1, count))).toBeVisible()
  await mine.getByRole('button', { name: t('operations:toast.show') }).click()
  const rows = mine.getByRole('grid').locator('[role=row][data-id]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(refused.name)
  heal()
  for (const zone of active) expect(probes(zone)).toHaveLength(zone.id === refused.id ? 1 : 0)
  // The change appears in the history of the domain, which links back to the operation.
  await mine.goto(`/domains/${active[1]?.id ?? ''}/history`)
  await mine
    .getByRole('link', { name: t('history:sources.operation'), exact: true })
    .first()
    .click()
  await expect(mine.getByRole('heading', { level: 1 })).toContainText(t('operations:kinds.dns_delete'))
})

test('a running operation is shown on every page to several viewers, and its end is reported', async ({ mine, t, browser }) => {
  const active = await activeZones()
  const [slow] = active
  const { owner, panel, cloudflare } = deck()
  if (slow === undefined || owner === null) throw new Error('nothing to change')
  const count = active.length
  const heal = cloudflare.faults.add({
    method: 'PATCH',
    path: `/zones/${slow.zoneId}/settings*`,
    effect: { kind: 'rate-limited', retryAfterSeconds: 2 },
  })
  const context = await browser.newContext({ baseURL: panel.url, locale: 'ru-RU', reducedMotion: 'reduce' })
  const other = await context.newPage()
  await signIn(other, owner)
  const live = hearing(other)
  await other.goto('/groups')
  await live
  const docks = [mine, other].map((page) => page.getByRole('complementary', { name: t('operations:dock.label') }))

  const dialog = await ask(mine, t, 'settings')
  await dialog.getByLabel(t('security:level.name')).selectOption('under_attack')
  await preview(dialog, t)
  await mine.getByRole('button', { name: t('operations:preview.run', many(count)), exact: true }).click()
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.accounts') })
    .click()
  for (const dock of docks) {
    await expect(dock).toContainText(t('operations:kinds.settings'))
    await expect(dock).not.toContainText(t('operations:list.of', { done: String(count), total: String(count) }))
  }
  heal()
  for (const page of [mine, other]) await expect(page.getByText(resultText(t, 'settings', count, count))).toBeVisible()
  for (const dock of docks) await expect(dock).toBeHidden()
  await context.close()
})

test('R-DOM-09 many domains are deleted only after a typed confirmation, with the losses in numbers', async ({ mine, t }) => {
  const active = await activeZones()
  const count = active.length
  expect(count).toBeGreaterThan(10)
  const dialog = await ask(mine, t, 'delete')
  const run = dialog.getByRole('button', { name: t('operations:preview.run_delete', many(count)), exact: true })
  const records = active.reduce((sum, zone) => sum + recordsAt(zone).length, 0)
  await expect(dialog).toContainText(
    t('operations:preview.delete_text', {
      zones: t('operations:preview.zones', many(count)),
      records: t('operations:preview.records', many(records)),
    }),
  )
  await expect(dialog).toContainText(t('operations:dangers.zone_goes.title'))
  const saved = mine.waitForEvent('download')
  await dialog.getByRole('button', { name: t('operations:preview.save_files', many(count)) }).click()
  const archive = await readFile(await (await saved).path(), 'latin1')
  for (const zone of active) expect(archive).toContain(`${zone.name}.txt`)
  await expect(run).toBeDisabled()
  const word = dialog.getByLabel(t('common:confirm.type', { word: t('common:confirm.word') }))
  await word.fill('да')
  await expect(run).toBeDisabled()
  await word.fill(t('common:confirm.word'))
  await run.click()
  await expect(mine.getByText(resultText(t, 'delete', count, count))).toBeVisible()
  expect(active.filter((zone) => deck().cloudflare.state.zonesById.has(zone.zoneId))).toEqual([])
  await expect.poll(async () => (await activeZones()).length).toBe(0)

  // First one domain, then the others: the dialog states what cannot be restored.
  await mine.getByRole('button', { name: t('operations:toast.show') }).click()
  const deletion = mine.url()
  const takeBack = async (left: number): Promise<void> => {
    for (const danger of ['new_name_servers', 'new_certificates'] as const) {
      await expect(dialog).toContainText(t(`operations:dangers.${danger}.title`))
    }
    await expect(dialog).toContainText(t('security:ssl.name'))
    await dialog.getByRole('button', { name: t('operations:preview.run_undo', many(left)), exact: true }).click()
    await expect(mine.getByText(t('operations:states.done'), { exact: true }).first()).toBeVisible()
  }
  const namesThere = () => [...deck().cloudflare.state.zonesById.values()].map(({ name }) => name)
  const [first] = active
  if (first === undefined) throw new Error('nothing was deleted')
  const row = mine.getByRole('row').filter({ hasText: first.name })
  await row.hover()
  await row.getByRole('button', { name: t('operations:page.undo_one') }).click()
  await takeBack(1)
  await expect.poll(namesThere).toContain(first.name)
  await mine.goto(deletion)
  await mine.getByRole('button', { name: t('operations:page.undo'), exact: true }).click()
  await takeBack(count - 1)
  await expect.poll(() => active.filter(({ name }) => !namesThere().includes(name))).toEqual([])
  const again = () => [...deck().cloudflare.state.zonesById.values()].filter(({ name }) => active.some((zone) => zone.name === name))
  await expect.poll(() => again().reduce((sum, zone) => sum + recordsOf(deck().cloudflare.state, zone).length, 0)).toBe(records)
})
