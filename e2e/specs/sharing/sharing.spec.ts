import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 40, accounts: 2 }, accounts: 2 })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const created = z.object({ group: z.object({ id: z.uuid() }) })
const zones = z.object({ data: z.array(z.object({ id: z.uuid(), displayName: z.string() })) })
const dialogOf = (page: Page) => page.getByRole('dialog')

/** A group with three domains, and its name. */
async function createGroup(name: string) {
  const { group } = await call('POST', '/groups', created, { name })
  const { data } = await call('GET', '/zones/live?limit=3', zones)
  await call('POST', `/groups/${group.id}/zones`, z.unknown(), { zoneIds: data.map(({ id }) => id) })
  return { ...group, domains: data }
}

for (const language of ['ru', 'en'] as const) {
  test(`R-PRM-02 in ${language} a group is shared, changed and taken back in its dialog, and its list says so`, async ({ mine }) => {
    const t = texts(language)
    const name = `Team ${language}`
    await createGroup(name)
    const guest = await register(`Guest${language}`)
    await mine.addInitScript((chosen) => localStorage.setItem('zonedeck.language', chosen), language)
    await mine.goto('/groups')
    await mine.getByRole('button', { name: t('groups:actions.label', { group: name }) }).click()
    await mine.getByRole('menuitem', { name: t('groups:actions.share') }).click()
    const dialog = dialogOf(mine)
    await expect(dialog.getByText(t('sharing:nobody'))).toBeVisible()
    const who = dialog.getByRole('textbox', { name: t('sharing:user') })
    await dialog.getByRole('button', { name: t('sharing:give') }).click()
    await expect(dialog.getByText(t('validation:required'))).toBeVisible()
    await who.fill('nobody-here')
    await mine.keyboard.press('Enter')
    await expect(dialog.getByText(t('validation:unknown_user'))).toBeVisible()
    await who.fill(guest.user.email.toUpperCase())
    await mine.keyboard.press('Enter')
    const person = dialog.getByRole('region', { name: t('sharing:people') }).getByRole('listitem')
    await expect(person).toContainText(`Guest${language}`)
    await expect(who).toHaveValue('')
    const level = dialog.getByRole('combobox', { name: t('sharing:level_of', { name: `Guest${language}` }) })
    await expect(level).toHaveValue(t('common:shared.level.view'))
    await level.click()
    await mine.getByRole('option', { name: t('common:shared.level.manage') }).click()
    await expect(level).toHaveValue(t('common:shared.level.manage'))
    await expect(level).toBeEnabled()
    await mine.evaluate(axe)
    await expect(mine.getByRole('listbox')).toHaveCount(0)
    await expect.poll(() => mine.evaluate(() => document.getAnimations().some((moving) => moving instanceof CSSTransition))).toBe(false)
    const found = await mine.evaluate<{ violations: { id: string; impact: string | null }[] }>(
      `axe.run('[role=dialog]', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] })`,
    )
    expect(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([])
    await mine.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    const card = mine
      .getByRole('list', { name: t('groups:title') })
      .getByRole('listitem')
      .filter({ hasText: name })
    await expect(card.getByRole('img', { name: t('common:shared.with', { count: 1, formatted: '1' }) })).toBeVisible()
    await mine.getByRole('button', { name: t('groups:actions.label', { group: name }) }).click()
    await mine.getByRole('menuitem', { name: t('groups:actions.share') }).click()
    await dialog.getByRole('button', { name: t('sharing:take', { name: `Guest${language}` }) }).click()
    await expect(dialog.getByText(t('sharing:nobody'))).toBeVisible()
  })
}

test('R-PRM-02 what is shared appears at once to whom it is shared with, marked, and goes when it is taken away', async ({ page, t }) => {
  const group = await createGroup('Shared')
  const guest = await register('Visitor')
  await signIn(page, guest)
  const live = page.waitForResponse((response) => response.url().includes('live.events'))
  await page.goto('/domains')
  await live
  await expect(page.getByText(group.domains[0]?.displayName ?? '')).toBeHidden()
  const { share } = await call('POST', '/shares', z.object({ share: z.object({ id: z.uuid() }) }), {
    groupId: group.id,
    user: guest.user.username,
    level: 'view',
  })
  const row = page.getByRole('row').filter({ hasText: group.domains[0]?.displayName ?? '' })
  await expect(row).toBeVisible()
  const by = t('common:shared.by', { name: deck().owner?.user.name ?? '', level: t('common:shared.level.view') })
  await expect(row.getByRole('img', { name: by })).toBeVisible()
  await page.goto('/groups')
  await page.getByRole('button', { name: t('groups:actions.label', { group: 'Shared' }) }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.goto('/domains?whose=own')
  await expect(page.getByRole('row').filter({ hasText: group.domains[0]?.displayName ?? '' })).toBeHidden()
  await page.goto('/domains?whose=shared')
  await expect(row).toBeVisible()
  await call('DELETE', `/shares/${share.id}`, z.unknown())
  await expect(row).toBeHidden()
})

test('R-PRM-02 an account is shared without its secrets', async ({ mine, page, t }) => {
  const { accounts } = await call('GET', '/accounts', z.object({ accounts: z.array(z.object({ id: z.uuid(), email: z.string() })) }))
  const [account] = accounts
  if (account === undefined) throw new Error('no account')
  await mine.goto('/accounts')
  await mine.getByRole('row').filter({ hasText: account.email }).hover()
  await mine.getByRole('button', { name: `${t('accounts:actions.label')} ${account.email}` }).click()
  await mine.getByRole('menuitem', { name: t('accounts:actions.share') }).click()
  await expect(dialogOf(mine).getByText(t('sharing:nobody'))).toBeVisible()
  const guest = await register('Keeper')
  await call('POST', '/shares', z.unknown(), { accountId: account.id, user: guest.user.username, level: 'manage' })
  // It is told to whoever looks.
  await expect(dialogOf(mine).getByRole('listitem')).toContainText('Keeper')
  await page.evaluate((stored) => localStorage.setItem('zonedeck.auth', stored), JSON.stringify({ ...guest, isAuthenticated: true }))
  await page.goto('/accounts')
  await page.getByRole('row').filter({ hasText: account.email }).hover()
  await page.getByRole('button', { name: `${t('accounts:actions.label')} ${account.email}` }).click()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.edit') })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.login') })).toBeHidden()
  await expect(page.getByRole('menuitem', { name: t('accounts:actions.delete') })).toBeHidden()
})
