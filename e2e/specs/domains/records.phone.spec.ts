import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { call, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 30, accounts: 2 }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid() })) })
test('R-DNS-01 on a phone records are cards and are added in a dialog; nothing scrolls sideways and axe finds nothing serious, dark and light', async ({
  mine,
  t,
}) => {
  const { data } = await call('GET', '/zones/live?status=active&limit=1', zones)
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto(`/domains/${data[0]?.id}/records`)
  await expect(mine.getByRole('listitem').first()).toContainText('A')
  expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  expect(await axeFindings(mine)).toEqual([])

  await mine.getByRole('button', { name: t('records:add'), exact: true }).tap()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('records:column.name')).fill('added-by-phone')
  await dialog.getByLabel(t('records:column.content')).fill('203.0.113.99')
  expect(await axeFindings(mine)).toEqual([])
  await dialog.getByRole('button', { name: t('records:editor.add_save'), exact: true }).tap()
  await expect(mine.getByText('added-by-phone', { exact: true })).toBeAttached()
})
