import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 3 })

const zones = z.object({
  data: z.array(
    z.object({
      id: z.uuid(),
      zoneId: z.string(),
      name: z.string(),
      status: z.string(),
      recordsCount: z.number().nullable(),
      paused: z.boolean(),
    }),
  ),
})
const mirror = async () => (await call('GET', '/zones/live', zones)).data
const used = new Set<string>()

/** A domain that no other test uses. */
async function fresh(status: string) {
  const found = (await mirror()).find((zone) => zone.status === status && !zone.paused && !used.has(zone.id))
  if (found === undefined) throw new Error(`no ${status} domain is left`)
  used.add(found.id)
  return { ...found, remote: deck().cloudflare.state.getZone(found.zoneId) }
}

const region = (page: Page, name: string) => page.getByRole('region', { name })
const action = (page: Page, name: string) => page.getByRole('button', { name })

test('R-DET-01 R-DET-02 every section and field of a domain is shown', async ({ mine, t }) => {
  const { id, name, remote } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  await expect(mine.getByRole('heading', { level: 1 })).toHaveText(name)
  const fields: Record<string, readonly string[]> = {
    [t('domains:details.general')]: ['account', 'registrar', 'group', 'records', 'health', 'created'].map((key) =>
      t(`domains:details.${key as 'group'}`),
    ),
    [t('domains:details.settings')]: ['ssl', 'tls', 'https', 'hsts', 'level'].map((key) => t(`domains:details.${key as 'ssl'}`)),
    [t('zone:certificates.title')]: [t('zone:certificates.universal'), t('zone:certificates.active'), t('zone:certificates.next')],
    [t('zone:cloudflare.title')]: [
      t('zone:cloudflare.zone_id'),
      t('zone:cloudflare.account_id'),
      t('domains:details.plan'),
      t('domains:details.type'),
      t('zone:cloudflare.verification_key'),
      t('zone:cloudflare.page_rules'),
      t('zone:cloudflare.certificates'),
      t('zone:cloudflare.paused'),
      t('zone:cloudflare.phishing'),
      t('domains:details.activated'),
      t('domains:details.updated'),
    ],
  }
  for (const [section, labels] of Object.entries(fields)) {
    for (const label of labels) await expect(region(mine, section).getByText(label, { exact: true })).toBeVisible()
  }
  await expect(region(mine, t('domains:details.general'))).toContainText(t('zone:basics.tracker'))
  await expect(region(mine, t('zone:cloudflare.title'))).toContainText(remote.id)
  await expect(region(mine, t('zone:cloudflare.title'))).toContainText(remote.account.id)
  for (const server of remote.nameServers) await expect(region(mine, t('zone:ns.title'))).toContainText(server)
  await expect(region(mine, t('domains:details.origins')).getByRole('listitem').first()).toHaveText(/^[\d.]+$|:/)
})

test('R-DET-02 name servers are compared with the registry, and the page shows what to do', async ({ mine, t, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const active = await fresh('active')
  const pending = await fresh('pending')
  await mine.goto(`/domains/${active.id}`)
  const section = region(mine, t('zone:ns.title'))
  await expect(section).toContainText(t('zone:ns.state.right'))
  await section.getByRole('button', { name: t('zone:ns.copy_all') }).click()
  await expect.poll(() => mine.evaluate(() => navigator.clipboard.readText())).toBe(active.remote.nameServers.join('\n'))

  await mine.goto(`/domains/${pending.id}`)
  await expect(section).toContainText(t('zone:ns.state.elsewhere'))
  await expect(section).toContainText(t('zone:ns.todo.elsewhere'))
  deck().cloudflare.state.registrarNameServers.set(pending.name, [pending.remote.nameServers[0] ?? '', 'ns1.stranger.example'])
  await section.getByRole('button', { name: t('zone:ns.again') }).click()
  await expect(section).toContainText(t('zone:ns.state.partly'))
  await expect(section).toContainText('ns1.stranger.example')
})

test('R-DET-01 the page renders from the list row before any answer, then from the provider', async ({ mine, t }) => {
  const { name, remote } = await fresh('active')
  await mine.goto(`/domains?q=${name}`)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await mine.route(/domains\.full/, async (route) => {
    await held
    await route.continue()
  })
  remote.paused = true
  await mine.locator('#row-0').getByText(name).click()
  await expect(mine.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(region(mine, t('domains:details.origins'))).toBeVisible()
  await expect(region(mine, t('zone:cloudflare.title'))).toContainText(t('domains:no'))
  release()
  // Automatic: the mirror lacks the certificates, so the page refreshes the domain.
  await expect(mine.getByRole('img', { name: t('domains:marks.paused') })).toBeVisible()
  await expect(region(mine, t('zone:certificates.title'))).toContainText(t('domains:details.on'))
})

test('R-ERR-03 a section that failed to load shows the provider’s message in its place', async ({ mine, t }) => {
  const { id } = await fresh('active')
  const heal = deck().cloudflare.faults.add({ method: 'GET', path: '/zones/*/ssl/*', effect: { kind: 'forbidden' } })
  await mine.goto(`/domains/${id}`)
  const section = region(mine, t('zone:certificates.title'))
  await expect(section.getByRole('status')).toContainText('Authentication error')
  await expect(region(mine, t('domains:details.settings')).getByRole('status')).toHaveCount(0)
  heal()
  await mine.getByRole('button', { name: t('zone:refresh'), exact: true }).click()
  await expect(section.getByRole('status')).toHaveCount(0)
  await expect(section).toContainText(t('domains:details.on'))
})

test('R-ERR-03 an unreachable provider is reported once, and known data stays visible', async ({ mine, t }) => {
  const { id, remote } = await fresh('active')
  const heal = deck().cloudflare.faults.add({ method: 'GET', path: `/zones/${remote.id}*`, effect: { kind: 'forbidden' } })
  await mine.goto(`/domains/${id}`)
  await expect(mine.getByText(t('zone:refresh_failed'))).toHaveCount(1)
  await expect(mine.getByText('Authentication error')).toHaveCount(1)
  await expect(region(mine, t('zone:cloudflare.title'))).toContainText(remote.id)
  heal()
  await mine.getByRole('button', { name: t('zone:refresh'), exact: true }).click()
  await expect(mine.getByText(t('zone:refresh_failed'))).toHaveCount(0)
})

test('R-ERR-03 if only the zone was asked for, because Cloudflare does not find it, every tab says why nothing was read', async ({
  mine,
  t,
}) => {
  const { id, remote } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  // The automatic refresh has ended.
  await expect(region(mine, t('zone:certificates.title'))).toContainText(t('domains:details.on'))
  await expect(mine.getByText(t('zone:refresh_failed'))).toHaveCount(0)
  deck().cloudflare.state.removeZone(remote.id)
  await mine.getByRole('button', { name: t('zone:refresh'), exact: true }).click()
  await expect(mine.getByRole('status').filter({ hasText: t('zone:refresh_failed') })).toHaveCount(1)
  await mine.getByRole('link', { name: t('zone:tabs.records') }).click()
  await expect(mine.getByRole('status').filter({ hasText: t('zone:refresh_failed') })).toHaveCount(1)
})

test('R-DET-05 the cache is purged fully or by URL; for an inactive domain the page explains why it cannot be', async ({ mine, t }) => {
  const { id, name } = await fresh('active')
  const purged = () => deck().cloudflare.journal.count({ path: '/zones/{zone}/purge_cache', status: 200 })
  const before = purged()
  await mine.goto(`/domains/${id}`)
  await action(mine, t('zone:actions.purge')).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('zone:purge.confirm') })
    .click()
  await expect(mine.getByText(t('zone:purge.done'), { exact: true })).toBeVisible()
  expect(purged()).toBe(before + 1)

  await action(mine, t('zone:actions.purge')).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByText(t('zone:purge.files')).click()
  await dialog.getByRole('textbox').fill(`/style.css\nhttps://stranger.example/\nhttps://www.${name}/a`)
  await expect(dialog).toContainText(t('zone:purge.fault.foreign', { domain: name }))
  await expect(dialog.getByRole('button', { name: t('zone:purge.confirm') })).toBeDisabled()
  await dialog.getByRole('textbox').fill(`/style.css\nhttps://www.${name}/a`)
  await dialog.getByRole('button', { name: t('zone:purge.confirm') }).click()
  await expect(mine.getByText(t('zone:purge.done_files', { count: 2, formatted: '2' }))).toBeVisible()

  deck().cloudflare.faults.add({ path: '/zones/*/purge_cache', times: 1, effect: { kind: 'forbidden' } })
  await action(mine, t('zone:actions.purge')).click()
  await dialog.getByRole('button', { name: t('zone:purge.confirm') }).click()
  await expect(mine.getByText(t('zone:failed.purge'))).toBeVisible()
  await expect(mine.getByText(t('failures:codes.cache_forbidden'))).toBeVisible()
  await mine.keyboard.press('Escape')

  const pending = await fresh('pending')
  await mine.goto(`/domains/${pending.id}`)
  await expect(action(mine, t('zone:actions.purge'))).toHaveAttribute('aria-disabled', 'true')
  await expect(action(mine, t('zone:actions.purge'))).toContainText(t('zone:purge.unavailable'))
})

test('R-DET-05 development mode is shown immediately, counts down, and is rolled back when the provider refuses it', async ({
  mine,
  t,
}) => {
  const { id, remote } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  const development = mine.getByRole('switch', { name: t('zone:actions.development') })
  await development.click()
  await expect(development).toBeChecked()
  await expect(mine.getByRole('timer')).toContainText(/[23]:\d\d:\d\d/)
  await expect.poll(() => remote.developmentModeEndsMs ?? 0).toBeGreaterThan(Date.now())
  await development.click()
  await expect(mine.getByText(t('zone:actions.development_help'))).toBeVisible()
  // Shown immediately; the fault must affect the next call and not this one.
  await expect.poll(() => (remote.developmentModeEndsMs ?? 0) > Date.now()).toBe(false)

  deck().cloudflare.faults.add({ method: 'PATCH', path: '/zones/*/settings/*', times: 1, effect: { kind: 'forbidden' } })
  await development.click()
  await expect(mine.getByText(t('zone:failed.development'))).toBeVisible()
  await expect(development).not.toBeChecked()
})

test('R-DET-05 R-DOM-14 a change of IP address is previewed record by record before it is sent', async ({ mine, t }) => {
  const { id, name } = await fresh('active')
  for (const record of [
    { type: 'A', name: 'mx', content: '203.0.113.8' },
    { type: 'MX', name: '@', content: `mx.${name}`, priority: 10 },
  ])
    await call('POST', `/zones/${id}/dns-records`, z.unknown(), record)
  await mine.goto(`/domains/${id}`)
  await action(mine, t('zone:actions.change_ip')).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('textbox').fill('203.0.113.999')
  await dialog.getByRole('button', { name: t('zone:ip.replace_confirm') }).click()
  await expect(dialog).toContainText(t('faults:invalid_ip'))
  await dialog.getByRole('textbox').fill('203.0.113.77')
  await expect(dialog.locator('ins').first()).toHaveText('203.0.113.77')
  await expect(dialog).toContainText(t('operations:dangers.mail_host_moves.title'))
  await dialog.getByRole('button', { name: t('zone:ip.replace_confirm') }).click()
  await expect(mine.getByText(t('zone:ip.done_to', { domain: name, addresses: '203.0.113.77' }))).toBeVisible()
  const origins = region(mine, t('domains:details.origins')).getByRole('listitem')
  await expect(origins).toHaveText(['203.0.113.77'])
  await expect(region(mine, t('zone:changes.title')).getByRole('listitem').first()).toContainText(/^[~−+].*A /)

  await mine.getByRole('button', { name: t('history:undo'), exact: true }).click()
  await expect(origins.filter({ hasText: '203.0.113.77' })).toHaveCount(0)
  await expect(origins.filter({ hasText: '203.0.113.8' })).toHaveCount(1)
})

test('R-DET-05 Cloudflare is paused after a confirmation and resumed immediately', async ({ mine, t }) => {
  const { id, remote } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  await action(mine, t('zone:actions.pause')).click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('zone:pause.confirm') })
    .click()
  await expect(action(mine, t('zone:actions.resume'))).toBeVisible()
  await expect.poll(() => remote.paused).toBe(true)
  await action(mine, t('zone:actions.resume')).click()
  await expect(action(mine, t('zone:actions.pause'))).toBeVisible()
  await expect.poll(() => remote.paused).toBe(false)
})

test('R-DOM-09 a domain is deleted at the provider after its name is typed, using only the keyboard', async ({ mine, t }) => {
  const { id, name, zoneId: providerZoneId, recordsCount } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  await action(mine, t('zone:actions.delete')).focus()
  await mine.keyboard.press('Enter')
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(String(recordsCount ?? ''))
  const confirm = dialog.getByRole('button', { name: t('zone:delete.confirm') })
  await mine.keyboard.type(name.slice(1))
  await expect(confirm).toBeDisabled()
  await mine.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(action(mine, t('zone:actions.delete'))).toBeFocused()
  await mine.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await mine.keyboard.type(name)
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(/\/domains$/)
  const ended = mine.getByRole('status').filter({ hasText: t('operations:kinds.delete') })
  await expect(ended.getByRole('button', { name: t('operations:page.undo') })).toBeVisible()
  expect(deck().cloudflare.state.zonesById.has(providerZoneId)).toBe(false)
  await mine.goto(`/domains/${id}`)
  await expect(mine.getByRole('heading', { level: 1 })).toHaveText(t('domains:details.not_found'))
})

test('R-DET-01 the pages of a domain are links with their own URLs', async ({ mine, t }) => {
  const { id } = await fresh('active')
  await mine.goto(`/domains/${id}`)
  const tabs = mine.getByRole('navigation', { name: t('zone:tabs.label') })
  for (const tab of ['records', 'security', 'history'] as const) {
    await tabs.getByRole('link', { name: t(`zone:tabs.${tab}`) }).click()
    await expect(mine).toHaveURL(new RegExp(`/domains/${id}/${tab}`))
    await expect(tabs.getByRole('link', { name: t(`zone:tabs.${tab}`) })).toHaveAttribute('aria-current', 'page')
  }
  await mine.goBack()
  await mine.reload()
  await expect(mine).toHaveURL(new RegExp(`/domains/${id}/security`))
  await expect(tabs.getByRole('link', { name: t('zone:tabs.security') })).toHaveAttribute('aria-current', 'page')
})
