import type { Page } from 'playwright/test'
import { z } from 'zod'
import { personLabel } from '#shared/features/users/person-label.ts'
import { axeFindings } from '../../axe.ts'
import { call, deck, expect, hearing, register, signIn, test, useDeck } from '../../fixtures.ts'
import { openPaths, routePaths } from '../../route-pages.ts'

useDeck({ world: { zones: 40, accounts: 2 }, accounts: 2 })

const created = z.object({ group: z.object({ id: z.uuid() }) })
const zones = z.object({ data: z.array(z.object({ id: z.uuid(), displayName: z.string(), status: z.string() })) })
const nameOfOwner = (): string => personLabel(deck().owner?.user ?? { name: null, username: '' })
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Creates a group with three domains, active ones first; `skip` leaves out the domains of other groups. */
async function createGroup(name: string, skip = 0) {
  const { group } = await call('POST', '/groups', created, { name })
  const { data } = await call('GET', '/zones/live', zones)
  const domains = [...data.filter(({ status }) => status === 'active'), ...data.filter(({ status }) => status !== 'active')]
  const selected = domains.slice(skip, skip + 3)
  await call('POST', `/groups/${group.id}/zones`, z.unknown(), { zoneIds: selected.map(({ id }) => id) })
  return { ...group, domains: selected }
}

const log = z.object({
  activityLogs: z.array(z.object({ actor: z.object({ id: z.uuid().nullable() }), details: z.record(z.string(), z.unknown()).nullable() })),
})
/** The calls that the access level has denied, from the log: pages should not have made them. */
async function refusalsOf({ user }: { user: { id: string } }) {
  const { activityLogs } = await call('GET', '/activity-logs?action=denied&limit=200', log)
  return activityLogs.filter(({ actor }) => actor.id === user.id).map(({ details }) => details)
}

const share = (groupId: string, user: string, level: string) => call('POST', '/shares', z.unknown(), { groupId, user, level })

test('R-PRM-02 in English a group is shared, the share is changed and revoked in its dialog, and the list shows it', async ({
  mine,
  en: t,
}) => {
  const name = 'Team'
  await createGroup(name)
  const guest = await register('Guest')
  await mine.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await mine.goto('/groups')
  await mine.getByRole('button', { name: t('groups:actions.label', { group: name }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.share') }).click()
  const dialog = dialogOf(mine)
  await expect(dialog.getByText(t('sharing:nobody'))).toBeVisible()
  const who = dialog.getByRole('textbox', { name: t('sharing:user') })
  await dialog.getByRole('button', { name: t('sharing:give') }).click()
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  await who.fill('nobody-here')
  await mine.keyboard.press('Enter')
  await expect(dialog.getByText(t('faults:unknown_user'))).toBeVisible()
  await who.fill(guest.user.email.toUpperCase())
  await mine.keyboard.press('Enter')
  const person = dialog.getByRole('region', { name: t('sharing:people') }).getByRole('listitem')
  await expect(person).toContainText('Guest')
  await expect(who).toHaveValue('')
  const level = dialog.getByRole('combobox', { name: t('sharing:level_of', { name: personLabel(guest.user) }) })
  await expect(level).toHaveValue(t('common:shared.level.view'))
  await level.click()
  await mine.getByRole('option', { name: t('common:shared.level.manage') }).click()
  await expect(level).toHaveValue(t('common:shared.level.manage'))
  await expect(level).toBeEnabled()
  await expect(mine.getByRole('listbox')).toHaveCount(0)
  expect(await axeFindings(mine, { within: '[role=dialog]' })).toEqual([])
  await mine.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  const card = mine
    .getByRole('list', { name: t('groups:title') })
    .getByRole('listitem')
    .filter({ hasText: name })
  await expect(card.getByRole('img', { name: t('common:shared.with', { count: 1, formatted: '1' }) })).toBeVisible()
  await mine.getByRole('button', { name: t('groups:actions.label', { group: name }) }).click()
  await mine.getByRole('menuitem', { name: t('groups:actions.share') }).click()
  const take = dialog.getByRole('button', { name: t('sharing:take.action', { name: personLabel(guest.user) }) })
  const asked = mine.getByRole('dialog', { name: t('sharing:take.title', { person: personLabel(guest.user) }) })
  await take.click()
  await expect(asked).toContainText(t('sharing:take.text', { name, count: 3, formatted: '3' }))
  // Escape changes nothing and keeps the list of users open.
  await mine.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await expect(person).toHaveCount(1)
  await take.click()
  await asked.getByRole('button', { name: t('sharing:take.confirm') }).click()
  await expect(dialog.getByText(t('sharing:nobody'))).toBeVisible()
})

test('R-PRM-02 a shared resource appears immediately for its recipient, marked as shared, and disappears when the share is revoked', async ({
  page,
  t,
}) => {
  const group = await createGroup('Shared')
  const guest = await register('Visitor')
  await signIn(page, guest)
  const live = hearing(page)
  await page.goto('/domains')
  await live
  await expect(page.getByText(group.domains[0]?.displayName ?? '')).toBeHidden()
  const { share } = await call('POST', '/shares', z.object({ share: z.object({ id: z.uuid() }) }), {
    groupId: group.id,
    user: guest.user.username,
    level: 'view',
  })
  const row = page.getByRole('row').filter({ hasText: group.domains[0]?.displayName ?? '' })
  await expect(row).toBeVisible()
  const by = t('common:shared.by', { name: nameOfOwner(), level: t('common:shared.level.view') })
  await expect(row.getByRole('img', { name: by })).toBeVisible()
  await page.goto('/groups')
  await page.getByRole('button', { name: t('groups:actions.label', { group: 'Shared' }) }).click()
  await expect(page.getByRole('menu')).toContainText(by)
  await expect(page.getByRole('menuitem', { disabled: false })).toHaveText([t('groups:actions.domains'), t('groups:actions.leave')])
  await page.keyboard.press('Escape')
  await page.goto('/domains?whose=own')
  await expect(page.getByRole('row').filter({ hasText: group.domains[0]?.displayName ?? '' })).toBeHidden()
  const again = hearing(page)
  await page.goto('/domains?whose=shared')
  await again
  await expect(row).toBeVisible()
  await call('DELETE', `/shares/${share.id}`, z.unknown())
  await expect(row).toBeHidden()
})

test('R-PRM-02 in Russian a recipient leaves a shared group after a confirmation, and is notified when the group is deleted', async ({
  page,
  t,
}) => {
  const [group, deleted] = [await createGroup('Leave'), await createGroup('Deleted', 3)]
  const guest = await register('Leaver')
  for (const { id: groupId } of [group, deleted])
    await call('POST', '/shares', z.unknown(), { groupId, user: guest.user.username, level: 'manage' })
  await signIn(page, guest)
  const live = hearing(page)
  await page.goto('/groups')
  await live
  const cards = page.getByRole('list', { name: t('groups:title') }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await call('DELETE', `/groups/${deleted.id}`, z.unknown())
  await expect(cards).toHaveCount(1)
  const open = async () => {
    await page.getByRole('button', { name: t('groups:actions.label', { group: 'Leave' }) }).click()
    await page.getByRole('menuitem', { name: t('groups:actions.leave') }).click()
    await expect(dialogOf(page)).toContainText(t('sharing:leave.text', { count: 3, formatted: '3' }))
  }
  await open()
  await dialogOf(page)
    .getByRole('button', { name: t('common:cancel') })
    .click()
  await expect(dialogOf(page)).toBeHidden()
  await open()
  await dialogOf(page)
    .getByRole('button', { name: t('sharing:leave.confirm') })
    .click()
  await expect(page.getByText(t('sharing:done.left'))).toBeVisible()
  await expect(cards).toHaveCount(0)
  const { shares } = await call('GET', `/shares?groupId=${group.id}`, z.object({ shares: z.array(z.unknown()) }))
  expect(shares).toEqual([])
})

test('R-PRM-02 a registrar is shared in its dialog, and its recipient sees their permissions', async ({ mine: page, t }) => {
  const fields = { name: 'Nameshop', username: 'anna', password: 'long-secret-word', email: 'sign-in@owner.example' }
  await call('POST', '/registrars', z.unknown(), fields)
  const guest = await register('Buyer')
  await page.goto('/registrars')
  const menuOf = (of: Page) => of.getByRole('button', { name: t('registrars:actions.label', { registrar: 'Nameshop' }) })
  await menuOf(page).click()
  await page.getByRole('menuitem', { name: t('registrars:actions.share') }).click()
  await expect(dialogOf(page).getByText(t('sharing:levels_registrar.view'))).toBeVisible()
  await dialogOf(page)
    .getByRole('textbox', { name: t('sharing:user') })
    .fill(guest.user.username)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByRole('listitem')).toContainText('Buyer')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('img', { name: t('common:shared.with', { count: 1, formatted: '1' }) })).toBeVisible()

  await page.evaluate((stored) => localStorage.setItem('zonedeck.auth', stored), JSON.stringify({ ...guest, isAuthenticated: true }))
  await page.goto('/registrars')
  const by = t('common:shared.by', { name: nameOfOwner(), level: t('common:shared.level.view') })
  await expect(page.getByRole('img', { name: by })).toBeVisible()
  await page.getByRole('button', { name: 'Nameshop', exact: true }).click()
  await expect(dialogOf(page)).toContainText('Namecheap')
  await expect(dialogOf(page).getByRole('button', { name: t('registrars:details.reveal') })).toHaveCount(0)
  await expect(dialogOf(page)).not.toContainText('sign-in@owner.example')
  await page.keyboard.press('Escape')
  await menuOf(page).click()
  await expect(page.getByRole('menuitem', { disabled: false })).toHaveText([t('registrars:actions.details'), t('registrars:actions.leave')])
  await page.getByRole('menuitem', { name: t('registrars:actions.leave') }).click()
  await dialogOf(page)
    .getByRole('button', { name: t('sharing:leave.confirm') })
    .click()
  await expect(page.getByText(t('registrars:empty.title'))).toBeVisible()
})

test('R-PRM-02 an account is shared without its secrets', async ({ mine, page, t }) => {
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid(), email: z.string() })) }))
  const [account] = accounts
  if (account === undefined) throw new Error('no account')
  const live = hearing(mine)
  await mine.goto('/accounts')
  await live
  await mine.getByRole('row').filter({ hasText: account.email }).hover()
  await mine.getByRole('button', { name: `${t('accounts:actions.label')} ${account.email}` }).click()
  await mine.getByRole('menuitem', { name: t('accounts:actions.share') }).click()
  await expect(dialogOf(mine).getByText(t('sharing:nobody'))).toBeVisible()
  const guest = await register('Keeper')
  await call('POST', '/shares', z.unknown(), { accountId: account.id, user: guest.user.username, level: 'manage' })
  // Every user with access sees it.
  await expect(dialogOf(mine).getByRole('listitem')).toContainText('Keeper')
  await page.evaluate((stored) => localStorage.setItem('zonedeck.auth', stored), JSON.stringify({ ...guest, isAuthenticated: true }))
  await page.goto('/accounts')
  await page.getByRole('row').filter({ hasText: account.email }).hover()
  await page.getByRole('button', { name: `${t('accounts:actions.label')} ${account.email}` }).click()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.edit') })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.login') })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.delete') })).toBeDisabled()
})

/** Controls that change something with one click on any page: switches, radio buttons, checkboxes. */
const controlsOf = (page: Page) =>
  page.getByRole('main').locator('[role=switch]:enabled, [role=radio]:enabled, input:is([type=checkbox], [type=radio]):enabled')

test('R-PRM-02 a viewer finds every control of a domain disabled with the reason, and everything to read, copy and export', async ({
  page,
  t,
}) => {
  const { id: groupId, domains } = await createGroup('Seen')
  const [domain] = domains
  if (domain === undefined) throw new Error('no domain')
  const { id } = domain
  await call('POST', `/zones/${id}/dns-records`, z.unknown(), { type: 'TXT', name: 'seen', content: 'by all' })
  const guest = await register('Looker')
  await share(groupId, guest.user.username, 'view')
  await signIn(page, guest)
  const needs = t('common:shared.needs', { needed: t('common:shared.level.operate') })
  const viewOnly = page.getByText(t('zone:view_only', { name: nameOfOwner() }))

  await page.goto(`/domains/${id}`)
  await expect(viewOnly).toBeVisible()
  const actions = page.getByRole('region', { name: t('zone:actions.title') })
  await expect(actions.getByText(needs)).toBeVisible()
  await expect(actions.getByRole('switch')).toBeDisabled()
  for (const action of ['purge', 'change_ip', 'refresh_ip', 'group', 'pause', 'delete'] as const) {
    await expect(actions.getByRole('button', { name: t(`zone:actions.${action}`) })).toBeDisabled()
  }
  await expect(page.getByRole('button', { name: t('zone:refresh'), exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: t('zone:profile.choose') })).toBeDisabled()
  await expect(controlsOf(page)).toHaveCount(0)

  await page.goto(`/domains/${id}/records`)
  await expect(viewOnly).toBeVisible()
  const record = page.getByRole('row').filter({ hasText: 'by all' })
  await record.hover()
  await expect(record.getByRole('button', { name: t('records:copy_content') })).toBeVisible()
  await expect(record.getByRole('button')).toHaveCount(1)
  await record.dblclick()
  await expect(page.getByRole('textbox', { name: t('records:column.content') })).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('records:add'), exact: true })).toBeDisabled()
  await expect(controlsOf(page)).toHaveCount(0)
  await page.getByRole('button', { name: t('records:file.label') }).click()
  await expect(page.getByRole('menuitem', { name: t('records:file.import') })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: t('records:file.export') })).toBeEnabled()

  await page.goto(`/domains/${id}/security`)
  await expect(viewOnly).toBeVisible()
  await expect(page.getByRole('radiogroup').first()).toBeVisible()
  await expect(page.getByRole('main').getByText(needs).first()).toBeVisible()
  await expect(controlsOf(page)).toHaveCount(0)

  await page.goto(`/domains/${id}/history`)
  await expect(viewOnly).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'TXT seen' }).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: t('history:revert') })).toHaveCount(0)
  await expect(controlsOf(page)).toHaveCount(0)
  expect(await refusalsOf(guest)).toEqual([])
})

test('R-PRM-02 R-MON-05 a domain shared for viewing shows its health, incidents and messages, and no page requests what the level denies', async ({
  page,
  t,
}) => {
  test.setTimeout(180_000)
  const { id: groupId, domains } = await createGroup('Watched', 15)
  const [domain] = domains
  if (domain === undefined) throw new Error('no domain')
  const monitoring = { enabled: true, regions: ['EUROPE'], checkInterval: 1, options: { failuresToDown: 1 } }
  await call('PATCH', '/settings/monitoring', z.unknown(), monitoring)
  const guest = await register('Watcher')
  await share(groupId, guest.user.username, 'view')
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid() })) }))
  const madeRegistrar = z.object({ registrar: z.object({ id: z.uuid() }) })
  const { registrar } = await call('POST', '/registrars', madeRegistrar, {
    name: 'Seen too',
    username: 'anna',
    password: 'long-secret-word',
  })
  for (const shared of [{ accountId: accounts[0]?.id }, { registrarId: registrar.id }]) {
    await call('POST', '/shares', z.unknown(), { ...shared, user: guest.user.username, level: 'view' })
  }
  const health = z.object({ watched: z.object({ health: z.string() }).nullable() })
  const state = async () => (await call('GET', `/zones/${domain.id}/health`, health)).watched?.health ?? 'unknown'
  await expect.poll(state, { timeout: 90_000 }).not.toBe('unknown')

  await signIn(page, guest)
  await page.goto(`/domains/${domain.id}/health`)
  const states = ['ok', 'warnings', 'critical'] as const
  const words = states.map((each) => t(`monitoring:domain.${each}`)).join('|')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(new RegExp(`^(${words})$`))
  await expect(page.getByRole('button', { name: t('monitoring:actions.check') })).toBeDisabled()
  await page.goto('/monitoring')
  await expect(page.getByRole('navigation', { name: t('monitoring:tabs.label') })).toBeVisible()
  await expect(page.getByText(t('monitoring:off.title'))).toHaveCount(0)

  const tabs = ['incidents', 'certificates', 'messages'].map((tab) => `/monitoring?tab=${tab}`)
  const ofDomain = ['', '/health', '/records', '/security', '/rules', '/history'].map((part) => `/domains/${domain.id}${part}`)
  const pages = routePaths().filter((path) => !openPaths.includes(path) && !path.includes('$') && path !== '/second-factor')
  for (const address of [...pages, ...tabs, ...ofDomain]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    // Once nothing is busy, the page has sent its initial requests.
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  expect(await refusalsOf(guest)).toEqual([])
})

test('R-PRM-02 an operator changes a domain and finds disabled what requires the manage level', async ({ page, t }) => {
  const { id: groupId, domains } = await createGroup('Run', 6)
  const [domain] = domains
  if (domain === undefined) throw new Error('no domain')
  const guest = await register('Runner')
  await share(groupId, guest.user.username, 'operate')
  await signIn(page, guest)
  await page.goto(`/domains/${domain.id}`)
  const actions = page.getByRole('region', { name: t('zone:actions.title') })
  await expect(actions.getByRole('switch')).toBeEnabled()
  for (const action of ['purge', 'change_ip', 'refresh_ip', 'pause'] as const) {
    await expect(actions.getByRole('button', { name: t(`zone:actions.${action}`) })).toBeEnabled()
  }
  const needs = t('common:shared.needs', { needed: t('common:shared.level.manage') })
  for (const action of ['group', 'delete'] as const) {
    const button = actions.getByRole('button', { name: t(`zone:actions.${action}`) })
    await expect(button).toBeDisabled()
    await expect(button).toContainText(needs)
  }
  await actions.getByRole('switch').click()
  await expect(actions.getByRole('timer')).toBeVisible()
  await page.goto(`/domains/${domain.id}/records`)
  await expect(page.getByRole('button', { name: t('records:add'), exact: true })).toBeEnabled()
  await page.goto(`/domains/${domain.id}/history`)
  await expect(
    page
      .getByRole('main')
      .getByRole('button', { name: t('history:revert') })
      .first(),
  ).toBeVisible()
})

test('R-PRM-02 the selection bar says how many view-only domains of a selection are excluded', async ({ page, t }) => {
  const [seen, run] = [await createGroup('Half seen', 9), await createGroup('Half run', 12)]
  const guest = await register('Both')
  await share(seen.id, guest.user.username, 'view')
  await share(run.id, guest.user.username, 'operate')
  await signIn(page, guest)
  await page.goto('/domains')
  const bar = page.getByRole('toolbar')
  const settings = bar.getByRole('button', { name: t('operations:bulk.settings') })
  const pick = (name: string | undefined) => page.getByRole('checkbox', { name: t('common:table.select_row', { row: name ?? '' }) }).check()
  await pick(seen.domains[0]?.displayName)
  await expect(settings).toBeDisabled()
  await expect(bar.getByText(t('common:shared.needs_some', { needed: t('common:shared.level.operate') }))).toBeVisible()
  await expect(bar.getByRole('button', { name: t('domains:selection.copy') })).toBeEnabled()
  await pick(run.domains[0]?.displayName)
  await expect(settings).toBeEnabled()
  const words = (needed: 'operate' | 'manage') => ({ needed: t(`common:shared.level.${needed}`), formatted: '1' })
  await expect(bar.getByText(t('common:shared.left_out', words('operate')))).toBeVisible()
  await bar.getByRole('button', { name: t('operations:bulk.more') }).click()
  await expect(page.getByRole('menuitem', { name: t('operations:bulk.delete') })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: t('operations:bulk.purge') })).toBeEnabled()
  // One Escape for the menu, one for the selection.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  // The selection of all matching rows behaves the same when all of them are visible.
  await page.getByRole('checkbox', { name: t('common:table.select_all') }).check()
  await expect(bar.getByText(t('common:shared.left_out', { ...words('operate'), formatted: '3' }))).toBeVisible()
})

test('R-PRM-02 a manager of only a group cannot remove its domains and sees why; with the accounts shared as well, they can', async ({
  page,
  t,
}) => {
  const { id: groupId, domains } = await createGroup('Kept', 15)
  const [domain] = domains
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid() })) }))
  const guest = await register('Managing')
  await share(groupId, guest.user.username, 'manage')
  await signIn(page, guest)
  const dialog = dialogOf(page)
  const open = async () => {
    await page.goto('/groups')
    await page.getByRole('button', { name: t('groups:actions.label', { group: 'Kept' }) }).click()
    await page.getByRole('menuitem', { name: t('groups:actions.domains') }).click()
    await expect(dialog.getByText(domain?.displayName ?? '')).toBeVisible()
  }
  await open()
  await expect(dialog.getByText(t('groups:domains.locked'))).toBeVisible()
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: t('groups:domains.remove') })).toBeDisabled()
  for (const { id: accountId } of accounts)
    await call('POST', '/shares', z.unknown(), { accountId, user: guest.user.username, level: 'manage' })
  await open()
  await dialog.getByRole('button', { name: t('groups:domains.pick_all') }).click()
  await dialog.getByRole('button', { name: t('groups:domains.remove_count', { count: 3, formatted: '3' }) }).click()
  await expect(page.getByText(t('groups:done.removed'))).toBeVisible()
  await expect(dialog.getByText(t('groups:domains.empty'))).toBeVisible()
})
