import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { monitoringTabs } from '#client/features/monitoring/search.ts'
import { settingsTabs } from '#client/features/settings/search.ts'
import { trackersTabs } from '#client/features/trackers/search.ts'
import { axeFindings } from '../../axe.ts'
import { fillDeck } from '../../filled-deck.ts'
import type { Filled } from '../../filled-deck.ts'
import { call, expect, test, useDeck } from '../../fixtures.ts'
import { installProbe } from '../../layer-probe.ts'
import { open } from '../../open-page.ts'

useDeck({ world: { zones: 10, accounts: 2, plain: true }, accounts: 2 })

// Each test visits many pages and dialogs.
test.describe.configure({ timeout: 600_000 })

let filled: Filled
test.beforeAll(async () => {
  test.setTimeout(300_000)
  filled = await fillDeck()
})

const tabbed = (path: string, tabs: readonly string[]): string[] => tabs.map((tab, index) => (index === 0 ? path : `${path}?tab=${tab}`))

/** Every route of the client with the paths at which it is checked; `$id` and `$slug` stand as in the route. */
const signedIn: Readonly<Record<string, readonly string[]>> = {
  '/domains': ['/domains', '/domains?view=grid', '/domains?q=no-such-name'],
  '/domains/lookup': ['/domains/lookup'],
  '/domains/traffic': ['/domains/traffic', '/domains/traffic?by=account'],
  '/domains/$id': ['/domains/$id'],
  '/domains/$id/records': ['/domains/$id/records'],
  '/domains/$id/security': ['/domains/$id/security'],
  '/domains/$id/rules': ['/domains/$id/rules'],
  '/domains/$id/history': ['/domains/$id/history'],
  '/domains/$id/health': ['/domains/$id/health'],
  '/groups': ['/groups'],
  '/accounts': ['/accounts'],
  '/registrars': ['/registrars'],
  '/registrars/unbound': ['/registrars/unbound'],
  '/registrars/name-servers': ['/registrars/name-servers'],
  '/registrars/renewals': ['/registrars/renewals'],
  '/register-domains': ['/register-domains'],
  '/addresses': ['/addresses'],
  '/profiles': ['/profiles'],
  '/redirects': ['/redirects'],
  '/operations': ['/operations'],
  '/operations/$id': ['/operations/$id'],
  '/monitoring': tabbed('/monitoring', monitoringTabs),
  '/trackers': tabbed('/trackers', trackersTabs),
  '/abuse-reports': ['/abuse-reports'],
  '/activity-logs': ['/activity-logs'],
  '/activity-logs/changes': ['/activity-logs/changes', '/activity-logs/changes?own=yes'],
  '/settings': tabbed('/settings', settingsTabs),
  '/users': ['/users'],
  '/me': ['/me'],
  '/welcome': ['/welcome'],
  '/second-factor': ['/second-factor'],
}
const signedOut: Readonly<Record<string, readonly string[]>> = {
  '/login': ['/login'],
  '/reset-password': ['/reset-password'],
  '/status/$slug': ['/status/shops', '/status/none'],
}
/** Redirects to the domains. */
const elsewhere = ['/']

test('axe checks every page of the client', () => {
  const tree = readFileSync(new URL('../../../client/src/routeTree.gen.ts', import.meta.url), 'utf8')
  const routes = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree)?.[1] ?? ''
  const known = Array.from(routes.matchAll(/'(.+?)':/g), ([, path]) => path ?? '')
  expect(known.length).toBeGreaterThan(25)
  expect([...Object.keys(signedIn), ...Object.keys(signedOut), ...elsewhere].toSorted()).toEqual(known.toSorted())
})

async function look(page: Page, paths: readonly string[], how: 'load' | 'navigate'): Promise<void> {
  await page.addInitScript(installProbe)
  for (const path of paths) {
    await open(page, path.replace('$id', path.startsWith('/operations') ? filled.operationId : filled.domainId), how)
    expect.soft(await axeFindings(page, { phone: true }), path).toEqual([])
  }
}

test('axe finds no violations on any signed-in page: dark, light and on a phone, without horizontal scrolling', async ({ mine }) => {
  await look(mine, [...Object.values(signedIn).flat(), '/nowhere'], 'navigate')
})

test('axe finds no violations on any public page: dark, light and on a phone, without horizontal scrolling', async ({ page, mine, t }) => {
  await mine.goto('/settings?tab=monitoring')
  await mine.getByRole('combobox', { name: t('monitoring:status_pages.add') }).click()
  await mine.getByRole('option', { name: 'Shops' }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog).toBeVisible()
  expect.soft(await axeFindings(mine), 'opening a status page').toEqual([])
  await dialog.getByRole('button', { name: t('monitoring:save') }).click()
  await expect(mine.getByRole('link', { name: '/status/shops' })).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  await look(page, [...Object.values(signedOut).flat(), '/nowhere', '/api/docs'], 'load')

  await page.goto('/login')
  await page.getByRole('button', { name: t('auth:sign_in.switch_action') }).click()
  await expect(page.getByLabel(t('auth:password_confirmation'))).toBeVisible()
  expect.soft(await axeFindings(page, { phone: true }), 'registration').toEqual([])
})

test('axe finds no violations where a list failed to load', async ({ mine, t }) => {
  await mine.route(/accounts\.list/, (route) => route.abort())
  await mine.goto('/accounts')
  await expect(mine.getByText(t('accounts:failed.load'))).toBeVisible()
  expect(await axeFindings(mine)).toEqual([])
})

test('axe finds no violations in the empty states of a new panel', async ({ page }) => {
  const nobody = z.object({ token: z.string(), user: z.unknown() })
  const someone = {
    name: 'Empty',
    email: 'empty@example.com',
    password: 'correct horse battery',
    passwordConfirmation: 'correct horse battery',
  }
  const session = await call('POST', '/auth/register', nobody, someone)
  await page.addInitScript((stored) => localStorage.setItem('zonedeck.auth', stored), JSON.stringify({ ...session, isAuthenticated: true }))
  await look(
    page,
    [
      '/domains',
      '/welcome',
      '/groups',
      '/accounts',
      '/registrars',
      '/trackers',
      '/trackers?tab=reserve',
      '/monitoring',
      '/register-domains',
    ],
    'navigate',
  )
})
