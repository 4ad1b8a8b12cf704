import { z } from 'zod'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { call, deck, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 10, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), status: z.string() })) })
const waf = 'http_request_firewall_custom'

test('on a phone the rules fit the screen, and a rule is switched and edited', async ({ mine, t }) => {
  const { data } = await call('GET', '/zones/live', zones)
  const domain = data.find(({ status }) => status === 'active')
  if (domain === undefined) throw new Error('no domain')
  const { state } = deck().cloudflare
  const expression = `(http.host eq "${'a'.repeat(300)}.example")`
  const rules = [{ description: 'Theirs', expression, action: 'block' }]
  applyEdit(state, { kind: 'ruleset', zone: domain.zoneId, phase: waf, rules })
  const atCloudflare = () =>
    rulesetsOf(state, state.getZone(domain.zoneId))
      .get(waf)
      ?.versions.at(-1)
      ?.rules.map(({ fields }) => fields)

  await mine.goto(`/domains/${domain.id}/rules`)
  const row = mine.getByRole('region', { name: t(`rule-names:phases.${waf}`), exact: true }).getByRole('listitem')
  await row.getByRole('switch').tap()
  await expect.poll(atCloudflare).toMatchObject([{ enabled: false }])
  await row.getByRole('button', { name: t('rulesets:row.edit', { rule: 'Theirs' }) }).tap()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('rulesets:form.description')).fill('Renamed')
  expect(await mine.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await dialog.getByRole('button', { name: t('rulesets:form.save') }).tap()
  await expect(dialog).toBeHidden()
  await expect(row).toContainText('Renamed')
  expect(atCloudflare()).toMatchObject([{ description: 'Renamed', expression, enabled: false }])
})
