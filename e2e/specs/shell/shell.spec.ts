import { deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2 })

test('R-RTE-04 an unknown path shows the not-found page, which links to the start', async ({ mine, t }) => {
  await mine.goto('/nowhere/at/all')
  await expect(mine.getByRole('heading', { name: t('shell:not_found.title') })).toBeVisible()
  await mine.getByRole('link', { name: t('shell:not_found.action') }).click()
  await expect(mine).toHaveURL(/\/domains/)
})

test('R-RTE-01 the root redirects to the domains', async ({ mine }) => {
  await mine.goto('/')
  await expect(mine).toHaveURL(/\/domains/)
})

test('R-I18-01 R-I18-02 the language changes everywhere and is kept after a reload', async ({ mine, t, en }) => {
  await mine.goto('/accounts')
  const navigation = mine.getByRole('navigation')
  await expect(navigation.getByRole('link', { name: t('shell:nav.accounts') })).toBeVisible()
  await mine.getByRole('button', { name: 'English' }).click()
  await expect(navigation.getByRole('link', { name: en('shell:nav.accounts') })).toBeVisible()
  await expect(mine.locator('html')).toHaveAttribute('lang', 'en')
  await mine.reload()
  await expect(navigation.getByRole('link', { name: en('shell:nav.accounts') })).toBeVisible()
  await expect(mine.getByRole('button', { name: 'English' })).toHaveAttribute('aria-pressed', 'true')
})

test('R-LAY-08 the default theme is dark, and a chosen theme is kept without a flash of the other', async ({ mine, t }) => {
  await mine.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seenThemes: seen })
    const look = () => {
      if (document.body !== null) {
        const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
        const shown = `${theme} ${getComputedStyle(document.body).backgroundColor}`
        if (seen.at(-1) !== shown) seen.push(shown)
      }
      requestAnimationFrame(look)
    }
    look()
  })
  await mine.goto('/accounts')
  await expect(mine.locator('html')).toHaveClass(/dark/)
  await mine.getByRole('button', { name: t('common:theme.to_light') }).click()
  await expect(mine.locator('html')).not.toHaveClass(/dark/)
  await mine.reload()
  await expect(mine.getByRole('button', { name: t('common:theme.to_dark') })).toBeVisible()
  const seen = await mine.evaluate(() => (window as unknown as { seenThemes: string[] }).seenThemes)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatch(/^light /)
})

test('R-LAY-01 the sidebar lists the pages in their groups, users only for administrators', async ({ mine, browser, t }) => {
  await mine.goto('/accounts')
  const navigation = mine.getByRole('navigation')
  await expect(navigation.getByText(t('shell:nav.management'))).toBeVisible()
  await expect(navigation.getByRole('link')).toHaveText([
    t('shell:nav.domains'),
    t('shell:nav.groups'),
    t('shell:nav.accounts'),
    t('shell:nav.registrars'),
    t('shell:nav.profiles'),
    t('shell:nav.addresses'),
    t('shell:nav.redirects'),
    t('shell:nav.operations'),
    t('shell:nav.monitoring'),
    t('shell:nav.abuse_reports'),
    t('shell:nav.trackers'),
    t('shell:nav.register_domains'),
    t('shell:nav.activity'),
    t('shell:nav.settings'),
    t('shell:nav.users'),
  ])
  await expect(navigation.getByRole('link', { name: t('shell:nav.accounts') })).toHaveAttribute('aria-current', 'page')

  const context = await browser.newContext({ baseURL: deck().panel.url })
  const theirs = await context.newPage()
  await signIn(theirs, await register('Nobody'))
  await theirs.goto('/accounts')
  await expect(theirs.getByRole('navigation').getByRole('link', { name: t('shell:nav.settings') })).toBeVisible()
  await expect(theirs.getByRole('navigation').getByRole('link', { name: t('shell:nav.users') })).toHaveCount(0)
  await context.close()
})

test('? opens the keyboard help, including the shortcuts for DNS records', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await mine.keyboard.press('Shift+Slash')
  const dialog = mine.getByRole('dialog')
  for (const text of ['record_add', 'record_edit', 'record_proxy', 'record_delete'] as const) {
    await expect(dialog.getByText(t(`shell:shortcuts.${text}`))).toBeVisible()
  }
})

test('R-LAY-02 the sidebar collapses manually, and automatically below 1024 px', async ({ mine, t }) => {
  await mine.goto('/accounts')
  const sidebar = mine.locator('#sidebar')
  const wide = (await sidebar.boundingBox())?.width ?? 0
  await mine.getByRole('button', { name: t('shell:sidebar.collapse') }).click()
  await expect.poll(async () => (await sidebar.boundingBox())?.width ?? 0).toBeLessThan(wide / 2)
  await mine.getByRole('button', { name: t('shell:sidebar.expand') }).click()
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(wide)
  await mine.setViewportSize({ width: 1000, height: 800 })
  await expect.poll(async () => (await sidebar.boundingBox())?.width ?? 0).toBeLessThan(wide / 2)
})

test('R-LAY-03 the quick-add button appears on hover and focus and opens the dialog from another page', async ({ mine, t }) => {
  await mine.goto('/domains')
  const add = mine.getByRole('navigation').getByRole('button', { name: t('shell:quick_add.account') })
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.accounts') })
    .hover()
  await expect(add).toBeVisible()
  await add.focus()
  await expect(add).toBeFocused()
  await add.press('Enter')
  await expect(mine.getByRole('dialog', { name: t('accounts:form.add_title') })).toBeVisible()
})

test('R-LAY-04 R-LAY-09 the indicator shows when the server is unreachable and retries when the network returns', async ({
  mine,
  context,
  t,
}) => {
  await mine.goto('/accounts')
  const indicator = mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })
  await expect(indicator).toBeVisible()
  await expect(indicator).toContainText(t('shell:api.checked', { when: '' }).trim())
  await context.setOffline(true)
  await indicator.click()
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.offline') })).toBeVisible()
  await context.setOffline(false)
  await expect(indicator).toBeVisible()
})

test('R-ERR-02 a page that cannot be loaded offline shows an error and opens when the connection returns', async ({ mine, context, t }) => {
  await mine.goto('/accounts')
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })).toBeVisible()
  // The keyboard help is loaded with the first key press.
  await mine.keyboard.press('Escape')
  await mine.evaluate(() => fetch('/api/health').then((answer) => answer.text()))
  await context.setOffline(true)
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.profiles') })
    .click()
  await expect(mine.getByRole('heading', { level: 1, name: t('shell:offline.title') })).toBeVisible()
  await mine.getByRole('button', { name: t('common:retry') }).click()
  await expect(mine.getByRole('heading', { level: 1, name: t('shell:offline.title') })).toBeVisible()
  await context.setOffline(false)
  await expect(mine.getByRole('heading', { level: 1, name: t('profiles:title') })).toBeVisible()
})

test('R-ERR-02 a dialog that cannot be loaded offline shows an error and opens on the next try', async ({ mine, context, t }) => {
  await mine.goto('/accounts')
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })).toBeVisible()
  // The keyboard help is loaded with the first key press.
  await mine.keyboard.press('Escape')
  await expect(mine.locator('.mantine-Notifications-root').first()).toBeAttached()
  await context.setOffline(true)
  await mine.keyboard.press('Shift+Slash')
  await expect(mine.getByRole('alert').filter({ hasText: t('common:not_loaded.title') })).toBeVisible()
  await context.setOffline(false)
  await mine.keyboard.press('Shift+Slash')
  await expect(mine.getByRole('dialog', { name: t('shell:shortcuts.title') })).toBeVisible()
})

test('a button whose menu is loading is busy until Escape, another focus or a click cancels it', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })).toBeVisible()
  const release = Promise.withResolvers<void>()
  await mine.route(/\/assets\/.*\.js$/, async (route) => {
    await release.promise
    await route.continue()
  })
  const button = mine.getByRole('button', { name: t('shell:user.menu') })
  const busy = (): Promise<void> => expect(button).toHaveAttribute('aria-busy', 'true')
  const free = (): Promise<void> => expect(button).not.toHaveAttribute('aria-busy', 'true')
  await button.click()
  await busy()
  await mine.keyboard.press('Escape')
  await free()
  await button.press('Enter')
  await busy()
  await button.click()
  await free()
  await button.press('Enter')
  await busy()
  await mine.keyboard.press('Tab')
  await free()
  release.resolve()
  await expect(mine.locator('.mantine-Notifications-root').first()).toBeAttached()
  await expect(mine.getByRole('menu')).toHaveCount(0)
  await button.press('Enter')
  await expect(mine.getByRole('menu')).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(mine.getByRole('menu')).toBeHidden()
  await expect(button).toBeFocused()
})

test('R-ERR-02 a calendar that cannot be loaded offline shows an error, its button keeps the focus, and it opens on the next try', async ({
  mine,
  context,
  t,
}) => {
  await mine.goto('/activity-logs')
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(mine.locator('.mantine-Notifications-root').first()).toBeAttached()
  const dates = mine.getByRole('button', { name: t('activity:filters.dates') })
  await context.setOffline(true)
  await dates.press('Enter')
  await expect(mine.getByRole('alert').filter({ hasText: t('common:not_loaded.title') })).toBeVisible()
  await expect(dates).toBeFocused()
  await context.setOffline(false)
  await dates.press('Enter')
  await expect(mine.getByRole('dialog').getByRole('table').first()).toBeVisible()
})

test('R-ERR-02 a request without an answer shows an error and triggers a server check', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.online') })).toBeVisible()
  await mine.route(/\/(trpc|api)\//, (route) => route.abort('connectionrefused'))
  await mine.getByRole('button', { name: t('accounts:check.all') }).click()
  await expect(mine.getByText(t('errors:no_response'))).toBeVisible()
  await expect(mine.locator('#sidebar').getByRole('button', { name: t('shell:api.offline') })).toBeVisible()
})

test('every response has the security headers, nothing violates them or is requested from another origin', async ({ mine, t }) => {
  await mine.addInitScript(
    `window.violations = []; document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))`,
  )
  const origins = new Set<string>()
  mine.on('request', (request) => origins.add(new URL(request.url()).origin))
  const response = await mine.goto('/domains')
  const headers = response?.headers() ?? {}
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  await expect(mine.getByRole('main')).toBeVisible()
  expect([...origins]).toEqual([new URL(mine.url()).origin])
  await mine.getByRole('button', { name: t('domains:add.button') }).click()
  await expect(mine.getByRole('dialog')).toBeVisible()
  expect(await mine.evaluate('violations')).toEqual([])
})
