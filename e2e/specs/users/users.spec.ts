import type { Page } from 'playwright/test'
import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { texts } from '../../texts.ts'
import { failUntilRetry } from '../../fail-until-retry.ts'
import { call, deck, expect, hearing, password, register, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 60, accounts: 3 }, accounts: 2 })

const created = z.object({ user: z.object({ id: z.uuid() }) })
const counted = z.object({ user: z.object({ domainsCount: z.int() }) })
const session = z.object({ token: z.string() })
const dialogOf = (page: Page) => page.getByRole('dialog')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const people = (count: number) => ({ count, formatted: String(count) })
const add = (name: string, more: object = {}) =>
  call('POST', '/users', created, { username: name, email: `${name}@example.com`, password, role: 'user', ...more })
const signInAs = (email: string, secret = password) => call('POST', '/auth/login', session, { email, password: secret })

test('R-USR-02 in Russian a user is added, found, edited and deleted with the labels of the page', async ({ mine, t }) => {
  const name = 'made'
  await mine.goto('/users')
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('users:add'), exact: true })
    .click()
  const dialog = dialogOf(mine)
  await dialog.getByRole('button', { name: t('users:form.create') }).click()
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(3)
  await dialog.getByRole('textbox', { name: t('users:form.username') }).fill('OWNER')
  await dialog.getByRole('textbox', { name: t('users:form.email') }).fill(`${name}@example.com`)
  await dialog.getByLabel(t('users:form.password'), { exact: false }).first().fill(password)
  await dialog.getByRole('button', { name: t('users:form.create') }).click()
  await expect(dialog.getByText(t('validation:username_taken'))).toBeVisible()
  await dialog.getByRole('textbox', { name: t('users:form.username') }).fill(name)
  await mine.keyboard.press('Enter')
  await expect(mine.getByText(t('users:done.created'))).toBeVisible()
  await expect(dialog).toBeHidden()

  await mine.getByRole('searchbox', { name: t('users:search') }).fill(name.toUpperCase())
  await expect(row(mine, name)).toBeVisible()
  await expect(row(mine, 'owner@example.com')).toHaveCount(0)
  // A role change ends existing sessions (R-PRM-01).
  const before = await signInAs(`${name}@example.com`)
  await row(mine, name).getByText(`${name}@example.com`).click()
  await dialog.getByRole('combobox', { name: t('users:form.role') }).click()
  await mine.getByRole('option', { name: t('users:role.admin') }).click()
  await expect(dialog.getByText(t('users:form.role_changes'))).toBeVisible()
  await dialog.getByRole('button', { name: t('users:form.save') }).click()
  await expect(row(mine, name)).toContainText(t('users:role.admin'))
  await expect(call('GET', '/auth/me', z.unknown(), undefined, before.token)).rejects.toThrow('401')

  await row(mine, name).hover()
  await mine.getByRole('button', { name: t('users:actions.label', { user: name }) }).click()
  await mine.getByRole('menuitem', { name: t('users:actions.delete') }).click()
  await expect(dialog).toContainText(t('users:delete.nothing'))
  await dialog.getByRole('button', { name: t('users:delete.confirm', people(1)) }).click()
  await expect(mine.getByText(t('users:delete.done', people(1)))).toBeVisible()
  await expect(mine.getByText(t('common:filters.none'))).toBeVisible()
})

test('R-USR-01 R-PRM-03 bulk deletion lists what is deleted with each user and never includes the current user', async ({ mine, t }) => {
  const { user } = await add('rich')
  await add('poor')
  const { token } = await signInAs('rich@example.com')
  const [account] = deck().credentials
  if (account === undefined) throw new Error('no account in the world')
  const domains = [...deck().cloudflare.state.zonesById.values()].filter((zone) => zone.account.id === account.accountId).length
  expect(domains).toBeGreaterThan(10)
  await call('POST', '/accounts', z.unknown(), { email: account.email, apiKey: account.globalKey }, token)
  await call('POST', '/groups', z.unknown(), { name: 'Shops' }, token)
  await expect.poll(async () => (await call('GET', `/users/${user.id}`, counted)).user.domainsCount).toBe(domains)
  await mine.goto('/users')
  await expect(row(mine, 'owner@example.com')).toContainText(t('users:you'))
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).check()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('users:actions.delete') })
    .click()
  const dialog = dialogOf(mine)
  const words = [t('users:owned.accounts', people(1)), t('users:owned.domains', people(domains)), t('users:owned.groups', people(1))]
  for (const text of words) await expect(dialog.getByRole('listitem').filter({ hasText: 'rich' })).toContainText(text)
  await expect(dialog.getByRole('listitem').filter({ hasText: 'poor' })).toContainText(t('users:delete.nothing'))
  await expect(dialog.getByRole('listitem').filter({ hasText: 'owner' })).toHaveCount(0)
  await expect(dialog).toContainText(t('users:delete.staying'))
  // More than ten objects are deleted, so a word must be typed.
  await dialog.getByRole('textbox').fill(t('common:confirm.word'))
  await dialog.getByRole('button', { name: t('users:delete.confirm', people(2)) }).click()
  await expect(row(mine, '@example.com')).toHaveCount(1)
  await expect(row(mine, 'owner@example.com')).toBeVisible()
  await expect(call('GET', '/auth/me', z.unknown(), undefined, token)).rejects.toThrow('401')
})

for (const language of ['ru', 'en'] as const) {
  test(`a disabled user loses access, sees the reason at sign-in, and is enabled again, in ${language}`, async ({ mine, browser }) => {
    const t = texts(language)
    const name = `leaver-${language}`
    await mine.addInitScript((value) => localStorage.setItem('zonedeck.language', value), language)
    await add(name)
    const { token } = await signInAs(`${name}@example.com`)
    await call('POST', '/tokens', z.unknown(), { name: 'ci', scope: 'read' }, token)
    await mine.goto('/users')
    const act = async (action: 'disable' | 'enable') => {
      await row(mine, name).hover()
      await mine.getByRole('button', { name: t('users:actions.label', { user: name }) }).click()
      await mine.getByRole('menuitem', { name: t(`users:actions.${action}`), exact: true }).click()
    }
    await act('disable')
    const dialog = dialogOf(mine)
    await expect(dialog).toContainText(t('users:disable.ends_sessions', people(1)))
    await expect(dialog).toContainText(t('users:disable.ends_tokens', people(1)))
    await mine.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await act('disable')
    await dialog.getByRole('button', { name: t('users:disable.confirm') }).click()
    await expect(mine.getByText(t('users:done.disabled'))).toBeVisible()
    await expect(row(mine, name)).toContainText(t('users:state.disabled'))
    await expect(call('GET', '/auth/me', z.unknown(), undefined, token)).rejects.toThrow('401')

    const elsewhere = await browser.newContext({ locale: language === 'ru' ? 'ru-RU' : 'en-GB' })
    const page = await elsewhere.newPage()
    await page.goto(`${deck().panel.url}/login`)
    await page.getByLabel(t('auth:email')).fill(`${name}@example.com`)
    await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: t('auth:sign_in.submit'), exact: true }).click()
    await expect(page.getByRole('alert')).toContainText(t('errors:codes.user_disabled'))

    await mine.goto('/users?state=disabled')
    await expect(row(mine, '@example.com')).toHaveCount(1)
    await act('enable')
    await expect(mine.getByText(t('users:done.enabled'))).toBeVisible()
    await expect(mine.getByText(t('common:filters.none'))).toBeVisible()
    await page.getByRole('button', { name: t('auth:sign_in.submit'), exact: true }).click()
    await expect(page).toHaveURL(/\/domains$/)
    await elsewhere.close()
  })
}

test('R-USR-02 a forgotten password is reset with a link that works once', async ({ mine, t, browser }) => {
  await add('forgetful')
  await mine.goto('/users')
  await row(mine, 'forgetful').hover()
  await mine.getByRole('button', { name: t('users:actions.label', { user: 'forgetful' }) }).click()
  await mine.getByRole('menuitem', { name: t('users:actions.password') }).click()
  const dialog = dialogOf(mine)
  await dialog.getByRole('button', { name: t('users:reset.submit') }).click()
  await dialog.getByRole('button', { name: `${t('common:show')}: ${t('users:reset.link')}` }).click()
  const link = await dialog.getByText('/reset-password#').innerText()
  expect(link).toContain(deck().panel.url)
  // Nothing has changed yet.
  expect((await signInAs('forgetful@example.com')).token).not.toBe('')

  const elsewhere = await browser.newContext({ locale: 'ru-RU' })
  const page = await elsewhere.newPage()
  await page.goto(link)
  await page.getByRole('textbox', { name: t('reset:password'), exact: true }).fill('brand new 1')
  await page.getByRole('textbox', { name: t('reset:password_again') }).fill('brand new 2')
  await page.getByRole('button', { name: t('reset:submit') }).click()
  await expect(page.getByText(t('validation:passwords_do_not_match'))).toBeVisible()
  await page.getByRole('textbox', { name: t('reset:password_again') }).fill('brand new 1')
  await page.getByRole('button', { name: t('reset:submit') }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText(t('reset:done'))).toBeVisible()
  await expect(signInAs('forgetful@example.com')).rejects.toThrow('401')
  expect((await signInAs('forgetful@example.com', 'brand new 1')).token).not.toBe('')

  // A used link says so immediately when it is opened again.
  await page.goto(link)
  await expect(page.getByText(t('reset:dead'))).toBeVisible()
  await elsewhere.close()
})

test('an edit that conflicts with another edit is rejected and shows the other version on request', async ({ mine, t }) => {
  const { user } = await add('contested')
  await mine.goto('/users')
  await row(mine, 'contested').getByText('contested@example.com').click()
  const dialog = dialogOf(mine)
  const name = dialog.getByRole('textbox', { name: t('users:form.name'), exact: true })
  await name.fill('Mine')
  await call('PATCH', `/users/${user.id}`, z.unknown(), { name: 'Theirs' })
  await dialog.getByRole('button', { name: t('users:form.save') }).click()
  await expect(dialog).toContainText(t('users:form.outdated'))
  await expect(name).toHaveValue('Mine')
  await dialog.getByRole('button', { name: t('users:form.take_theirs') }).click()
  await expect(name).toHaveValue('Theirs')
  await name.fill('Mine after all')
  await dialog.getByRole('button', { name: t('users:form.save') }).click()
  await expect(row(mine, 'contested')).toContainText('Mine after all')
})

test('R-USR-01 another administrator’s changes appear without a reload, and unsaved input is kept', async ({ mine, t }) => {
  const live = hearing(mine)
  await mine.goto('/users')
  await live
  await expect(row(mine, 'owner@example.com')).toBeVisible()
  const { user } = await add('arriving')
  await row(mine, 'arriving').getByText('arriving@example.com').click()
  const name = dialogOf(mine).getByRole('textbox', { name: t('users:form.name'), exact: true })
  await name.fill('Mine')
  await call('PATCH', `/users/${user.id}`, z.unknown(), { name: 'Theirs' })
  await expect(mine.locator('table, [role=grid], [role=table]').getByText('Theirs')).toBeVisible()
  await expect(name).toHaveValue('Mine')
  await mine.keyboard.press('Escape')
  await call('DELETE', `/users/${user.id}`, z.unknown())
  await expect(row(mine, 'arriving')).toHaveCount(0)
})

test('R-RTE-03 R-PRM-01 a user is redirected to the domains and finds users neither in the sidebar nor in the palette', async ({
  page,
  t,
}) => {
  await signIn(page, await register('Plain'))
  await page.goto('/users')
  await expect(page).toHaveURL(/\/domains/)
  const navigation = page.getByRole('navigation')
  await expect(navigation.getByRole('link', { name: t('shell:nav.groups') })).toBeVisible()
  await expect(navigation.getByRole('link', { name: t('shell:nav.users') })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.getByPlaceholder(t('shell:palette.placeholder')).fill(t('shell:nav.users'))
  await expect(palette.getByText(t('shell:palette.empty'))).toBeVisible()
})

test('R-PRM-01 an administrator opens users from the sidebar, the palette and by keyboard', async ({ mine, t }) => {
  await mine.goto('/groups')
  await mine
    .getByRole('navigation')
    .getByRole('link', { name: t('shell:nav.users') })
    .click()
  await expect(mine.getByRole('heading', { level: 1, name: t('users:title') })).toBeVisible()
  await mine.goto('/groups')
  await expect(mine.getByRole('heading', { level: 1, name: t('groups:title') })).toBeVisible()
  // Pressed together: on a slow machine the shortcut would time out between the keys.
  await Promise.all(['g', 'u'].map((key) => mine.keyboard.press(key)))
  await expect(mine).toHaveURL(/\/users/)
})

test('a list that failed to load shows an error and can be retried', async ({ mine, t }) => {
  const retry = await failUntilRetry(mine, /users\.list/)
  await mine.goto('/users')
  await expect(mine.getByText(t('users:failed.load'))).toBeVisible()
  await retry(mine.getByRole('button', { name: t('common:retry') }))
  await expect(row(mine, 'owner@example.com')).toBeVisible()
})

test('axe finds nothing serious on the page and in its dialogs, dark and light', async ({ mine, t }) => {
  const name = 'axe'
  await add(name, { role: 'admin', name: 'Axe' })
  const check = async (where: string) => {
    await expect(mine.getByRole('menu')).toHaveCount(0)
    expect(await axeFindings(mine), where).toEqual([])
  }
  await mine.goto('/users')
  await expect(row(mine, name)).toBeVisible()
  await check('list')
  for (const [action, where] of [
    ['edit', 'form'],
    ['password', 'password'],
    ['delete', 'delete'],
  ] as const) {
    await row(mine, name).hover()
    await mine.getByRole('button', { name: t('users:actions.label', { user: name }) }).click()
    await mine.getByRole('menuitem', { name: t(`users:actions.${action}`) }).click()
    await expect(dialogOf(mine)).toBeVisible()
    await check(where)
    await mine.keyboard.press('Escape')
    await expect(dialogOf(mine)).toBeHidden()
  }
})
