import { expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 10, accounts: 1 }, accounts: 1 })

test('the settings fit a phone', async ({ mine, t }) => {
  for (const [tab, text] of [
    ['', t('settings:retention.name')],
    ['?tab=security', t('settings:sessions.name')],
    ['?tab=system', t('settings:fresh.title')],
  ] as const) {
    await mine.goto(`/settings${tab}`)
    await expect(mine.getByText(text).first()).toBeVisible()
    expect(await mine.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await expect(mine.getByRole('list', { name: t('settings:fresh.title') }).getByRole('listitem')).toHaveCount(1)
})
