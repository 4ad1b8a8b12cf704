import type { Page } from 'playwright/test'
import { z } from 'zod'
import { personLabel } from '#shared/features/users/person-label.ts'
import { axeFindings } from '../../axe.ts'
import { call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 300, accounts: 8 }, accounts: 3 })

const dialogOf = (page: Page) => page.getByRole('dialog')
const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

test('R-ACC-04 a health check reports its progress and its result', async ({ mine, t }) => {
  const [, second] = deck().credentials
  if (second === undefined) throw new Error('no account in the world')
  await mine.goto('/accounts')
  await expect(row(mine, second.email)).toContainText(t('accounts:health.working'))
  deck().cloudflare.faults.add({ userId: second.userId, effect: { kind: 'revoked-key' } })
  await mine.getByRole('button', { name: t('accounts:check.all') }).click()
  await expect(row(mine, second.email)).toContainText(t('accounts:health.auth_error'))
  await expect(mine.getByText(t('accounts:check.problems', { count: 1, formatted: '1' }))).toBeVisible()
  deck().cloudflare.faults.clear()
})

test('R-ACC-03 credentials stay hidden until they are revealed, and can be copied', async ({ mine, context, t }) => {
  const second = deck().credentials[3]
  if (second === undefined) throw new Error('no account in the world')
  const { email, globalKey: apiKey } = second
  await call('POST', '/accounts', z.unknown(), { email, apiKey, password: 'dashboard pass' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await mine.goto('/accounts')
  await row(mine, second.email).hover()
  await mine.getByRole('button', { name: `${t('accounts:actions.label')} ${second.email}` }).click()
  await mine.getByRole('menuitem', { name: t('accounts:actions.login') }).click()
  const dialog = dialogOf(mine)
  await expect(dialog).not.toContainText(second.globalKey)
  await dialog.getByRole('button', { name: t('accounts:login.reveal') }).click()
  const key = t('accounts:form.key')
  await dialog.getByRole('button', { name: `${t('common:show')}: ${key}` }).click()
  await expect(dialog).toContainText(second.globalKey)
  await expect(dialog).not.toContainText('dashboard pass')
  await dialog.getByRole('button', { name: `${t('common:copy')}: ${t('accounts:login.password')}` }).click()
  await expect.poll(() => mine.evaluate(() => navigator.clipboard.readText())).toBe('dashboard pass')
})

test('R-ACC-02 the search narrows the list and is kept in the URL', async ({ mine, t }) => {
  const [first, second] = deck().credentials
  if (first === undefined || second === undefined) throw new Error('no accounts in the world')
  await mine.goto('/accounts')
  await expect(row(mine, first.email)).toBeVisible()
  await mine.getByRole('searchbox', { name: t('accounts:search') }).fill(second.email.toUpperCase())
  await expect(row(mine, first.email)).toBeHidden()
  await expect(row(mine, second.email)).toBeVisible()
  await mine.reload()
  await expect(mine.getByRole('searchbox', { name: t('accounts:search') })).toHaveValue(second.email.toUpperCase())
  await expect(row(mine, second.email)).toBeVisible()
  await expect(row(mine, first.email)).toBeHidden()
})

test('R-ACC-05 deleting an account reports how many domains leave the panel and deletes nothing at Cloudflare', async ({ mine, t }) => {
  const [, , third] = deck().credentials
  if (third === undefined) throw new Error('no account in the world')
  const theirs = [...deck().cloudflare.state.zonesById.values()].filter((zone) => zone.account.id === third.accountId)
  const before = deck().cloudflare.state.zonesById.size
  await mine.goto('/accounts')
  await expect(row(mine, third.email)).toContainText(String(theirs.length))
  await row(mine, third.email).getByRole('checkbox').click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('accounts:actions.delete') })
    .click()
  const dialog = dialogOf(mine)
  await expect(dialog).toContainText(t('accounts:delete.text', { count: theirs.length, formatted: String(theirs.length) }))
  await dialog.getByRole('button', { name: t('accounts:delete.confirm') }).click()
  await expect(row(mine, third.email)).toBeHidden()
  expect(deck().cloudflare.state.zonesById.size).toBe(before)
})

test('R-PRM-02 an administrator sees the owner of each account and filters by owner; a user has no owner filter', async ({ mine, t }) => {
  const own = deck().credentials[0]
  const theirs = deck().credentials.at(-1)
  if (own === undefined || theirs === undefined) throw new Error('no accounts in the world')
  const guest = await register('Neighbor')
  await call('POST', '/accounts', z.unknown(), { email: theirs.email, apiKey: theirs.globalKey }, guest.token)
  await mine.goto('/accounts')
  await expect(row(mine, theirs.email)).toContainText('Neighbor')
  await mine.getByRole('button', { name: t('common:filters.owner'), exact: true }).click()
  await mine.getByRole('option', { name: personLabel(guest.user) }).click()
  await expect(mine).toHaveURL(new RegExp(`owner=${guest.user.id}`))
  await expect(row(mine, own.email)).toHaveCount(0)
  await expect(row(mine, theirs.email)).toBeVisible()

  await signIn(mine, guest)
  await mine.goto('/accounts')
  await expect(row(mine, theirs.email)).toBeVisible()
  await expect(row(mine, own.email)).toHaveCount(0)
  await expect(mine.getByRole('button', { name: t('common:filters.owner'), exact: true })).toHaveCount(0)
})

test('domains that suddenly disappear from an account are kept until a person confirms that they are gone', async ({ mine, t }) => {
  const [first] = deck().credentials
  if (first === undefined) throw new Error('no account in the world')
  const { state } = deck().cloudflare
  const zones = [...state.zonesById.values()].filter(({ account }) => account.id === first.accountId)
  expect(zones.length).toBeGreaterThan(20)
  for (const { id } of zones) state.removeZone(id)
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid(), email: z.string() })) }))
  const id = accounts.find(({ email }) => email === first.email)?.id
  await mine.goto('/accounts')
  await call('POST', `/accounts/${id}/sync`, z.unknown(), {})
  const count = { count: zones.length, formatted: String(zones.length) }
  const banner = mine.getByRole('status').filter({ hasText: first.email })
  await expect(banner).toContainText(t('accounts:missing.title', { ...count, known: count.formatted, name: first.email }))
  await expect(row(mine, first.email)).toContainText(t('accounts:sync.missing', count))
  expect(await axeFindings(mine)).toEqual([])
  await banner.getByRole('button', { name: t('common:missing.gone') }).click()
  await dialogOf(mine).getByRole('textbox').fill(t('common:confirm.word'))
  await dialogOf(mine)
    .getByRole('button', { name: t('common:missing.gone') })
    .click()
  await expect(banner).toBeHidden()
  await expect(row(mine, first.email)).not.toContainText(t('accounts:sync.missing', count))
})
