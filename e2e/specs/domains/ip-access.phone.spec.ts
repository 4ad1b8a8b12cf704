import { z } from 'zod'
import { call, deck, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string() })) })

test('on a phone the rules of IP access fit the screen, and a rule is added', async ({ mine, t }) => {
  const [domain] = (await call('GET', '/zones/live', zones)).data
  if (domain === undefined) throw new Error('no domain')
  await mine.goto(`/domains/${domain.id}/rules`)
  const section = mine.getByRole('region', { name: t('ip-access:title'), exact: true })
  await section.getByRole('button', { name: t('ip-access:add'), exact: true }).tap()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('ip-access:values')).fill('2001:db8:1234:5678:9abc:def0:1234:5678')
  await dialog.getByLabel(t('ip-access:note')).fill(`note ${'long '.repeat(40)}`)
  await dialog.getByRole('button', { name: t('ip-access:add'), exact: true }).tap()
  await expect(dialog).toBeHidden()
  await expect(section.getByRole('listitem')).toContainText('2001:db8:1234:5678:9abc:def0:1234:5678')
  expect(await mine.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(deck().cloudflare.state.accessRules.get(domain.zoneId)).toHaveLength(1)
})
