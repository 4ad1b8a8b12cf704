import type { Page } from 'playwright/test'
import { startCloudflareSimulator } from '#server/simulators/cloudflare/simulator.ts'
import { buildWorld } from '#server/simulators/world.ts'
import { expect, password, test } from '../../fixtures.ts'
import { cloneDatabase, startPanel, temporaryFolder } from '../../panel.ts'
import { texts } from '../../texts.ts'

const en = texts('en')

/** From an empty panel to a filtered list, as a user does it, in English. */
async function walk(page: Page, url: string, world: ReturnType<typeof buildWorld>): Promise<void> {
  const [account] = world.credentials
  if (account === undefined) throw new Error('no account in the world')
  await page.addInitScript(() => localStorage.setItem('zonedeck.language', 'en'))
  await page.goto(url)
  await expect(page.getByText(en('auth:register.first_user'))).toBeVisible()
  await page.getByLabel(en('auth:email')).fill('first@example.com')
  await page.getByLabel(en('auth:password'), { exact: true }).fill(password)
  await page.getByLabel(en('auth:password_confirmation')).fill(password)
  await page.getByRole('button', { name: en('auth:register.submit') }).click()
  await page
    .getByRole('main')
    .getByRole('button', { name: en('domains:empty.add_account') })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(en('accounts:kind.api_token'), { exact: true }).click()
  await dialog.getByLabel(en('accounts:form.email')).first().fill(account.email)
  await dialog.locator('input[name=apiKey]').fill(account.apiToken)
  await dialog.getByRole('button', { name: en('accounts:form.submit') }).click()
  const mine = world.content().zones.filter((zone) => zone.account.id === account.accountId)
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(mine.length + 1))
  const part = mine[0]?.name.slice(0, 5) ?? ''
  await page.getByRole('searchbox').fill(part)
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(mine.filter(({ name }) => name.includes(part)).length + 1))
}

for (const database of ['the bundled PostgreSQL', 'DATABASE_URL'] as const) {
  test(`R-APP-02 a new installation gets from registration to a filtered list on ${database} and keeps everything after a kill`, async ({
    page,
  }) => {
    const world = buildWorld({ zones: 120, accounts: 3, seed: 11, recordsPerZone: 3 })
    const cloudflare = await startCloudflareSimulator({ world, budget: null })
    const folder = await temporaryFolder()
    const clone = database === 'DATABASE_URL' ? await cloneDatabase() : null
    const env = {
      DATA_DIR: folder.path,
      CLOUDFLARE_BASE_URL: cloudflare.url,
      ...(clone === null ? { DATABASE_URL: '' } : { DATABASE_URL: clone.url }),
    }
    let panel = await startPanel(env)
    try {
      await walk(page, panel.url, world)
      const stored = await page.evaluate(() => localStorage.getItem('zonedeck.auth') ?? '')
      panel.process.kill('SIGKILL')
      panel = await startPanel(env)
      await page.addInitScript((value) => localStorage.setItem('zonedeck.auth', value), stored)
      await page.goto(`${panel.url}/domains`)
      const mine = world.content().zones.filter((zone) => zone.account.id === world.credentials[0]?.accountId)
      await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(mine.length + 1))
    } finally {
      // Later scripts of the page would come from a server that is about to be killed.
      await page.close()
      await panel.stop()
      await cloudflare.close()
      await clone?.drop()
      await folder.remove()
    }
  })
}
