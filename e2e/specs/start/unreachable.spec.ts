import { deck, expect, signIn, test, useDeck } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 20, accounts: 1 } })

test('R-ERR-01 while Cloudflare is unreachable the start page, the accounts and the domains say so, and a button retries', async ({
  page,
}) => {
  const t = texts('ru')
  const { owner, panel, cloudflare, credentials } = deck()
  const [credential] = credentials
  if (owner === null || credential === undefined) throw new Error('nobody has registered')
  const heal = cloudflare.faults.add({ effect: { kind: 'reset' } })
  await signIn(page, owner)
  await page.goto(`${panel.url}/accounts`)
  await page
    .getByRole('main')
    .getByRole('button', { name: t('accounts:empty.action') })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('accounts:form.email')).first().fill(credential.email)
  await dialog.locator('input[name=apiKey]').fill(credential.globalKey)
  const added = page.waitForResponse(/accounts\.add/)
  await dialog.getByRole('button', { name: t('accounts:form.submit') }).click()
  await added
  const main = page.getByRole('main')
  for (const path of ['/accounts', '/welcome', '/domains']) {
    await page.goto(`${panel.url}${path}`)
    await expect(main.getByText(t('common:unreachable.title'))).toBeVisible()
    await expect(main.getByText(t('common:unreachable.reason', { reason: 'ECONNRESET' }))).toBeVisible()
    await expect(main.getByText(t('welcome:step_done'), { exact: true })).toHaveCount(0)
  }
  heal()
  await main.getByRole('button', { name: t('common:retry') }).click()
  await expect(main.getByRole('grid')).toHaveAttribute('aria-rowcount', '21')
})
