import { deck, expect, password, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ owner: false })

test('R-AUT-02 R-AUT-03 the first person registers, becomes the administrator and lands on the domains', async ({ page, t }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { name: t('auth:register.title') })).toBeVisible()
  await expect(page.getByText(t('auth:register.first_user'))).toBeVisible()

  await page.getByLabel(t('auth:email')).fill('anna@example.com')
  await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
  await page.getByLabel(t('auth:password_confirmation')).fill('something else')
  await page.getByRole('button', { name: t('auth:register.submit') }).click()
  await expect(page.getByText(t('validation:passwords_do_not_match'))).toBeVisible()

  await page.getByLabel(t('auth:name')).fill('Анна')
  await page.getByLabel(t('auth:password_confirmation')).fill(password)
  await page.getByRole('button', { name: t('auth:register.submit') }).click()
  await expect(page).toHaveURL(/\/domains$/)

  await page.getByRole('button', { name: t('shell:user.menu') }).click()
  await expect(page.getByRole('menu')).toContainText('Анна')
  await expect(page.getByRole('menu')).toContainText('anna@example.com')
  await expect(page.getByRole('menu')).toContainText(t('shell:user.admin'))
})

test('R-AUT-03 the first administrator closes registration with one click, and the sign-in page no longer offers it', async ({
  page,
  t,
}) => {
  await page.goto('/login')
  await expect(page.getByText(t('auth:sign_in.switch'))).toBeVisible()
  await page.getByLabel(t('auth:email')).fill('anna@example.com')
  await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('auth:sign_in.submit') }).click()
  await expect(page).toHaveURL(/\/domains$/)
  const notice = page.getByRole('region', { name: t('shell:registration.title') })
  await expect(notice).toBeVisible()
  await page.goto('/welcome')
  await expect(notice).toBeVisible()
  await page.goto('/users')
  await notice.getByRole('button', { name: t('shell:registration.close') }).click()
  await expect(page.getByText(t('shell:registration.closed'))).toBeVisible()
  await expect(notice).toHaveCount(0)
  for (const path of ['/domains', '/welcome']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice).toHaveCount(0)
  }
  await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  await page.goto('/login')
  await expect(page.getByText(t('auth:register.closed'))).toBeVisible()
  await expect(page.getByText(t('auth:sign_in.switch'))).toHaveCount(0)
})

test('R-RTE-02 a visitor signs in and returns to the requested page; R-LAY-05 signing out ends the session', async ({ page, t }) => {
  await page.goto('/accounts')
  await expect(page).toHaveURL(/\/login\?redirect=%2Faccounts$/)
  await page.getByLabel(t('auth:email')).fill('Anna@Example.com')
  await page.getByLabel(t('auth:password'), { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: t('auth:sign_in.submit') }).click()
  await expect(page.getByRole('alert')).toContainText(t('errors:codes.invalid_credentials'))

  await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('auth:sign_in.submit') }).click()
  await expect(page).toHaveURL(/\/accounts$/)

  const stored = await page.evaluate(() => localStorage.getItem('zonedeck.auth'))
  const { token } = JSON.parse(stored ?? '{}') as { token: string }
  await page.getByRole('button', { name: t('shell:user.menu') }).click()
  await page.getByRole('menuitem', { name: t('shell:user.logout') }).click()
  await expect(page).toHaveURL(/\/login$/)
  const after = await fetch(`${deck().panel.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(after.status).toBe(401)
  await page.goto('/domains')
  await expect(page).toHaveURL(/\/login/)
})

test('R-RTE-02 the redirect after sign-in never leads to another origin', async ({ page, t }) => {
  const home = `${deck().panel.url}/domains`
  for (const foreign of ['https://evil.example/x', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const address = `/login?redirect=${encodeURIComponent(foreign)}`
    await page.goto(address)
    await page.getByLabel(t('auth:email')).fill('anna@example.com')
    await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: t('auth:sign_in.submit') }).click()
    await expect(page).toHaveURL(home)
    // The same for a user who is already signed in.
    await page.goto(address)
    await expect(page).toHaveURL(home)
    await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  }
})

test('R-AUT-05 a session that was ended elsewhere leads to the sign-in page', async ({ page, t }) => {
  const user = {
    id: crypto.randomUUID(),
    username: 'x',
    name: null,
    email: 'x@example.com',
    role: 'user' as const,
    createdAt: new Date().toISOString(),
  }
  await signIn(page, { token: 'ended', user })
  await page.goto('/domains')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('button', { name: t('auth:sign_in.submit') })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('zonedeck.auth') ?? '')).not.toContain('ended')
})

// Must be last: its failed attempts come from the IP address of all other tests.
test('R-AUT-06 password guessing locks out unknown browsers but not the browser that the user signs in with', async ({
  page,
  browser,
  t,
}) => {
  await page.goto('/login')
  const signInOn = async (there: typeof page, secret: string) => {
    await there.getByLabel(t('auth:email')).fill('anna@example.com')
    await there.getByLabel(t('auth:password'), { exact: true }).fill(secret)
    await there.getByRole('button', { name: t('auth:sign_in.submit') }).click()
  }
  await signInOn(page, password)
  await expect(page).toHaveURL(/\/domains$/)
  const guess = (n: number) =>
    fetch(`${deck().panel.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'anna@example.com', password: `guess ${n}` }),
    })
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await guess(n)).status)
  expect(statuses.at(-1)).toBe(429)
  const stranger = await browser.newContext({ locale: 'ru-RU' })
  const theirs = await stranger.newPage()
  await theirs.goto(`${deck().panel.url}/login`)
  await signInOn(theirs, password)
  await expect(theirs.getByRole('alert')).toContainText(/15/)
  await stranger.close()

  await page.evaluate(() => localStorage.removeItem('zonedeck.auth'))
  await page.goto('/login')
  await signInOn(page, password)
  await expect(page).toHaveURL(/\/domains$/)
})
