import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 4, accounts: 1 } })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })
const groups = z.object({ groups: z.array(z.object({ name: z.string() })) })

test('R-API-02 the API page finds calls, shows examples with real ids and sends them; a write only after it is confirmed', async ({
  mine,
}) => {
  const [zone] = (await call('GET', '/zones/live?limit=1', zones)).data
  await mine.goto('/api/docs')
  const search = mine.getByRole('searchbox', { name: 'Search calls' })
  await search.fill('get zones full')
  const found = mine.locator('details:visible')
  await expect(found).toHaveCount(1)
  await found.locator('summary').click()
  const curl = found.locator('pre[data-lang="curl"]')
  await expect(curl).toContainText(`/api/zones/${zone?.id}/full`)
  await expect(found.locator('pre[data-lang="TypeScript"]')).toContainText(String(zone?.id))
  await found.getByRole('button', { name: 'Send GET' }).click()
  await expect(found.locator('form pre')).toContainText(String(zone?.name))

  await search.fill('post /api/groups create')
  const create = mine.locator('details:visible').first()
  await create.locator('summary').click()
  await create.getByRole('textbox', { name: 'Body' }).fill('{"name":"From the page","color":"#4c6ef5"}')
  mine.once('dialog', (dialog) => void dialog.dismiss())
  await create.getByRole('button', { name: 'Send POST' }).click()
  expect((await call('GET', '/groups', groups)).groups).toEqual([])
  mine.once('dialog', (dialog) => void dialog.accept())
  await create.getByRole('button', { name: 'Send POST' }).click()
  await expect(create.locator('form output')).toContainText(/^20[01]/)
  expect((await call('GET', '/groups', groups)).groups).toMatchObject([{ name: 'From the page' }])

  await search.press('Escape')
  await expect(mine.getByRole('navigation', { name: 'Groups' })).toBeVisible()
})

test('a previewed operation is copied as the calls that prepare and start it', async ({ mine, context, t }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: deck().panel.url })
  await mine.goto('/domains')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.settings') })
    .click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('security:ssl.name')).selectOption('strict')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  await dialog.getByRole('button', { name: t('common:copy_curl') }).click()
  await expect(dialog.getByRole('button', { name: t('common:copied') })).toBeVisible()
  const copied = await mine.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`curl -X POST '${deck().panel.url}/api/operations'`)
  expect(copied).toContain('"ssl":"strict"')
})

test('a previewed zone file is copied as the calls that preview and import it', async ({ mine, context, t }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: deck().panel.url })
  const id = (await call('GET', '/zones/live?limit=1', zones)).data[0]?.id ?? ''
  await mine.goto(`/domains/${id}/records`)
  await mine.getByRole('button', { name: t('records:file.label') }).click()
  await mine.getByRole('menuitem', { name: t('records:file.import') }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('records:import.text')).fill('copied 300 IN TXT "as a call"')
  await dialog.getByRole('button', { name: t('records:import.preview') }).click()
  await dialog.getByRole('button', { name: t('common:copy_curl') }).click()
  await expect(dialog.getByRole('button', { name: t('common:copied') })).toBeVisible()
  const copied = await mine.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`curl -X POST '${deck().panel.url}/api/zones/${id}/dns-records/import/preview'`)
  expect(copied).toContain('"token":"TOKEN"')
})
