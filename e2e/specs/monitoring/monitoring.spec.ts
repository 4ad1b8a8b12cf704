import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 6, accounts: 1, plain: true }, accounts: 1 })

const chatId = '-1001234567890'
const settings = z.object({
  settings: z.looseObject({ enabled: z.boolean(), regions: z.array(z.string()), telegram: z.looseObject({ configured: z.boolean() }) }),
})
const stored = async () => (await call('GET', '/settings/monitoring', settings)).settings
const zones = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), displayName: z.string(), originIPs: z.array(z.string()) })),
})

/** The messages that the bot has sent so far. */
const sentTexts = () => deck().telegram.state.ledger.map(({ text }) => text)

test('R-MON-01 R-MON-02 monitored domains and notification channels are configured, saved, tested and removed', async ({
  mine,
  context,
  t,
}) => {
  const bot = deck().telegram.state.addBot('journey_bot')
  deck().telegram.state.addChat(Number(chatId), 'supergroup')
  await mine.goto('/settings')
  await mine
    .getByRole('navigation', { name: t('settings:tabs.label') })
    .getByRole('link', { name: t('settings:tabs.monitoring') })
    .click()
  await expect(mine).toHaveURL(/tab=monitoring/)
  const on = mine.getByRole('switch', { name: t('monitoring:watch.enabled') })
  await expect(on).not.toBeChecked()
  await on.click()
  await expect.poll(async () => (await stored()).enabled).toBe(true)

  for (const region of ['NORTH_AMERICA', 'ASIA'] as const)
    await mine.getByRole('checkbox', { name: t(`monitoring:region.${region}`), exact: true }).click()
  await mine.getByRole('checkbox', { name: t('monitoring:region.EUROPE'), exact: true }).click()
  await expect(mine.getByText(t('faults:region_needed'))).toBeVisible()
  await expect.poll(async () => (await stored()).regions).toEqual(['EUROPE'])

  const save = mine.getByRole('button', { name: t('monitoring:save') }).first()
  await mine.getByLabel(t('monitoring:telegram.token')).fill(`1:${'x'.repeat(35)}`)
  await mine.getByLabel(t('monitoring:telegram.chat'), { exact: true }).fill(chatId)
  await save.click()
  await expect(mine.getByText(t('faults:telegram_token'))).toBeVisible()
  await mine.getByLabel(t('monitoring:telegram.token')).fill(`987654321:${'x'.repeat(35)}`)
  await save.click()
  await expect(mine.getByText(t('faults:telegram_token_refused'))).toBeVisible()
  await mine.getByLabel(t('monitoring:telegram.token')).fill(bot.token)
  await save.click()
  await expect(mine.getByText(t('monitoring:telegram.bot', { name: 'journey_bot' }))).toBeVisible()
  expect(await mine.content()).not.toContain(bot.token)

  await mine.getByRole('button', { name: t('monitoring:telegram.test'), exact: true }).click()
  await expect(mine.getByText(t('monitoring:channels.tested'))).toBeVisible()
  expect(sentTexts()).toHaveLength(1)
  expect(await axeFindings(mine)).toEqual([])

  // The secret of a webhook is shown once: it is copied, and the dialog is closed by its own button.
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: deck().panel.url })
  await mine.getByRole('button', { name: t('monitoring:channels.add') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByText(t('monitoring:channels.webhook'), { exact: true }).click()
  await dialog.getByRole('textbox', { name: t('monitoring:channels.name') }).fill('Pager')
  await dialog.getByRole('textbox', { name: t('monitoring:channels.url') }).fill('https://pager.example/hook')
  await dialog.getByRole('button', { name: t('monitoring:save') }).click()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: t('monitoring:channels.copy') }).click()
  await expect(dialog.getByRole('button', { name: t('common:copied') })).toBeVisible()
  expect([secret.length > 20, await mine.evaluate(() => navigator.clipboard.readText())]).toEqual([true, secret])
  await dialog.getByRole('button', { name: t('monitoring:channels.done') }).click()
  await expect(dialog).toHaveCount(0)

  await mine.getByLabel(t('monitoring:telegram.chat'), { exact: true }).fill('')
  await mine.getByRole('button', { name: t('monitoring:telegram.delete') }).click()
  await expect(mine.getByText(t('monitoring:telegram.missing'))).toBeVisible()
  expect((await stored()).telegram.configured).toBe(false)
  await call('PATCH', '/settings/monitoring', z.unknown(), { telegram: { chatId, botToken: bot.token } })
})

test('a domain that goes down opens an incident with its own page, sends one message, and recovers', async ({ mine, t }) => {
  test.setTimeout(180_000)
  const patient = { timeout: 60_000 }
  const bot = deck().telegram.state.addBot('news_bot')
  deck().telegram.state.addChat(Number(chatId), 'supergroup')
  await call('PATCH', '/settings/monitoring', z.unknown(), {
    enabled: true,
    telegram: { chatId, botToken: bot.token },
    regions: ['EUROPE'],
    checkInterval: 1,
    options: { failuresToDown: 1, successesToUp: 1 },
  })
  const [zone] = (await call('GET', '/zones/live', zones)).data
  if (zone === undefined) throw new Error('there are no domains')
  await mine.goto(`/domains/${zone.id}/health`)
  const state = mine.getByRole('main').getByRole('heading', { level: 2 }).first()
  await expect(state).toHaveText(t('monitoring:domain.ok'), patient)
  const before = sentTexts().length

  deck().targets.set(zone.name, { page: { kind: 'page', status: 502 } })
  await mine.getByRole('button', { name: t('monitoring:actions.check') }).click()
  await expect(state).toHaveText(t('monitoring:domain.critical'), patient)
  await expect(mine.getByText(t('reasons:http_status.what')).first()).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])

  await mine.getByRole('link', { name: t('shell:nav.monitoring'), exact: true }).click()
  const causes = mine.getByRole('region', { name: t('monitoring:causes.title') })
  await expect(causes.getByText(zone.displayName)).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])
  await mine.getByRole('link', { name: t('monitoring:tabs.incidents') }).click()
  await expect(mine.getByRole('link', { name: zone.displayName })).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])

  const about = () =>
    sentTexts()
      .slice(before)
      .filter((text) => text.includes(zone.displayName)).length
  await expect.poll(about, { timeout: 90_000 }).toBe(1)

  await mine.getByRole('checkbox', { name: zone.displayName }).check()
  const bar = mine.getByRole('toolbar')
  await expect(bar.getByRole('button', { name: t('monitoring:incidents.mute_many') })).toBeVisible()
  await bar.getByRole('button', { name: t('monitoring:incidents.acknowledge') }).click()
  await expect(mine.getByText(t('monitoring:done.acknowledged_many', { count: 1, formatted: '1' }))).toBeVisible()
  await expect(bar).toBeHidden()
  await mine.getByRole('link', { name: t('monitoring:tabs.now') }).click()
  await expect(causes.getByRole('button', { name: new RegExp(`^${t('monitoring:incidents.acknowledge')}: `) })).toBeVisible()

  // From the failing server to the form that moves only its domains.
  await causes.getByRole('link', { name: t('monitoring:causes.move') }).click()
  const moving = mine.getByRole('dialog')
  await expect(moving.getByLabel(t('addresses:move.address'))).toBeFocused()
  const [address = ''] = zone.originIPs
  await expect(moving.getByText(address, { exact: true })).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(moving).toBeHidden()
  await expect(mine).not.toHaveURL(/move=/)

  deck().targets.repair(zone.name)
  await mine.goto(`/domains/${zone.id}/health`)
  await mine.getByRole('button', { name: t('monitoring:actions.check') }).click()
  await expect(state).toHaveText(t('monitoring:domain.ok'), patient)
  await expect.poll(about, { timeout: 90_000 }).toBe(2)
  await mine.goto('/monitoring?tab=messages&sent=dropped')
  await expect(mine.getByText(t('monitoring:messages.no_match'))).toBeVisible()
  await mine.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(mine.getByText(t('monitoring:messages.sent'), { exact: true }).first()).toBeVisible()
})

test('a paused domain is not checked, and a public status page shows visitors only names and states', async ({ mine, page, t }) => {
  await call('PATCH', '/settings/monitoring', z.unknown(), { enabled: true, regions: ['EUROPE'] })
  const [zone] = (await call('GET', '/zones/live', zones)).data
  if (zone === undefined) throw new Error('there are no domains')
  await mine.goto(`/domains/${zone.id}/health`)
  await mine.getByRole('button', { name: t('monitoring:actions.quiet') }).click()
  await mine.getByRole('menuitem', { name: t('monitoring:actions.pause_forever') }).click()
  await expect(mine.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(t('monitoring:domain.paused'))
  await mine.getByRole('button', { name: t('monitoring:actions.quiet') }).click()
  await mine.getByRole('menuitem', { name: t('monitoring:actions.resume') }).click()
  await expect(mine.getByRole('main').getByRole('heading', { level: 2 }).first()).not.toHaveText(t('monitoring:domain.paused'))

  const group = z.object({ group: z.object({ id: z.string() }) })
  const { id } = (await call('POST', '/groups', group, { name: 'Shops' })).group
  await call('POST', `/groups/${id}/zones`, z.unknown(), { zoneIds: [zone.id] })
  await mine.goto('/settings?tab=monitoring')
  await mine.getByRole('combobox', { name: t('monitoring:status_pages.add') }).click()
  await mine.getByRole('option', { name: 'Shops' }).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('monitoring:save') })
    .click()
  await expect(mine.getByRole('link', { name: '/status/shops' })).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  await page.goto('/status/shops')
  await expect(page.getByRole('heading', { level: 1, name: 'Shops' })).toBeVisible()
  await expect(page.getByText(zone.displayName).first()).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.goto('/status/nothing-here')
  await expect(page.getByRole('heading', { level: 1, name: t('status:absent') })).toBeVisible()
})

test('R-MON-04 the domains of a maintenance window are listed by name and removed one by one', async ({ mine, t }) => {
  const [first, second] = (await call('GET', '/zones/live', zones)).data
  if (first === undefined || second === undefined) throw new Error('there are no domains')
  const times = { startsAt: '2099-01-01T00:00:00.000Z', endsAt: '2099-01-02T00:00:00.000Z' }
  await call('POST', '/maintenance-windows', z.unknown(), { name: 'Move', zoneIds: [first.id, second.id], ...times })
  await mine.goto('/settings?tab=monitoring')
  await mine.getByRole('button', { name: t('monitoring:windows.edit_one', { name: 'Move' }) }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(first.displayName, { exact: true })).toBeVisible()
  await dialog.getByText(second.displayName, { exact: true }).locator('..').locator('button').click()
  await expect(dialog.getByText(second.displayName, { exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: t('monitoring:save') }).click()
  await expect(dialog).toBeHidden()
  const stored = z.object({ windows: z.array(z.object({ zoneIds: z.array(z.string()) })) })
  expect((await call('GET', '/maintenance-windows', stored)).windows).toEqual([{ zoneIds: [first.id] }])
})

test('R-PRM-02 an administrator configures monitoring for another user and sees only the domains of that user', async ({ mine, t }) => {
  const { user } = await call('POST', '/users', z.object({ user: z.object({ id: z.string() }) }), {
    username: 'watched.person',
    email: 'watched.person@people.example',
    password: 'correct horse battery',
    role: 'user',
  })
  const ofThem = async () => (await call('GET', `/settings/monitoring?ownerId=${user.id}`, settings)).settings
  const own = await stored()
  await mine.goto('/settings?tab=monitoring')
  await mine.getByRole('combobox', { name: t('monitoring:owner') }).click()
  await mine.getByRole('option', { name: 'watched.person' }).click()
  const on = mine.getByRole('switch', { name: t('monitoring:watch.enabled') })
  await expect(on).not.toBeChecked()
  await on.click()
  await expect.poll(async () => (await ofThem()).enabled).toBe(true)
  expect(await stored()).toEqual(own)
  expect(await axeFindings(mine)).toEqual([])

  await mine.goto('/monitoring')
  await mine.getByRole('button', { name: t('common:filters.owner') }).click()
  await mine.getByRole('option', { name: 'watched.person' }).click()
  await expect(mine).toHaveURL(new RegExp(`owner=${user.id}`))
  await expect(mine.getByText(t('monitoring:causes.soon'), { exact: true })).toBeVisible()
  await mine
    .getByRole('navigation', { name: t('monitoring:tabs.label') })
    .getByRole('link', { name: t('monitoring:tabs.messages') })
    .click()
  await expect(mine).toHaveURL(new RegExp(`owner=${user.id}`))
  await expect(mine.getByText(t('monitoring:messages.none'), { exact: true })).toBeVisible()
})
