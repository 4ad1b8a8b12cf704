import type { Page } from 'playwright/test'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { addAccounts, call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import type { texts } from '../../texts.ts'

useDeck({ world: { zones: 6, accounts: 2, plain: true } })

type Words = ReturnType<typeof texts>

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })
const listed = z.object({ abuseReports: z.array(z.object({ id: z.uuid(), reportId: z.string(), state: z.string() })) })
const feeds = z.object({
  accounts: z.array(z.object({ id: z.uuid(), email: z.string(), abuseFeed: z.object({ state: z.string() }).nullable() })),
})
const states = async () => (await call('GET', '/accounts', feeds)).accounts.map(({ abuseFeed }) => abuseFeed?.state)
const reports = async () => (await call('GET', '/abuse-reports', listed)).abuseReports
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const email = () => deck().credentials[1]?.email ?? ''

/** Selects one value of a filter. */
async function choose(page: Page, filter: string, value: string): Promise<void> {
  await page.getByRole('search').getByRole('button', { name: filter, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

let domain: { id: string; name: string }
let other: { id: string; name: string }
const account = () => ({ id: deck().credentials[0]?.accountId ?? '' })

test.beforeAll(async () => {
  const { cloudflare, credentials, readReports } = deck()
  const [first, second] = credentials
  if (first === undefined || second === undefined) throw new Error('there is no account')
  await addAccounts([first])
  const { data } = await call('GET', '/zones/live', zones)
  const [one, two] = data
  if (one === undefined || two === undefined) throw new Error('there is no domain')
  ;[domain, other] = [one, two]
  // Its token lacks the permission.
  await call('POST', '/accounts', z.unknown(), { email: second.email, kind: 'api_token', apiKey: second.readOnlyToken })
  const { abuse } = cloudflare.state
  abuse.add(
    account(),
    { domain: domain.name, justification: 'It copies a bank', submitter: { email: 'abuse@bank.example' }, status: 'accepted' },
    { timeMs: Date.now() - 60_000, mitigations: [{ type: 'phishing_interstitial', entity_id: domain.name }] },
  )
  abuse.add(account(), { domain: other.name, type: 'DMCA', justification: 'It copies a photo' }, { timeMs: Date.now() - 120_000 })
  await expect.poll(states, { timeout: 20_000 }).not.toContain(undefined)
  await readReports()
  await expect.poll(async () => (await reports()).length, { timeout: 20_000 }).toBe(2)
  await expect.poll(states, { timeout: 20_000 }).toContain('no_permission')
})

async function journey(page: Page, t: Words, note: string): Promise<void> {
  await page.goto('/monitoring')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.abuse_reports') })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('abuse-reports:title') })).toBeVisible()
  const reported = row(page, domain.name)
  await expect(reported).toContainText(t('abuse-reports:kinds.phishing'))
  await expect(reported).toContainText(t('abuse-reports:status.accepted'))
  await expect(reported).toContainText(t('abuse-reports:mitigations.active', { formatted: '1' }))

  // The account without the permission, its name, and what to do.
  await expect(page.getByText(t('abuse-reports:feed.no_permission', { count: 1, formatted: '1' }))).toBeVisible()
  await expect(page.getByText('Trust and Safety Read')).toContainText(email())

  // Filters are in the URL and combine.
  await choose(page, t('abuse-reports:filters.kind'), t('abuse-reports:kinds.copyright'))
  await expect(page).toHaveURL(/kind=copyright/)
  await expect(reported).toHaveCount(0)
  await expect(row(page, other.name)).toBeVisible()
  await page.getByRole('searchbox', { name: t('abuse-reports:search') }).fill('nothing-like-it')
  await expect(page.getByText(t('abuse-reports:no_match'))).toBeVisible()
  await page.getByRole('button', { name: t('common:filters.show_all') }).click()

  // The whole report, and what people note about it.
  await reported.getByText(domain.name).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It copies a bank')
  await expect(dialog).toContainText('abuse@bank.example')
  await expect(dialog).toContainText(`https://${domain.name}/login`)
  await expect(dialog).toContainText(t('abuse-reports:mitigation_types.phishing_interstitial'))
  await dialog.getByRole('textbox', { name: t('abuse-reports:dialog.note') }).fill(note)
  await dialog.getByRole('combobox', { name: t('abuse-reports:dialog.assignee') }).click()
  await page.getByRole('option', { name: 'Owner' }).click()
  await dialog.getByRole('combobox', { name: t('abuse-reports:dialog.state') }).click()
  await page.getByRole('option', { name: t('abuse-reports:states.in_work') }).click()
  const saved = page.waitForResponse(/abuseReports\.update/)
  await dialog.getByRole('button', { name: t('abuse-reports:dialog.save') }).click()
  expect((await saved).ok()).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(reported).toContainText(t('abuse-reports:states.in_work'))
  await expect(reported).toContainText('Owner')
  await reported.getByText(domain.name).click()
  await expect(dialog.getByRole('textbox', { name: t('abuse-reports:dialog.note') })).toHaveValue(note)
  await page.keyboard.press('Escape')

  // The domain has its reports.
  await page.goto(`/domains/${domain.id}/health`)
  const section = page.getByRole('region', { name: t('abuse-reports:domain.title') })
  await section.getByRole('link', { name: t('abuse-reports:kinds.phishing') }).click()
  await expect(page).toHaveURL(/\/abuse-reports\?.*report=/)
  await expect(page.getByRole('dialog')).toContainText('It copies a bank')
  await page.keyboard.press('Escape')
  await expect(row(page, other.name)).toHaveCount(0)
}

test('abuse reports are listed, filtered, opened and worked on, and the missing permission is named, in Russian', async ({ mine, t }) => {
  await journey(mine, t, 'Спросили дизайнера')
})

test('abuse reports are listed, filtered, opened and worked on, and the missing permission is named, in English', async ({ mine, en }) => {
  await mine.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await journey(mine, en, 'Asked the designer')
})

test('a new abuse report appears without a reload', async ({ mine, t }) => {
  const { cloudflare, readReports } = deck()
  await mine.goto('/abuse-reports')
  await expect(row(mine, domain.name)).toBeVisible()
  cloudflare.state.abuse.add(account(), { domain: 'fresh.example', type: 'THREAT' })
  await readReports()
  await expect(row(mine, 'fresh.example')).toContainText(t('abuse-reports:kinds.threat'), { timeout: 20_000 })
})

test('a list and a report that failed to load show an error and can be retried', async ({ mine, t }) => {
  const retryList = await failUntilRetry(mine, /abuseReports\.list/)
  await mine.goto('/abuse-reports')
  await expect(mine.getByText(t('abuse-reports:failed'))).toBeVisible()
  await retryList(mine.getByRole('button', { name: t('common:retry') }))
  await expect(row(mine, domain.name)).toBeVisible()
  const id = (await reports())[0]?.id ?? ''
  const retryReport = await failUntilRetry(mine, /abuseReports\.get/)
  await mine.goto(`/abuse-reports?report=${id}`)
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByText(t('abuse-reports:dialog.failed'))).toBeVisible()
  await retryReport(dialog.getByRole('button', { name: t('common:retry') }))
  await expect(dialog.getByText(t('abuse-reports:dialog.justification'))).toBeVisible()
})

test('on a phone abuse reports are cards, and a report opens', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 390, height: 844 })
  await mine.goto('/abuse-reports')
  const cards = mine.getByRole('list', { name: t('abuse-reports:title') }).getByRole('listitem')
  await expect(cards.filter({ hasText: domain.name })).toContainText(t('abuse-reports:kinds.phishing'))
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await cards.filter({ hasText: domain.name }).getByRole('button').click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText('It copies a bank')
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
})

test('axe finds no violations in the abuse reports: dark, light and on a phone', async ({ mine }) => {
  await mine.goto('/abuse-reports')
  await expect(row(mine, domain.name)).toBeVisible()
  expect(await axeFindings(mine, { phone: true })).toEqual([])
  await row(mine, domain.name).getByText(domain.name).click()
  await expect(mine.getByRole('dialog')).toContainText('It copies a bank')
  expect(await axeFindings(mine, { phone: true })).toEqual([])
})

test('a person with whom an account is shared for viewing reads reports, but does not see who reported and edits nothing', async ({
  page,
  t,
}) => {
  const viewer = await register('Viewer')
  const { accounts } = await call('GET', '/accounts', feeds)
  const accountId = accounts.find((each) => each.email === deck().credentials[0]?.email)?.id
  await call('POST', '/shares', z.unknown(), { accountId, user: viewer.user.email, level: 'view' })
  await signIn(page, viewer)
  await page.goto('/abuse-reports')
  await row(page, domain.name).getByText(domain.name).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It copies a bank')
  await expect(dialog).not.toContainText('abuse@bank.example')
  await expect(dialog.getByRole('button', { name: t('abuse-reports:dialog.save') })).toHaveCount(0)
})

test('the incident of new abuse reports leads to them, and ends when a person works on them', async ({ mine, t }) => {
  const { cloudflare, readReports } = deck()
  await call('PATCH', '/settings/monitoring', z.unknown(), { enabled: true, regions: ['EUROPE'], checkInterval: 1 })
  cloudflare.state.abuse.add(account(), { domain: 'urgent.example' })
  await readReports()
  const incidents = z.object({ incidents: z.array(z.object({ id: z.uuid(), closedAt: z.string().nullable() })) })
  const opened = async () => (await call('GET', '/incidents?cause=code:abuse_reported', incidents)).incidents
  await expect.poll(async () => (await opened()).length, { timeout: 40_000 }).toBe(1)
  await mine.goto(`/monitoring?incident=${(await opened())[0]?.id ?? ''}`)
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toContainText(t('monitoring:severity.abuse_reported'))
  await dialog.getByRole('link', { name: t('monitoring:incidents.review_abuse') }).click()
  await expect(mine).toHaveURL(/\/abuse-reports\?state=open/)
  await expect(row(mine, 'urgent.example')).toBeVisible()
  for (const { id, state } of await reports())
    if (state === 'open') await call('PATCH', `/abuse-reports/${id}`, z.unknown(), { state: 'done' })
  await expect.poll(async () => (await opened())[0]?.closedAt ?? null, { timeout: 40_000 }).not.toBe(null)
})

test('an appeal shows what is sent, is sent after a person has confirmed it, and is listed in the report', async ({ mine, t }) => {
  const { cloudflare, readReports } = deck()
  cloudflare.state.abuse.add(
    account(),
    { domain: 'blocked.example' },
    { mitigations: [{ id: 'taken', type: 'network_block', entity_id: 'blocked.example' }] },
  )
  await readReports()
  await mine.goto('/abuse-reports')
  await row(mine, 'blocked.example')
    .filter({ hasText: t('abuse-reports:mitigations.active', { formatted: '1' }) })
    .getByText('blocked.example')
    .click({ timeout: 20_000 })
  const report = mine.getByRole('dialog').first()
  await report.getByRole('button', { name: t('abuse-reports:dialog.appeal') }).click()
  const dialog = mine.getByRole('dialog', { name: t('abuse-reports:appeal.title'), exact: true })
  // No reason is preselected, because each is a statement.
  await expect(dialog.getByRole('button', { name: t('abuse-reports:appeal.send') })).toBeDisabled()
  await dialog.getByRole('radio', { name: t('abuse-reports:appeal.reasons.misclassified') }).check()
  await expect(dialog.getByRole('region', { name: t('abuse-reports:appeal.preview') })).toContainText('taken: misclassified')
  expect(await axeFindings(mine, { phone: true })).toEqual([])
  const sent = mine.waitForResponse(/abuseReports\.appeal/)
  await dialog.getByRole('button', { name: t('abuse-reports:appeal.send') }).click()
  expect((await sent).ok()).toBe(true)
  await expect(dialog).toHaveCount(0)
  await expect(report).toContainText(t('abuse-reports:appeal.states.sent'))
  await expect(report).toContainText(t('abuse-reports:mitigation_status.in_review'))
  await expect(report.getByRole('button', { name: t('abuse-reports:dialog.appeal') })).toHaveCount(0)
})

test('saving a report sends only what was changed, so an edit of a colleague stays and is shown', async ({ mine, t }) => {
  deck().cloudflare.state.abuse.add(account(), { id: 'together', domain: 'together.example' })
  await deck().readReports()
  const of = async () => (await reports()).find(({ reportId }) => reportId === 'together')
  await expect.poll(async () => await of(), { timeout: 20_000 }).toBeDefined()
  const id = (await of())?.id ?? ''
  await mine.goto(`/abuse-reports?report=${id}`)
  const dialog = mine.getByRole('dialog')
  const note = dialog.getByRole('textbox', { name: t('abuse-reports:dialog.note') })
  await expect(note).toHaveValue('')
  await dialog.getByRole('combobox', { name: t('abuse-reports:dialog.state') }).click()
  await mine.getByRole('option', { name: t('abuse-reports:states.in_work') }).click()
  await call('PATCH', `/abuse-reports/${id}`, z.unknown(), { note: 'by a colleague' })
  await expect(note).toHaveValue('by a colleague')
  const saved = mine.waitForResponse(/abuseReports\.update/)
  await dialog.getByRole('button', { name: t('abuse-reports:dialog.save') }).click()
  expect((await saved).ok()).toBe(true)
  const whole = z.object({ abuseReport: z.object({ state: z.string(), note: z.string().nullable() }) })
  expect(await call('GET', `/abuse-reports/${id}`, whole)).toMatchObject({ abuseReport: { state: 'in_work', note: 'by a colleague' } })
})
