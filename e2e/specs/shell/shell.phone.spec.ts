import { expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ accounts: 2 })

test('R-LAY-02 on a phone the sidebar is an overlay with a button', async ({ mine, t }) => {
  await mine.goto('/accounts')
  const link = mine.getByRole('navigation').getByRole('link', { name: t('shell:nav.domains') })
  await expect(link).not.toBeInViewport()
  await mine.getByRole('button', { name: t('shell:sidebar.open') }).click()
  await expect(link).toBeInViewport()
  await link.click()
  await expect(mine).toHaveURL(/\/domains/)
  await expect(link).not.toBeInViewport()
})

for (const language of ['ru', 'en'] as const) {
  for (const path of ['/domains', '/domains?view=grid', '/domains/lookup', '/accounts', '/nowhere']) {
    test(`${path} fits a width of 360 px without horizontal scrolling (${language})`, async ({ mine }) => {
      await mine.addInitScript((value) => localStorage.setItem('zonedeck.language', value), language)
      await mine.setViewportSize({ width: 360, height: 740 })
      await mine.goto(path)
      await expect(mine.getByRole('heading', { level: 1 })).toBeVisible()
      const overflow = await mine.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        const main = document.querySelector('main')
        return [scrollWidth - clientWidth, (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0)]
      })
      expect(overflow).toEqual([0, 0])
    })
  }
}
