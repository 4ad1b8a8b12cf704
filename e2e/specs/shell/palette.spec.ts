import { z } from 'zod'
import { call, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 2 })

const names = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })

test('R-PAL-01 R-PAL-03 the palette opens by keyboard, wraps around, runs with Enter and closes with Escape', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await expect(mine.getByRole('heading', { level: 1, name: t('accounts:title') })).toBeVisible()
  await mine.keyboard.press('Control+k')
  const search = mine.getByPlaceholder(t('shell:palette.placeholder'))
  await expect(search).toBeFocused()
  const items = mine.getByRole('dialog').locator('button[data-action]')
  await expect(items.first()).toBeVisible()
  const count = await items.count()
  expect(count).toBeGreaterThanOrEqual(3)

  await mine.keyboard.press('ArrowUp')
  await expect(items.nth(count - 1)).toHaveAttribute('data-selected', 'true')
  await mine.keyboard.press('ArrowDown')
  await expect(items.first()).toHaveAttribute('data-selected', 'true')
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(/\/domains/)

  await mine.keyboard.press('Control+k')
  await expect(search).toBeFocused()
  await search.fill('такого точно нет')
  await expect(mine.getByRole('dialog').getByText(t('shell:palette.empty'))).toBeVisible()
  await mine.keyboard.press('Escape')
  await expect(search).toBeHidden()
})

test('R-PAL-01 an action of the palette opens its dialog', async ({ mine, t }) => {
  await mine.goto('/domains')
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await mine.keyboard.press('Control+k')
  await mine.getByPlaceholder(t('shell:palette.placeholder')).fill(t('shell:quick_add.account'))
  await mine.keyboard.press('Enter')
  await expect(mine.getByRole('dialog', { name: t('accounts:form.add_title') })).toBeVisible()
})

test('R-PAL-01 the palette finds actions and pages by other words for them, in any order', async ({ mine, t }) => {
  await mine.goto('/accounts')
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await mine.keyboard.press('Control+k')
  const items = mine.getByRole('dialog').locator('button[data-action]')
  for (const [typed, found] of [
    ['добавить домены', t('shell:quick_add.domain')],
    ['аккаунт добавить', t('shell:quick_add.account')],
    ['купить', t('shell:nav.register_domains')],
    ['истекают', t('shell:within.renewals')],
  ] as const) {
    await mine.getByPlaceholder(t('shell:palette.placeholder')).fill(typed)
    await expect(items.filter({ hasText: found })).toHaveCount(1)
  }
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(/\/registrars\/renewals$/)
})

test('R-PAL-02 the palette finds at most five domains by a part of the name and opens one', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live?limit=1000', names)
  const wanted = data.at(-1)
  if (wanted === undefined) throw new Error('no domains')
  await mine.goto('/accounts')
  await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
  await mine.keyboard.press('Control+k')
  const search = mine.getByPlaceholder(t('shell:palette.placeholder'))
  await search.fill('.com')
  const items = mine.getByRole('dialog').locator('button[data-action]')
  await expect(items).toHaveCount(5)
  await search.fill(wanted.name.slice(1))
  await expect(items).toHaveCount(1)
  await expect(items.filter({ hasText: wanted.name })).toHaveAttribute('data-selected', 'true')
  await mine.keyboard.press('Enter')
  await expect(mine).toHaveURL(new RegExp(`/domains/${wanted.id}$`))
})
