import { z } from 'zod'
import { call, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid() })) })

test('R-DET-01 on a phone a domain is one column with quick actions first, and nothing scrolls sideways at 360 px', async ({ mine, t }) => {
  const [domain] = (await call('GET', '/zones/live?limit=1&status=active', zones)).data
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto(`/domains/${domain?.id ?? ''}`)
  await expect(mine.getByRole('region', { name: t('zone:certificates.title') })).toContainText(t('domains:details.on'))
  await expect(mine.getByRole('region').first()).toHaveAccessibleName(t('zone:actions.title'))
  expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  await mine.getByRole('button', { name: t('zone:actions.change_ip') }).tap()
  await expect(mine.getByRole('dialog')).toBeVisible()
  expect(await mine.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
})
