import { expect, phone, test, useDeck } from '../../fixtures.ts'

test.use(phone)
useDeck({ world: { zones: 4, accounts: 1, plain: true }, accounts: 1 })

test('on a phone the rules of a profile fit the screen, and one is added and changed', async ({ mine, t }) => {
  const phase = 'http_request_dynamic_redirect'
  const words = { phase: t(`rule-names:phases.${phase}`) }
  await mine.goto('/profiles')
  await mine.getByRole('button', { name: t('profiles:empty.action') }).tap()
  const form = mine.getByRole('dialog', { name: t('profiles:form.create_title') })
  await form.getByLabel(t('profiles:form.name')).fill('Phone')
  await form.getByRole('button', { name: t('profiles:rules.add') }).tap()
  await mine.getByRole('menuitem').filter({ hasText: words.phase }).first().tap()
  const rule = mine.getByRole('dialog', { name: t('profiles:rules.new', words) })
  await rule.getByLabel(t('rulesets:form.template')).selectOption('without_www')
  expect(await mine.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await rule.getByRole('button', { name: t('profiles:rules.add') }).tap()
  await expect(rule).toBeHidden()
  const row = form
    .getByRole('region', { name: words.phase })
    .getByRole('listitem')
    .filter({ has: mine.getByRole('switch') })
  await row.getByRole('switch').tap()
  await expect(row.getByRole('switch')).not.toBeChecked()
  await expect(row).toContainText('concat("https://{{domain}}"')
  expect(await mine.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await form.getByRole('button', { name: t('profiles:form.create') }).tap()
  await expect(form).toBeHidden()
  await expect(mine.getByRole('list', { name: t('profiles:title') })).toContainText(t('rulesets:templates.without_www.name'))
})
