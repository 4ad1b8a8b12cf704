import { z } from 'zod'
import { call, expect, password, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 0, accounts: 1 } })

test('R-USR-02 on a phone users are cards, and a long name is truncated', async ({ mine, t }) => {
  const fields = { password, role: 'user' }
  await call('POST', '/users', z.unknown(), {
    ...fields,
    username: 'x'.repeat(64),
    name: 'y'.repeat(100),
    email: `${'z'.repeat(60)}@example.com`,
  })
  await mine.goto('/users')
  const cards = mine.getByRole('list', { name: t('users:title') }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await cards
    .filter({ hasText: 'xxx' })
    .getByRole('button', { name: t('users:actions.label', { user: 'x'.repeat(64) }) })
    .tap()
  await mine.getByRole('menuitem', { name: t('users:actions.edit') }).tap()
  await mine
    .getByRole('dialog')
    .getByRole('textbox', { name: t('users:form.username') })
    .fill('short')
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('users:form.save') })
    .tap()
  await expect(cards.filter({ hasText: 'short' })).toBeVisible()
})

test('the profile page fits a phone', async ({ mine, t }) => {
  await mine.goto('/me')
  await expect(mine.getByRole('list', { name: t('me:sessions.title') }).getByRole('listitem')).toHaveCount(1)
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
