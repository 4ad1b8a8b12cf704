import { addAccounts, deck, expect, signIn, test, useDeck } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 40, accounts: 2 } })

test('R-ACC-07 the guided start ticks off the account and its domains automatically and leads to the alerts', async ({ page }) => {
  const t = texts('ru')
  const { owner, panel, credentials } = deck()
  if (owner === null) throw new Error('nobody has registered')
  await signIn(page, owner)
  await page.goto(`${panel.url}/domains`)
  await page
    .getByRole('main')
    .getByRole('link', { name: t('domains:empty.welcome') })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('welcome:title') })).toBeVisible()
  const steps = page.getByRole('main').getByRole('listitem')
  await expect(steps).toHaveCount(3)
  await expect(steps.nth(0)).toHaveAttribute('aria-current', 'step')
  await expect(steps.nth(1).getByText(t('welcome:domains.text'))).toBeVisible()
  await addAccounts(credentials.slice(0, 1))
  await expect(steps.nth(2)).toHaveAttribute('aria-current', 'step')
  await expect(steps.nth(0).getByText(t('welcome:step_done'))).toBeAttached()
  await expect(steps.nth(1).getByText(t('welcome:step_done'))).toBeAttached()
  await steps
    .nth(2)
    .getByRole('link', { name: t('welcome:alerts.action') })
    .click()
  await expect(page).toHaveURL(/\/settings\?tab=monitoring$/)
})
