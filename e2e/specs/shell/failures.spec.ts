import type { Page } from 'playwright/test'
import { expect, password, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 6, accounts: 1 } })

type Texts = Parameters<Parameters<typeof test>[2]>[0]['t']

/** Makes the server fail these calls, but no others of their batch. */
async function breakDown(page: Page, calls: RegExp): Promise<void> {
  const namesOf = ({ pathname }: URL) => pathname.slice('/trpc/'.length).split(',')
  const data = { code: 'internal', httpStatus: 500, retryable: false, params: {}, requestId: 'lost' }
  const fault = { error: { message: 'internal', code: -32603, data } }
  await page.route(
    (url) => url.pathname.startsWith('/trpc/') && namesOf(url).some((name) => calls.test(name)),
    async (route) => {
      const url = new URL(route.request().url())
      if (!url.searchParams.has('batch')) return route.fulfill({ status: 500, json: fault })
      const answers: unknown = await (await route.fetch()).json()
      const json = namesOf(url).map((name, at): unknown => (calls.test(name) || !Array.isArray(answers) ? fault : answers[at]))
      return route.fulfill({ status: 207, json })
    },
  )
}

const fields = (page: Page, t: Texts) => ({
  email: page.getByLabel(t('auth:email')),
  password: page.getByLabel(t('auth:password'), { exact: true }),
})

test('R-ERR-01 a server error on sign-in and registration names the failed action', async ({ page, t }) => {
  await breakDown(page, /auth\.(login|register)$/)
  await page.goto('/login')
  await fields(page, t).email.fill('anna@example.com')
  await fields(page, t).password.fill(password)
  await page.getByRole('button', { name: t('auth:sign_in.submit') }).click()
  await expect(page.getByRole('alert')).toContainText(t('auth:sign_in.failed'))
  await expect(page.getByRole('alert')).toContainText(t('errors:codes.internal'))

  await page.getByRole('button', { name: t('auth:sign_in.switch_action') }).click()
  await fields(page, t).email.fill('anna@example.com')
  await fields(page, t).password.fill(password)
  await page.getByLabel(t('auth:password_confirmation')).fill(password)
  await page.getByRole('button', { name: t('auth:register.submit') }).click()
  await expect(page.getByRole('alert')).toContainText(t('auth:register.failed'))
})

test('R-ERR-01 a load failure names what could not be loaded', async ({ mine, t }) => {
  await breakDown(mine, /(accounts|groups|users)\.list|settings\.(get|system)$/)
  for (const [path, title] of [
    ['/accounts', t('accounts:failed.load')],
    ['/groups', t('groups:failed.load')],
    ['/users', t('users:failed.load')],
    ['/settings', t('settings:failed.load')],
  ] as const) {
    await mine.goto(path)
    await expect(mine.getByRole('main').getByText(title)).toBeVisible()
  }
})

test('R-ERR-01 a failed addition names what could not be added', async ({ mine, t }) => {
  await breakDown(mine, /zoneCreation\.create|operations\.previewCreate|users\.create|groups\.create$/)
  await mine.goto('/domains')
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('domains:add.button') })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.locator('[name=domainName]').fill('fresh-name.com')
  await dialog.locator('[name=ipAddress]').fill('192.0.2.7')
  await dialog.getByRole('button', { name: t('domains:add.submit') }).click()
  await expect(dialog.getByRole('alert')).toContainText(t('domains:add.failed'))

  await dialog.getByText(t('domains:add.many'), { exact: true }).click()
  await dialog.getByLabel(t('domains:add.domains')).fill('fresh-name.com')
  await dialog.getByRole('button', { name: t('domains:add.preview') }).click()
  await expect(dialog.getByRole('alert')).toContainText(t('domains:add.failed_many'))

  await mine.goto('/groups')
  await mine.getByRole('button', { name: t('groups:empty.action') }).click()
  await dialog.getByLabel(t('groups:form.name')).fill('Shops')
  await dialog.getByRole('button', { name: t('groups:form.create') }).click()
  await expect(mine.getByText(t('groups:failed.create'))).toBeVisible()
  await expect(dialog.getByRole('alert')).toContainText(t('groups:failed.creating'))
})

test('R-DOM-05 input typed before the accounts have loaded is kept, and so is the focus', async ({ mine, t }) => {
  const read = Promise.withResolvers<void>()
  await mine.route(/zoneCreation\.standings|accounts\.list/, async (route) => {
    await read.promise
    await route.fallback()
  })
  await mine.goto('/domains')
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('domains:add.button') })
    .click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: t('domains:add.submit') })).toBeDisabled()
  const name = dialog.locator('[name=domainName]')
  await name.pressSequentially('fresh-')
  await name.evaluate((field) => field.addEventListener('blur', () => field.setAttribute('data-left', '')))
  read.resolve()
  await expect(dialog.getByText(t('accounts:health.working'))).toBeVisible()
  await mine.keyboard.type('name.com')
  await expect(name).toHaveValue('fresh-name.com')
  await expect(name).toBeFocused()
  await expect(name).not.toHaveAttribute('data-left')
})

test('R-ERR-01 a failed bulk action names the action', async ({ mine, t }) => {
  await breakDown(mine, /operations\.preview$/)
  const bar = mine.getByRole('toolbar')
  const dialog = mine.getByRole('dialog')
  for (const [kind, title] of [
    ['dns_delete', t('operations:failed.dns_delete')],
    ['delete', t('errors:general.bulk_deletion')],
  ] as const) {
    await mine.goto('/domains')
    await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
    await bar.getByRole('button', { name: t(kind === 'delete' ? 'operations:bulk.more' : 'operations:bulk.dns'), exact: true }).click()
    await mine.getByRole('menuitem', { name: t(`operations:bulk.${kind}`), exact: true }).click()
    if (kind === 'dns_delete') {
      await dialog.getByLabel(t('operations:dns.name'), { exact: true }).fill('www')
      await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
    }
    await expect(dialog.getByRole('alert')).toContainText(title)
  }
})
