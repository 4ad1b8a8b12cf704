import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, password, register, signIn, test, useDeck } from '../../fixtures.ts'
import type { Session } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 20, accounts: 1 }, accounts: 1 })

const me = z.object({ user: z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string() }) })
const session = z.object({ token: z.string() })
const signInAgain = ({ user }: Session, secret = password) => call('POST', '/auth/login', session, { email: user.email, password: secret })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

for (const language of ['ru', 'en'] as const) {
  test(`a user edits their own profile, and the header shows it immediately, in ${language}`, async ({ page }) => {
    const t = texts(language)
    const who = await register(`Person-${language}`)
    await signIn(page, who)
    await page.addInitScript((value) => {
      if (localStorage.getItem('zonedeck.language') === null) localStorage.setItem('zonedeck.language', value)
    }, language)
    await page.goto('/domains')
    await page.getByRole('button', { name: t('shell:user.menu') }).click()
    await page.getByRole('menuitem', { name: t('shell:user.me') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('me:title') })).toBeVisible()
    const part = section(page, t('me:profile.title'))
    const save = part.getByRole('button', { name: t('me:profile.save') })
    await expect(save).toBeDisabled()
    await part.getByRole('textbox', { name: t('me:profile.name'), exact: true }).fill('Жанна Ёлкина')
    await part.getByRole('textbox', { name: t('me:profile.email') }).fill('owner@example.com')
    await save.click()
    await expect(part.getByText(t('validation:email_taken'))).toBeVisible()
    await part.getByRole('textbox', { name: t('me:profile.email') }).fill(`jeanne-${language}@example.com`)
    await save.click()
    await expect(page.getByText(t('me:profile.saved'))).toBeVisible()
    await page.getByRole('button', { name: t('shell:user.menu') }).click()
    await expect(page.getByText(`jeanne-${language}@example.com`)).toBeVisible()
    expect((await call('GET', '/auth/me', me, undefined, who.token)).user.name).toBe('Жанна Ёлкина')
  })
}

test('language and theme are selected, and the language is stored with the user', async ({ page, t, en }) => {
  const who = await register('Chooser')
  await signIn(page, who)
  await page.goto('/me')
  const part = section(page, t('me:appearance.title'))
  const saved = page.waitForResponse(/me\.update/)
  await part.getByText('English', { exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: en('me:title') })).toBeVisible()
  expect((await saved).ok()).toBe(true)
  await section(page, en('me:appearance.title')).getByText(en('me:appearance.light')).click()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: en('me:title') })).toBeVisible()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  const stored = z.object({ user: z.object({ language: z.string().nullable() }) })
  expect((await call('PATCH', '/auth/me', stored, {}, who.token)).user.language).toBe('en')
})

test('R-I18-02 the language selected in the header is stored with the user, and unsaved input is kept', async ({ page, t, en }) => {
  const who = await register('Switcher')
  await signIn(page, who)
  await page.goto('/me')
  const name = page.getByRole('textbox', { name: t('me:profile.name'), exact: true })
  await name.fill('Half typ')
  const saved = page.waitForResponse(/me\.update/)
  await page.getByRole('banner').getByRole('button', { name: 'English' }).click()
  expect((await saved).ok()).toBe(true)
  const stored = z.object({ user: z.object({ language: z.string().nullable(), name: z.string() }) })
  expect((await call('PATCH', '/auth/me', stored, {}, who.token)).user.language).toBe('en')
  const renamed = page.getByRole('textbox', { name: en('me:profile.name'), exact: true })
  await expect(renamed).toHaveValue('Half typ')
  await renamed.fill('Typed')
  await page.getByRole('button', { name: en('me:profile.save') }).click()
  await expect(page.getByText(en('me:profile.saved'))).toBeVisible()
  expect((await call('PATCH', '/auth/me', stored, {}, who.token)).user.name).toBe('Typed')
})

test('R-AUT-06 a password change ends every other session; this browser stays signed in', async ({ page, t }) => {
  const who = await register('Careful')
  const elsewhere = await signInAgain(who)
  await signIn(page, who)
  await page.goto('/me')
  const part = section(page, t('me:password.title'))
  await part.getByLabel(t('me:password.currentPassword')).fill('not this one')
  await part.getByLabel(t('me:password.password'), { exact: false }).first().fill('another one 1')
  await part.getByLabel(t('me:password.passwordConfirmation')).fill('another one 2')
  await part.getByRole('button', { name: t('me:password.submit') }).click()
  await expect(part.getByText(t('validation:passwords_do_not_match'))).toBeVisible()
  await part.getByLabel(t('me:password.passwordConfirmation')).fill('another one 1')
  await part.getByRole('button', { name: t('me:password.submit') }).click()
  await expect(part.getByText(t('validation:wrong_password'))).toBeVisible()
  await part.getByLabel(t('me:password.currentPassword')).fill(password)
  const listening = page.waitForRequest(
    (request) => /live\.events/.test(request.url()) && !request.headers()['authorization']?.endsWith(who.token),
  )
  await part.getByRole('button', { name: t('me:password.submit') }).click()
  await expect(page.getByText(t('me:password.changed'))).toBeVisible()
  for (const { token } of [who, elsewhere]) await expect(call('GET', '/auth/me', z.unknown(), undefined, token)).rejects.toThrow('401')
  // Change events arrive with the new token, and every page still works.
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.groups') })
    .click()
  await expect(page.getByText(t('groups:empty.title'))).toBeVisible()
  await listening
  await page.reload()
  await expect(page.getByText(t('groups:empty.title'))).toBeVisible()
  await expect(page).toHaveURL(/\/groups/)
})

test('a password change revokes the calendar feed, and API tokens when that is selected', async ({ page, t }) => {
  const who = await register('Suspicious')
  const made = await fetch(`${deck().panel.url}/trpc/registrars.createCalendarFeed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const feed = z.object({ result: z.object({ data: z.object({ path: z.string() }) }) }).parse(await made.json()).result.data
  await call('POST', '/tokens', z.unknown(), { name: 'ci', scope: 'read' }, who.token)
  await signIn(page, who)
  await page.goto('/me')
  const part = section(page, t('me:password.title'))
  const tick = part.getByLabel(t('me:revoke_tokens', { count: 1, formatted: '1' }))
  await expect(tick).toBeHidden()
  await part.getByLabel(t('me:password.currentPassword')).fill(password)
  await part.getByLabel(t('me:password.password'), { exact: false }).first().fill('another one 1')
  await part.getByLabel(t('me:password.passwordConfirmation')).fill('another one 1')
  await tick.check()
  await part.getByRole('button', { name: t('me:password.submit') }).click()
  const said = page.getByText(t('me:password.others_out'))
  await expect(said).toContainText(t('me:feed_ended'))
  await expect(said).toContainText(t('me:tokens_revoked', { count: 1, formatted: '1' }))
  expect((await fetch(`${deck().panel.url}${feed.path}`)).status).toBe(404)
})

test('sessions are listed with address and last use, and are signed out remotely, one or all', async ({ page, t }) => {
  const who = await register('Traveller')
  const others = [await signInAgain(who), await signInAgain(who), await signInAgain(who)]
  await signIn(page, who)
  await page.goto('/me')
  const list = page.getByRole('list', { name: t('me:sessions.title') }).getByRole('listitem')
  await expect(list).toHaveCount(4)
  await expect(list.first()).toContainText(t('me:sessions.here'))
  await expect(list.first()).toContainText('127.0.0.1')
  await expect(list.first().getByRole('button')).toHaveCount(0)
  await list.nth(1).getByRole('button').click()
  await expect(page.getByText(t('me:sessions.ended'))).toBeVisible()
  await expect(list).toHaveCount(3)
  await call('POST', '/tokens', z.unknown(), { name: 'ci', scope: 'read' }, who.token)
  await page.reload()
  await page.getByRole('button', { name: t('me:sessions.end_others') }).click()
  const asking = page.getByRole('dialog', { name: t('me:sessions.others_title') })
  await expect(asking).toContainText(t('me:sessions.others_text', { count: 2, formatted: '2' }))
  await page.keyboard.press('Escape')
  await expect(asking).toBeHidden()
  await expect(list).toHaveCount(3)
  await page.getByRole('button', { name: t('me:sessions.end_others') }).click()
  await asking.getByLabel(t('me:revoke_tokens', { count: 1, formatted: '1' })).check()
  await asking.getByRole('button', { name: t('me:sessions.others_confirm') }).click()
  await expect(page.getByText(t('me:sessions.others_ended', { count: 2, formatted: '2' }))).toBeVisible()
  await expect(page.getByText(t('me:tokens_revoked', { count: 1, formatted: '1' }))).toBeVisible()
  await expect(list).toHaveCount(1)
  await expect(list).toContainText(t('me:sessions.by.password'))
  for (const { token } of others) await expect(call('GET', '/auth/me', z.unknown(), undefined, token)).rejects.toThrow('401')
  await call('GET', '/auth/me', z.unknown(), undefined, who.token)
})

test('a remotely signed out browser is sent to the sign-in page', async ({ page, t }) => {
  const who = await register('Gone')
  const elsewhere = await signInAgain(who)
  await signIn(page, who)
  await page.goto('/me')
  await expect(page.getByRole('heading', { level: 1, name: t('me:title') })).toBeVisible()
  await call('DELETE', '/auth/sessions', z.unknown(), undefined, elsewhere.token)
  await expect(page).toHaveURL(/\/login/)
})

test('a user downloads their own data, without keys', async ({ page, t }) => {
  const who = await register('Leaver')
  await signIn(page, who)
  await page.goto('/me')
  const waiting = page.waitForEvent('download')
  await section(page, t('me:data.title'))
    .getByRole('button', { name: t('me:data.export') })
    .click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe('zonedeck-export.json')
  const exported: unknown = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(exported).toMatchObject({ format: 'zonedeck-export', profile: { name: 'Leaver' }, accounts: [], domains: [] })
})
