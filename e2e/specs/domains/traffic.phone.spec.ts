import { z } from 'zod'
import { call, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ accounts: 1, world: { zones: 20, accounts: 1 } })

const totals = z.object({ totals: z.array(z.object({ domains: z.number() })) })

test('on a phone the traffic of groups and accounts is cards, and nothing scrolls sideways at 360 px', async ({ mine, t }) => {
  test.setTimeout(300_000)
  await expect.poll(async () => (await call('GET', '/traffic/totals?by=account', totals)).totals.length, { timeout: 120_000 }).toBe(1)
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto('/domains/traffic?by=account')
  const card = mine.getByRole('link').filter({ hasText: '4xx' })
  await expect(card).toHaveCount(1)
  expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  await mine.getByText(t('traffic:period.week'), { exact: true }).tap()
  await expect(mine).toHaveURL(/period=week/)
  await card.tap()
  await expect(mine).toHaveURL(/\/domains\?.*sort=-requests/)
})
