import type { Page } from 'playwright/test'
import { deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 400, accounts: 8 } })

const dialogOf = (page: Page) => page.getByRole('dialog')
const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

test('R-ACC-01 R-ACC-07 an added account and its domains appear without another click', async ({ mine, t }) => {
  const [first] = deck().credentials
  if (first === undefined) throw new Error('no account in the world')
  await mine.goto('/domains')
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('domains:empty.add_account') })
    .click()
  const dialog = dialogOf(mine)
  await dialog.getByRole('button', { name: t('accounts:form.submit') }).click()
  await expect(dialog.getByText(t('validation:required'))).toHaveCount(2)

  await dialog.getByLabel(t('accounts:form.email'), { exact: false }).first().fill(first.email)
  await dialog.getByLabel(t('accounts:form.key')).fill('0000000000000000000000000000000000000')
  await dialog.getByRole('button', { name: t('accounts:form.submit') }).click()
  await expect(dialog.getByText(t('accounts:failed.sign_in'))).toBeVisible()

  await dialog.getByLabel(t('accounts:form.key')).fill(first.globalKey)
  await dialog.getByRole('button', { name: t('accounts:form.submit') }).click()
  await expect(dialog).toBeHidden()
  const grid = mine.getByRole('grid', { name: t('domains:title') })
  await expect(grid.getByRole('row').nth(3)).toBeVisible()
  const zones = [...deck().cloudflare.state.zonesById.values()].filter((zone) => zone.account.id === first.accountId)
  await expect(grid).toHaveAttribute('aria-rowcount', String(zones.length + 1))
})

test('R-ACC-02 invalid lines are reported by number, and the valid ones are added on request', async ({ mine, t }) => {
  const [, second, third] = deck().credentials
  if (second === undefined || third === undefined) throw new Error('no accounts in the world')
  await mine.goto('/accounts')
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('accounts:add'), exact: true })
    .click()
  const dialog = dialogOf(mine)
  await dialog.getByText(t('accounts:form.many'), { exact: true }).click()
  await dialog.getByRole('button', { name: t('accounts:form.submit') }).click()
  await expect(dialog.getByText(t('accounts:bulk.empty'))).toBeVisible()

  const field = dialog.getByLabel(t('accounts:bulk.label'))
  const lines = [
    `${second.email};secret;${second.globalKey}`,
    'no separator at all',
    `${third.email}:${third.globalKey}`,
    'not-an-email:abcdef',
  ]
  await field.fill(lines.join('\n'))
  await expect(dialog.getByText(t('accounts:bulk.help'))).toBeVisible()
  const faults = dialog.getByRole('listitem')
  await expect(faults).toHaveCount(2)
  await expect(faults.nth(0)).toContainText(`2${t('faults:invalid_line_format')}`)
  await expect(faults.nth(1)).toContainText(`4${t('validation:invalid_email')}`)
  await dialog.getByLabel(t('accounts:bulk.skip')).check()
  await dialog.getByRole('button', { name: t('accounts:bulk.submit', { count: 2, formatted: '2' }) }).click()
  await expect(row(mine, second.email)).toBeVisible()
  await expect(row(mine, third.email)).toBeVisible()
  await expect(field).toHaveValue(`${lines[1] ?? ''}\n${lines[3] ?? ''}`)

  // Thousands of pasted lines are validated immediately, and the existing text stays.
  const more = Array.from({ length: 5_000 }, (_, index) =>
    index % 10 === 0 ? `no separator ${index}` : `user${index}@example.com:0123456789abcdef0123456789abcdef01234`,
  )
  await field.press('ControlOrMeta+End')
  await mine.keyboard.insertText(['', ...more].join('\n'))
  await expect(field).toHaveValue([lines[1], lines[3], ...more].join('\n'))
  await expect(dialog.getByText(t('accounts:bulk.faulty', { count: 502, formatted: '502' }), { exact: false })).toBeVisible()
})
