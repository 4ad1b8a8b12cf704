import { z } from 'zod'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ accounts: 1, world: { zones: 2, accounts: 1, plain: true } })

const operations = z.object({ operations: z.array(z.object({ state: z.string() })) })
const zones = z.object({ data: z.array(z.object({ name: z.string(), zoneId: z.string() })) })

test('domains of an account whose list cannot be used get single redirects: the preview says why, and the URL test follows them', async ({
  mine,
  t,
}) => {
  const { cloudflare } = deck()
  cloudflare.faults.add({ path: '/accounts/*/rules/lists', effect: { kind: 'forbidden' } })
  await mine.goto('/domains')
  await mine.getByRole('checkbox', { name: t('common:table.select_all') }).click()
  await mine
    .getByRole('toolbar')
    .getByRole('button', { name: t('operations:bulk.more'), exact: true })
    .click()
  await mine.getByRole('menuitem', { name: t('operations:bulk.redirects'), exact: true }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t('operations:redirect.url') }).fill('https://target.example')
  await dialog.getByRole('button', { name: t('operations:bulk.preview') }).click()
  const account = dialog.getByRole('list', { name: t('operations:redirect.accounts') }).getByRole('listitem')
  await expect(account).toContainText(t('operations:redirect.rules_instead', { formatted: '2' }))
  await expect(account).toContainText(t('failures:codes.provider_forbidden'))
  await dialog.getByRole('button', { name: /^Выполнить / }).click()
  await expect(dialog).toBeHidden()

  const [zone] = (await call('GET', '/zones/live?limit=1', zones)).data
  if (zone === undefined) throw new Error('no zone')
  const stateNow = async () => (await call('GET', '/operations', operations)).operations[0]?.state
  await expect.poll(stateNow).toBe('done')
  const sim = cloudflare.state.zonesById.get(zone.zoneId)
  if (sim === undefined) throw new Error('no such zone')
  const rules = rulesetsOf(cloudflare.state, sim).get('http_request_dynamic_redirect')?.versions.at(-1)?.rules
  expect(rules?.map(({ ref }) => ref)).toEqual(['zonedeck_redirect'])
  await mine.goto('/redirects')
  await expect(mine.getByText(t('redirects:failed'))).toBeVisible()
  await mine.getByRole('button', { name: t('redirects:test') }).click()
  const tester = mine.getByRole('dialog', { name: t('redirects:tester.title') })
  await tester.getByRole('textbox', { name: t('redirects:tester.url') }).fill(`${zone.name}/page`)
  await tester.getByRole('button', { name: t('redirects:tester.run') }).click()
  await expect(tester.getByText('https://target.example/page')).toBeVisible()
  await expect(tester.getByText(t('redirects:tester.by_rule', { source: 'Redirect to https://target.example' }))).toBeVisible()
})
