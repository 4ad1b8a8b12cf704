import { z } from 'zod'
import { call, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 0, accounts: 1 } })

test('R-LOG-02 on a phone log entries are cards and filters open in a sheet', async ({ mine, t }) => {
  await call('POST', '/groups', z.unknown(), { name: 'A group with quite a long name that has to be cut somewhere on a phone' })
  await mine.goto('/activity-logs')
  const cards = mine.getByRole('list', { name: t('activity:title') }).getByRole('listitem')
  await expect(cards.first()).toContainText('A group with quite')
  expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await mine.getByRole('button', { name: t('common:filters.title') }).click()
  await mine.getByRole('button', { name: t('activity:filters.action'), exact: true }).click()
  await mine.getByRole('option', { name: t('activity:actions.login') }).click()
  await mine.getByRole('button', { name: t('common:filters.apply'), exact: true }).click()
  await expect(cards.first()).toContainText(t('activity:actions.login'))
  await expect(mine.getByText('A group with quite')).toHaveCount(0)
  await cards.first().getByRole('button').click()
  await expect(mine.getByRole('dialog')).toContainText(t('activity:dialog.time'))
})
