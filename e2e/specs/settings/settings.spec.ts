import { z } from 'zod'
import { call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 30, accounts: 2 }, accounts: 2 })

const settings = z.object({ settings: z.record(z.string(), z.unknown()) })
const stored = async () => (await call('GET', '/settings', settings)).settings

for (const language of ['ru', 'en'] as const) {
  test(`settings are saved, and each tab has a URL, in ${language}`, async ({ mine }) => {
    const t = texts(language)
    await mine.addInitScript((value) => localStorage.setItem('zonedeck.language', value), language)
    await mine.goto('/settings')
    await mine.getByLabel(t('settings:retention.name')).selectOption('90')
    await expect(mine.getByText(t('settings:saved')).first()).toBeVisible()
    await mine.getByRole('combobox', { name: t('settings:time_zone.name') }).fill('yekat')
    await mine.getByRole('option', { name: 'Asia/Yekaterinburg' }).click()
    await expect.poll(async () => (await stored())['timeZone']).toBe('Asia/Yekaterinburg')

    await mine.getByRole('link', { name: t('settings:tabs.security') }).click()
    await expect(mine).toHaveURL(/\/settings\?tab=security$/)
    await expect(mine.getByRole('radio', { name: t('settings:two_factor.optional.name') })).toBeChecked()
    await mine.getByLabel(t('settings:sessions.name')).selectOption('7')
    await expect.poll(async () => (await stored())['sessionDays']).toBe(7)
    await mine.reload()
    await expect(mine.getByLabel(t('settings:sessions.name'))).toHaveValue('7')
    await call('PATCH', '/settings', z.unknown(), { timeZone: 'UTC', activityRetentionDays: 365, sessionDays: 30 })
  })
}

test('R-AUT-03 the switch closes registration: the sign-in page no longer offers the form', async ({ mine, page, t }) => {
  await mine.goto('/settings')
  const open = mine.getByRole('switch', { name: t('settings:registration.name') })
  await expect(open).toBeChecked()
  await open.click()
  await expect(open).not.toBeChecked()
  await expect(mine.getByText(t('settings:registration.closed'))).toBeVisible()
  await expect.poll(async () => (await stored())['registration']).toBe('closed')
  await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  await page.goto('/login')
  await expect(page.getByText(t('auth:register.closed'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('auth:sign_in.switch_action') })).toHaveCount(0)
  await call('PATCH', '/settings', z.unknown(), { registration: 'open' })
})

test('a setting that the server rejects reverts to its old value and shows an error', async ({ mine, t }) => {
  await mine.goto('/settings')
  const keep = mine.getByLabel(t('settings:retention.name'))
  await expect(keep).toHaveValue('365')
  await mine.route(/settings\.update/, (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }))
  await keep.selectOption('30')
  await expect(mine.getByRole('alert').first()).toBeVisible()
  await expect(keep).toHaveValue('365')
})

test('a first-time visitor gets the default language', async ({ browser }) => {
  await call('PATCH', '/settings', z.unknown(), { defaultLanguage: 'en' })
  const visitor = await browser.newContext({ baseURL: deck().panel.url, locale: 'ru-RU' })
  const page = await visitor.newPage()
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: texts('en')('auth:sign_in.title') })).toBeVisible()
  await visitor.close()
  await call('PATCH', '/settings', z.unknown(), { defaultLanguage: 'browser' })
})

test('R-PRM-02 an administrator sees the whole system page, a user the version and their own accounts', async ({ mine, browser, t }) => {
  await mine.goto('/settings?tab=system')
  const facts = mine.getByRole('main').locator('dl')
  await expect(facts).toContainText(t('settings:system.database'))
  await expect(facts).toContainText(/PostgreSQL \d+/)
  await expect(
    mine
      .getByRole('list')
      .filter({ hasText: t('settings:budget.used', { used: '', limit: '' }).trim() })
      .getByRole('listitem'),
  ).toHaveCount(2)
  const table = mine.getByRole('table', { name: t('settings:fresh.title') }).or(mine.getByRole('grid', { name: t('settings:fresh.title') }))
  await expect(table.getByRole('row')).toHaveCount(3)

  const person = await register('Nora')
  const context = await browser.newContext({ baseURL: deck().panel.url })
  const theirs = await context.newPage()
  await signIn(theirs, person)
  await theirs.goto('/settings?tab=security')
  await expect(theirs.getByText(t('settings:system.version'))).toBeVisible()
  await expect(theirs.getByText(t('settings:system.no_accounts'))).toBeVisible()
  await expect(theirs.getByText(t('settings:system.database'))).toHaveCount(0)
  await expect(theirs.getByRole('navigation', { name: t('settings:tabs.label') }).getByRole('link')).toHaveText([
    t('settings:tabs.system'),
    t('settings:tabs.monitoring'),
    t('settings:tabs.trackers'),
  ])
  await context.close()
})

test('the palette and a keyboard shortcut open the settings', async ({ mine, t }) => {
  await mine.goto('/domains')
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  // Pressed together: on a slow machine the shortcut would time out between the keys.
  await Promise.all(['g', 's'].map((key) => mine.keyboard.press(key)))
  await expect(mine).toHaveURL(/\/settings$/)
  await mine.keyboard.press('ControlOrMeta+k')
  await mine.getByRole('dialog').getByRole('textbox').fill(t('shell:nav.settings').slice(0, 6))
  await expect(
    mine
      .getByRole('dialog')
      .getByRole('button', { name: t('shell:nav.settings') })
      .first(),
  ).toBeVisible()
})
