import { z } from 'zod'
import { personLabel } from '#shared/features/users/person-label.ts'
import { call, deck, expect, phone, register, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ accounts: 3 })

test('R-DOM-03 on a phone rows are cards, filters open in a sheet, and nothing scrolls sideways at 360 px', async ({ mine, t }) => {
  await mine.setViewportSize({ width: 360, height: 740 })
  await mine.goto('/domains')
  const cards = mine.getByRole('article')
  await expect(cards.first()).toBeVisible()
  expect(await mine.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await mine.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)

  await mine.getByRole('button', { name: t('common:filters.title') }).tap()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('domains:filters.status') })
    .tap()
  await mine.getByRole('option', { name: t('domains:status.active') }).tap()
  await mine.getByRole('button', { name: t('common:filters.apply') }).tap()
  await expect(mine).toHaveURL(/status=active/)

  await cards.nth(1).getByRole('checkbox').tap()
  await expect(mine.getByRole('toolbar')).toBeVisible()
  await cards.nth(1).getByRole('link').first().tap()
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(mine).toHaveURL(/\/domains\/[\da-f-]{36}$/)
})

test('on a phone a reloaded list stays where it was scrolled', async ({ mine }) => {
  await mine.goto('/domains')
  const cards = mine.getByRole('article')
  await expect(cards.first()).toBeVisible()
  const main = mine.locator('main')
  await main.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        element.addEventListener('scroll', () => resolve(), { once: true })
        element.scrollTo({ top: 300 })
      }),
  )
  await mine.reload()
  await expect(cards.first()).toBeVisible()
  await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(300)
})

test('R-DOM-02 R-PRM-02 on a phone the lookup of a name that two people have shows both owners', async ({ mine, t }) => {
  const guest = await register('Neighbor')
  const [account] = deck().credentials
  if (account === undefined) throw new Error('the world has no account')
  const listed = z.object({ data: z.array(z.object({ name: z.string() })) })
  await call('POST', '/accounts', z.unknown(), { email: account.email, apiKey: account.globalKey }, guest.token)
  const names = async () => (await call('GET', '/zones/live?limit=1', listed, undefined, guest.token)).data
  await expect.poll(async () => (await names()).length).toBe(1)
  const [first] = await names()
  await mine.goto('/domains/lookup')
  await mine.getByRole('textbox', { name: t('domains:lookup.label') }).fill(first?.name ?? '')
  await mine.getByRole('button', { name: t('domains:lookup.check') }).tap()
  const results = mine.getByRole('list', { name: t('domains:lookup.results') }).getByRole('listitem')
  await expect(results).toHaveCount(2)
  await expect(results.filter({ hasText: personLabel(guest.user) })).toHaveCount(1)
  const [one, other] = [await results.nth(0).boundingBox(), await results.nth(1).boundingBox()]
  expect((one?.y ?? 0) + (one?.height ?? 0)).toBeLessThanOrEqual(other?.y ?? 0)
})
