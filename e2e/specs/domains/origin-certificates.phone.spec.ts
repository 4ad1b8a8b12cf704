import { z } from 'zod'
import { call, expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })

test('on a phone a certificate is issued, and the key and the list fit the screen', async ({ mine, t }) => {
  const [domain] = (await call('GET', '/zones/live', zones)).data
  if (domain === undefined) throw new Error('no domain')
  await mine.goto(`/domains/${domain.id}/security`)
  const section = mine.getByRole('region', { name: t('security:origin.title'), exact: true })
  await section.getByRole('button', { name: t('security:origin.issue') }).tap()
  const dialog = mine.getByRole('dialog')
  await dialog.getByLabel(t('security:origin.key')).selectOption('ecc')
  await dialog.getByRole('button', { name: t('security:origin.issue') }).tap()
  await expect(dialog.getByText(t('security:origin.once_title'))).toBeVisible()
  const width = () => mine.evaluate('document.documentElement.scrollWidth <= innerWidth')
  expect(await width()).toBe(true)
  await dialog.getByRole('button', { name: t('security:origin.saved') }).tap()
  await expect(section.getByRole('listitem', { name: domain.name })).toBeVisible()
  expect(await width()).toBe(true)
})
