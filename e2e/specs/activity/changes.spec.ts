import type { Page } from 'playwright/test'
import { z } from 'zod'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { addAccounts, call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import type { texts } from '../../texts.ts'

useDeck({ world: { zones: 10, accounts: 2, plain: true } })

type Words = ReturnType<typeof texts>

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })
const listed = z.object({ changes: z.array(z.object({ subject: z.string().nullable() })) })
const feeds = z.object({
  accounts: z.array(z.object({ id: z.uuid(), email: z.string(), changeFeed: z.object({ state: z.string() }).nullable() })),
})

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const subjects = async (): Promise<(string | null)[]> =>
  (await call('GET', '/provider-changes', listed)).changes.map(({ subject }) => subject)
const states = async () => (await call('GET', '/accounts', feeds)).accounts.map(({ changeFeed }) => changeFeed?.state)

/** Selects one value of a filter. */
async function choose(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('search').getByRole('button', { name: filter, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

let domain: { id: string; name: string }
let other: { id: string; name: string }
const email = () => deck().credentials[1]?.email ?? ''

test.beforeAll(async () => {
  const { cloudflare, credentials, readAuditLogs } = deck()
  const [first, second] = credentials
  if (first === undefined || second === undefined) throw new Error('there is no account')
  await addAccounts([first])
  const { data } = await call('GET', '/zones/live', zones)
  const [one, two] = data
  if (one === undefined || two === undefined) throw new Error('there is no domain')
  ;[domain, other] = [one, two]
  // Its token lacks the permission to read the audit log.
  await call('POST', '/accounts', z.unknown(), { email: second.email, kind: 'api_token', apiKey: second.readOnlyToken })
  const { state } = cloudflare
  applyEdit(state, { kind: 'setting', zone: domain.name, setting: 'ssl', value: 'strict' })
  applyEdit(state, {
    kind: 'create-record',
    zone: other.name,
    record: { type: 'A', name: `new.${other.name}`, content: '192.0.2.1', ttl: 1 },
  })
  state.auditLog.add(
    { id: first.accountId },
    {
      action: { type: 'delete' },
      actor: { type: 'account', context: 'api_token', token_name: 'deploy', ip_address: '203.0.113.9' },
      raw: { method: 'DELETE', uri: `/client/v4/accounts/${first.accountId}/members/7` },
      resource: { product: 'members', id: 'member-7' },
    },
  )
  await call('POST', `/zones/${domain.id}/dns-records`, z.unknown(), {
    type: 'A',
    name: 'ours',
    content: '192.0.2.2',
    ttl: 1,
    proxied: false,
  })
  await expect.poll(states, { timeout: 20_000 }).not.toContain(undefined)
  await readAuditLogs()
  await expect.poll(subjects, { timeout: 20_000 }).toHaveLength(4)
  await expect.poll(states, { timeout: 20_000 }).toContain('no_permission')
})

async function journey(page: Page, t: Words): Promise<void> {
  await page.goto('/activity-logs')
  await page.getByRole('link', { name: t('activity:tabs.changes') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('provider-changes:title') })).toBeVisible()

  // Who, from where, what and in which domain, without what the panel did.
  const setting = row(page, 'ssl')
  await expect(setting).toContainText('colleague@example.com')
  await expect(setting).toContainText(t('provider-changes:credentials.dash'))
  await expect(setting).toContainText(t('provider-changes:kinds.settings'))
  await expect(setting).toContainText(t('provider-changes:actions.update'))
  await expect(setting.getByRole('link', { name: domain.name })).toHaveAttribute('href', `/domains/${domain.id}/history`)
  await expect(row(page, 'member-7')).toContainText('deploy')
  const own = row(page, t('provider-changes:by_panel'))
  await expect(own).toHaveCount(0)

  // The account without the permission, its name, and what to do.
  const notice = page.getByText(t('provider-changes:feed.no_permission', { count: 1, formatted: '1' }))
  await expect(notice).toBeVisible()
  await expect(page.getByText('Account Settings Read')).toContainText(email())

  // Own changes are marked.
  await page.getByRole('switch', { name: t('provider-changes:filters.outside') }).click()
  await expect(page).toHaveURL(/own=yes/)
  await expect(own).toContainText(domain.name)

  // Filters are in the URL and combine.
  await choose(page, t('provider-changes:filters.kind'), t('provider-changes:kinds.records'))
  await expect(page).toHaveURL(/kind=records/)
  await expect(setting).toHaveCount(0)
  await expect(row(page, `new.${other.name}`)).toBeVisible()
  await choose(page, t('provider-changes:filters.domain'), domain.name)
  await expect(page).toHaveURL(new RegExp(`domain=${domain.id}`))
  await expect(row(page, `new.${other.name}`)).toHaveCount(0)
  await expect(own).toBeVisible()
  await page.reload()
  await expect(own).toBeVisible()
  await expect(row(page, `new.${other.name}`)).toHaveCount(0)
  await choose(page, t('provider-changes:filters.author'), 'deploy')
  await expect(page.getByText(t('provider-changes:no_match'))).toBeVisible()
  await page.getByRole('button', { name: t('common:filters.show_all') }).click()
  await expect(setting).toBeVisible()
  await choose(page, t('provider-changes:filters.author'), 'deploy')
  await expect(page).toHaveURL(/author=deploy/)
  await expect(setting).toHaveCount(0)
  await expect(row(page, 'member-7')).toBeVisible()

  // An account that gives no access has no changes, and the page says why.
  await page.goto('/activity-logs/changes')
  await choose(page, t('provider-changes:filters.account'), email())
  await expect(page.getByText(t('provider-changes:unreadable.title'))).toBeVisible()
  await page.goto('/activity-logs/changes?from=2026-01-01&to=2026-01-31')
  await expect(page.getByText(t('provider-changes:no_match'))).toBeVisible()
}

test('changes at Cloudflare are listed with their author, with every filter, and the missing permission is named, in Russian', async ({
  mine,
  t,
}) => {
  await journey(mine, t)
})

test('changes at Cloudflare are listed with their author, with every filter, and the missing permission is named, in English', async ({
  mine,
  en,
}) => {
  await mine.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await journey(mine, en)
})

test('a change appears without a reload, and an account is read again after its permission was added', async ({ mine, t }) => {
  const { cloudflare, credentials, readAuditLogs } = deck()
  await mine.goto('/activity-logs/changes')
  await expect(row(mine, 'ssl')).toBeVisible()
  cloudflare.state.auditLog.add(
    { id: credentials[0]?.accountId ?? '' },
    { actor: { email: 'second@example.com' }, resource: { product: 'members', id: 'member-8' } },
  )
  await readAuditLogs()
  await expect(row(mine, 'member-8')).toContainText('second@example.com', { timeout: 20_000 })

  const { accounts } = await call('GET', '/accounts', feeds)
  const limited = accounts.find((account) => account.email === email())?.id ?? ''
  await call('PATCH', `/accounts/${limited}`, z.unknown(), { apiKey: credentials[1]?.apiToken, kind: 'api_token' })
  await mine.getByRole('button', { name: t('provider-changes:feed.retry') }).click()
  await expect(mine.getByText('Account Settings Read')).toHaveCount(0, { timeout: 20_000 })
  await call('PATCH', `/accounts/${limited}`, z.unknown(), { apiKey: credentials[1]?.readOnlyToken, kind: 'api_token' })
  // As the other tests expect it.
  await readAuditLogs()
  await expect.poll(states, { timeout: 20_000 }).toContain('no_permission')
})

test('a list that failed to load shows an error and can be retried', async ({ mine, t }) => {
  // Until the click, because the list would otherwise load again with the next change.
  await mine.addInitScript(() => document.addEventListener('click', () => (document.documentElement.dataset['clicked'] = 'yes'), true))
  await mine.route(/providerChanges\.list/, async (route) => {
    const clicked = await mine.evaluate(() => document.documentElement.dataset['clicked'])
    await (clicked === undefined ? route.abort() : route.continue())
  })
  await mine.goto('/activity-logs/changes?own=yes')
  await expect(mine.getByText(t('provider-changes:failed'))).toBeVisible()
  await mine.getByRole('button', { name: t('common:retry') }).click()
  await expect(row(mine, 'ssl')).toBeVisible()
})

test('on a phone changes are cards and filters open in a sheet', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 390, height: 844 })
  await mine.goto('/activity-logs/changes')
  const cards = mine.getByRole('list', { name: t('provider-changes:title') }).getByRole('listitem')
  await expect(cards.filter({ hasText: 'ssl' })).toContainText('colleague@example.com')
  await expect(cards.filter({ hasText: 'ssl' })).toContainText('198.51.100.7')
  // No line is cut.
  const last = cards.filter({ hasText: 'ssl' }).getByText('198.51.100.7')
  expect((await last.boundingBox())?.height).toBeGreaterThan(14)
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await mine.getByRole('button', { name: t('common:filters.title') }).click()
  await mine.getByRole('switch', { name: t('provider-changes:filters.outside') }).click()
  await mine.getByRole('button', { name: t('provider-changes:filters.kind'), exact: true }).click()
  await mine.getByRole('option', { name: t('provider-changes:kinds.records') }).click()
  await mine.getByRole('button', { name: t('common:filters.apply'), exact: true }).click()
  await expect(cards.filter({ hasText: t('provider-changes:by_panel') })).toContainText(domain.name)
  await expect(cards.filter({ hasText: 'ssl' })).toHaveCount(0)
})

test('the changes of an account and of a domain are linked from their pages, and the palette finds the list', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await mine.getByRole('button', { name: t('common:table.columns') }).click()
  await mine.getByRole('checkbox', { name: t('accounts:column.changes') }).click()
  await mine.keyboard.press('Escape')
  await expect(row(mine, email())).toContainText(t('accounts:changes.no_permission'))
  const first = deck().credentials[0]?.email ?? ''
  await row(mine, first).hover()
  await mine.getByRole('button', { name: `${t('accounts:actions.label')} ${first}` }).click()
  await mine.getByRole('menuitem', { name: t('accounts:actions.changes') }).click()
  await expect(mine).toHaveURL(/\/activity-logs\/changes\?account=/)
  await expect(mine.getByRole('button', { name: `${t('provider-changes:filters.account')}: ${first}` })).toBeVisible()
  await expect(row(mine, 'ssl')).toBeVisible()

  await mine.goto(`/domains/${domain.id}/history`)
  await mine.getByRole('link', { name: t('history:at_provider') }).click()
  await expect(mine.getByRole('button', { name: `${t('provider-changes:filters.domain')}: ${domain.name}` })).toBeVisible()
  await expect(row(mine, 'ssl')).toBeVisible()
  await expect(row(mine, `new.${other.name}`)).toHaveCount(0)

  await mine.goto('/groups')
  await expect(mine.getByRole('heading', { level: 1, name: t('groups:title') })).toBeVisible()
  await mine.keyboard.press('Control+k')
  await mine.getByPlaceholder(t('shell:palette.placeholder')).fill(t('shell:within.changes'))
  await expect(mine.getByRole('dialog').locator('button[data-action]').first()).toContainText(t('shell:within.changes'))
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(/\/activity-logs\/changes$/)
})

test('axe finds no violations in the changes: dark, light and on a phone', async ({ mine }) => {
  await mine.goto('/activity-logs/changes?own=yes')
  await expect(row(mine, 'ssl')).toBeVisible()
  expect(await axeFindings(mine, { phone: true })).toEqual([])
})

test('a person with whom an account is shared for viewing sees what waits for a review, but marks nothing', async ({ page, t }) => {
  const viewer = await register('Viewer')
  const { accounts } = await call('GET', '/accounts', feeds)
  const accountId = accounts.find((each) => each.email === deck().credentials[0]?.email)?.id
  await call('POST', '/shares', z.unknown(), { accountId, user: viewer.user.email, level: 'view' })
  await signIn(page, viewer)
  await page.goto('/activity-logs/changes')
  await expect(row(page, 'ssl')).toContainText(t('provider-changes:review.open'))
  await expect(page.getByRole('button', { name: t('provider-changes:review.mark') })).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('provider-changes:review.all') })).toHaveCount(0)
})

test('critical changes are marked as reviewed, one by one or all, and then no longer wait', async ({ mine, t }) => {
  const { cloudflare, credentials, readAuditLogs } = deck()
  const account = { id: credentials[0]?.accountId ?? '' }
  for (const id of ['token-1', 'token-2']) {
    cloudflare.state.auditLog.add(account, {
      action: { type: 'create' },
      actor: { email: 'colleague@example.com' },
      raw: { method: 'POST', uri: `/client/v4/accounts/${account.id}/tokens` },
      resource: { product: 'tokens', id },
    })
  }
  await readAuditLogs()
  await mine.goto('/activity-logs/changes')
  await expect(row(mine, 'token-2')).toContainText(t('provider-changes:critical.token_created'), { timeout: 20_000 })
  const tab = mine.getByRole('link', { name: t('activity:tabs.changes') })
  const { changes: waiting } = await call('GET', '/provider-changes/unreviewed', z.object({ changes: z.number() }))
  await expect(tab).toContainText(String(waiting))
  await choose(mine, t('provider-changes:filters.review'), t('provider-changes:filters.review_critical'))
  await expect(row(mine, 'ssl')).toHaveCount(0)
  await row(mine, 'token-1')
    .getByRole('button', { name: t('provider-changes:review.mark') })
    .click()
  await expect(row(mine, 'token-1')).toHaveCount(0)
  await expect(tab).toContainText(String(waiting - 1))
  await expect(row(mine, 'token-2')).toBeVisible()

  await mine.getByRole('button', { name: t('provider-changes:review.all') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('provider-changes:review.all_text'))
  await mine.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // Of one account, as the list is filtered.
  const first = credentials[0]?.email ?? ''
  const { accounts } = await call('GET', '/accounts', feeds)
  const id = accounts.find((each) => each.email === first)?.id ?? ''
  await mine.goto(`/activity-logs/changes?account=${id}&review=critical`)
  await mine.getByRole('button', { name: t('provider-changes:review.all') }).click()
  await expect(dialog).toContainText(t('provider-changes:review.all_text_account', { account: first }))
  const sent = mine.waitForRequest(/providerChanges\.review/)
  await dialog.getByRole('button', { name: t('provider-changes:review.mark') }).click()
  expect((await sent).postData()).toContain(`"accountId":"${id}"`)
  await expect(mine.getByText(t('provider-changes:no_match'))).toBeVisible()
  await expect(mine.getByRole('button', { name: t('provider-changes:review.all') })).toHaveCount(0)
  await mine.goto('/activity-logs/changes')
  await expect(row(mine, 'ssl')).toContainText(t('provider-changes:review.reviewed'))
})

test('changes like one are always allowed by a rule, which says who created it and why and can be deleted', async ({ mine, t }) => {
  const { cloudflare, credentials, readAuditLogs } = deck()
  const account = { id: credentials[0]?.accountId ?? '' }
  const add = (id: string) =>
    cloudflare.state.auditLog.add(account, { actor: { email: 'ci@example.com' }, resource: { product: 'members', id } })
  add('member-20')
  add('member-21')
  await readAuditLogs()
  await mine.goto('/activity-logs/changes')
  await expect(row(mine, 'member-21')).toBeVisible({ timeout: 20_000 })
  await row(mine, 'member-20').hover()
  await mine.getByRole('button', { name: t('provider-changes:menu.label', { what: 'member-20' }) }).click()
  await mine.getByRole('menuitem', { name: t('provider-changes:menu.allow') }).click()
  const dialog = mine.getByRole('dialog', { name: t('provider-changes:allow.title') })
  await expect(dialog).toContainText('ci@example.com')
  await expect(dialog).toContainText(t('provider-changes:allow.matching', { count: 2, formatted: '2' }))
  expect(await axeFindings(mine)).toEqual([])
  await dialog.getByLabel(t('provider-changes:allow.reason')).fill('Deployments')
  const sent = mine.waitForResponse(/providerChanges\.allow\?/)
  await dialog.getByRole('button', { name: t('provider-changes:allow.action') }).click()
  await sent
  await expect(row(mine, 'member-20')).toContainText(t('provider-changes:review.allowed'))
  await expect(row(mine, 'member-21')).toContainText(t('provider-changes:review.allowed'))
  add('member-22')
  await readAuditLogs()
  await expect(row(mine, 'member-22')).toContainText(t('provider-changes:review.allowed'), { timeout: 20_000 })

  await mine.getByRole('button', { name: t('provider-changes:allowed.title') }).click()
  const rules = mine.getByRole('list', { name: t('provider-changes:allowed.title') })
  await expect(rules.getByRole('listitem')).toContainText('ci@example.com')
  await expect(rules.getByRole('listitem')).toContainText('Deployments')
  await expect(rules.getByRole('listitem')).toContainText(t('provider-changes:kinds.account'))
  expect(await axeFindings(mine)).toEqual([])
  await rules.getByRole('button', { name: t('provider-changes:allowed.delete_one', { author: 'ci@example.com' }) }).click()
  const asked = mine.getByRole('dialog', { name: t('provider-changes:allowed.delete_title') })
  await asked.getByRole('button', { name: t('provider-changes:allowed.delete'), exact: true }).click()
  await expect(mine.getByText(t('provider-changes:allowed.none'))).toBeVisible()
  await mine.keyboard.press('Escape')
  add('member-23')
  await readAuditLogs()
  await expect(row(mine, 'member-23').getByRole('button', { name: t('provider-changes:review.mark') })).toBeVisible({ timeout: 20_000 })
})

/** Opens the menu of a change and chooses an action. */
async function act(page: Page, t: Words, what: string, action: 'entries' | 'revert'): Promise<void> {
  await page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: what }).hover()
  await page.getByRole('button', { name: t('provider-changes:menu.label', { what }) }).click()
  await page.getByRole('menuitem', { name: t(`provider-changes:menu.${action}`) }).click()
}

const settled = z.object({ data: z.array(z.object({ id: z.uuid(), sslMode: z.string().nullable() })) })

test('a change is shown with the values before and after, and reverted after a preview, or the reason why not', async ({ mine, t }) => {
  const { cloudflare, readAuditLogs } = deck()
  await expect
    .poll(async () => (await call('GET', '/zones/live', settled)).data.find(({ id }) => id === other.id)?.sslMode, { timeout: 20_000 })
    .not.toBeNull()
  applyEdit(cloudflare.state, { kind: 'setting', zone: other.name, setting: 'security_level', value: 'under_attack' })
  await readAuditLogs()
  await mine.goto('/activity-logs/changes')
  await expect(row(mine, 'security_level')).toBeVisible({ timeout: 20_000 })
  await act(mine, t, 'security_level', 'entries')
  const dialog = mine.getByRole('dialog', { name: t('provider-changes:entries.title') })
  // The domain may not have been read yet.
  const value = dialog.getByRole('list').getByText(t('security:level.levels.under_attack.name'))
  await expect(value).toBeVisible({ timeout: 20_000 })
  await expect(dialog).toContainText('colleague@example.com')
  expect(await axeFindings(mine)).toEqual([])
  await dialog.getByRole('button', { name: t('provider-changes:menu.revert') }).click()
  const preview = mine.getByRole('dialog', { name: t('history:revert_title', { count: 1, formatted: '1' }) })
  await expect(preview).toContainText(t('history:steps_state.will_change'))
  const reviewed = mine.waitForResponse(/providerChanges\.review/)
  await preview.getByRole('button', { name: t('history:revert_now') }).click()
  await reviewed
  await expect(mine.getByRole('dialog')).toHaveCount(0)
  await expect(row(mine, 'security_level')).toContainText(t('provider-changes:review.reviewed'))

  // By keyboard, from the menu.
  await mine.getByRole('button', { name: t('provider-changes:menu.label', { what: 'security_level' }) }).press('Enter')
  await mine.getByRole('menuitem', { name: t('provider-changes:menu.revert') }).press('Enter')
  await expect(dialog).toContainText(t('provider-changes:entries.refusal.reverted'))
  await expect(dialog).toContainText(t('history:reverted_mark'))
  await expect(dialog.getByRole('button', { name: t('provider-changes:menu.revert') })).toHaveCount(0)
  await mine.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await act(mine, t, 'member-7', 'revert')
  await expect(dialog).toContainText(t('provider-changes:entries.refusal.not_recorded'))
})

test('on a phone the values of a change that failed to load can be retried', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 390, height: 844 })
  // The others fill more than a screen, and only cards near it are rendered.
  await mine.goto('/activity-logs/changes?author=deploy')
  const retry = await failUntilRetry(mine, /providerChanges\.entries/)
  await act(mine, t, 'member-7', 'entries')
  const dialog = mine.getByRole('dialog', { name: t('provider-changes:entries.title') })
  await expect(dialog).toContainText(t('provider-changes:entries.failed'))
  await retry(dialog.getByRole('button', { name: t('common:retry') }))
  await expect(dialog).toContainText(t('provider-changes:entries.refusal.not_recorded'))
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
