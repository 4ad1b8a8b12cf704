import type { Page } from 'playwright/test'
import { z } from 'zod'
import { registrarCustomers } from '#server/simulators/registrar-world.ts'
import { axeFindings } from '../../axe.ts'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'
import type { texts } from '../../texts.ts'

type T = ReturnType<typeof texts>

useDeck({ world: { zones: 20, accounts: 1, plain: true }, accounts: 1 })

const providers = { Porkbun: 'PORKBUN', Regru: 'REGRU', Namecheap: 'NAMECHEAP' } as const
const registrars = z.object({ registrars: z.array(z.object({ id: z.uuid(), name: z.string() })) })
const contact = {
  name: 'Main',
  firstName: 'Anna',
  lastName: 'Orlova',
  email: 'anna@example.com',
  phone: '+74951234567',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '101000',
  country: 'RU',
}
const one = { count: 1, formatted: '1' }

/** Porkbun sells without agreements and shows a balance; it sells no premium names. */
async function addRegistrar(name: keyof typeof providers = 'Porkbun'): Promise<void> {
  const { registrars: there } = await call('GET', '/registrars', registrars)
  if (there.some((registrar) => registrar.name === name)) return
  const provider = providers[name]
  await call('POST', '/registrars', z.unknown(), { name, type: 'API_ENABLED', provider, ...registrarCustomers[provider] })
  if (there.length === 0) await call('POST', '/registration/contacts', z.unknown(), contact)
}
const account = () => deck().market.accounts.find(({ provider }) => provider === 'PORKBUN')

/** Enters the names and requests their prices. */
async function ask(page: Page, t: T, names: readonly string[]): Promise<void> {
  await page.goto('/register-domains')
  await page.getByLabel(t('buying:names.label')).fill(names.join('\n'))
  await page.getByRole('button', { name: t('buying:names.check') }).click()
  await expect(page.getByRole('grid', { name: t('buying:offers.label') })).toBeVisible()
}
const price = (page: Page, name: string, registrar: keyof typeof providers = 'Porkbun') =>
  page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: new RegExp(registrar) })

test('R-BUY-01 without a registrar with an API the page says what is missing', async ({ mine, t }) => {
  await mine.goto('/register-domains')
  await expect(mine.getByText(t('buying:empty.title'))).toBeVisible()
  await mine
    .getByRole('main')
    .getByRole('button', { name: t('buying:empty.action') })
    .click()
  await expect(mine.getByRole('dialog')).toBeVisible()
})

test('R-BUY-01 names that are already in the panel are not counted as names to buy', async ({ mine, t }) => {
  await addRegistrar()
  const [ours] = [...deck().cloudflare.state.zonesById.values()]
  if (ours === undefined) throw new Error('the world has no zone')
  await mine.goto('/register-domains')
  await mine.getByLabel(t('buying:names.label')).fill(`one-harbor.com\n${ours.name}\ntwo-harbor.com`)
  await expect(mine.getByText(t('domains:add.ours', { account: deck().credentials[0]?.email ?? '' }))).toBeVisible()
  const steps = mine.getByRole('navigation', { name: t('buying:steps.label') })
  await expect(steps.getByRole('link', { name: t('buying:steps.names') })).toContainText(/2$/)
  await mine.getByRole('button', { name: t('buying:names.check') }).click()
  await expect(steps.getByRole('link', { name: t('buying:steps.offers') })).toContainText(/2$/)
})

test('R-BUY-01 names are generated from words, checked, bought, added to Cloudflare and delegated', async ({ mine, t }) => {
  await addRegistrar()
  await mine.goto('/register-domains')
  await mine.getByLabel(t('buying:names.label')).fill('https://not-a-name.com/')
  await expect(mine.getByText(t('faults:domain_is_url'))).toBeVisible()
  await mine.getByLabel(t('buying:variants.words')).fill('free harbor')
  await mine.getByRole('button', { name: t('buying:variants.add', one) }).click()
  await expect(mine.getByLabel(t('buying:names.label'))).toHaveValue('https://not-a-name.com/\nfreeharbor.com')
  // The input is kept after visiting another page.
  await mine.keyboard.press('Escape')
  await mine.getByRole('link', { name: t('shell:nav.groups') }).click()
  await mine.getByRole('link', { name: t('shell:nav.register_domains') }).click()
  await expect(mine.getByLabel(t('buying:names.label'))).toHaveValue('https://not-a-name.com/\nfreeharbor.com')

  await mine.getByRole('button', { name: t('buying:names.check') }).click()
  await expect(price(mine, 'freeharbor.com')).toHaveAttribute('aria-pressed', 'true')
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await expect(mine.getByText('Anna Orlova', { exact: false })).toBeVisible()
  await mine.getByLabel(t('domains:add.ip')).fill('203.0.113.10')
  // The selection survives a reload; prices are fetched again.
  await mine.reload()
  await expect(mine.getByLabel(t('domains:add.ip'))).toHaveValue('203.0.113.10')
  await expect(mine.getByText('Anna Orlova', { exact: false })).toBeVisible()
  await mine.getByRole('button', { name: t('buying:order.preview', one) }).click()

  const dialog = mine.getByRole('dialog')
  const buy = dialog.getByRole('button', { name: t('operations:preview.run_buy', one) })
  await expect(dialog.getByText(t('operations:dangers.purchase_final.text'))).toBeVisible()
  await expect(buy).toBeDisabled()
  await expect(dialog.getByText('Anna Orlova, anna@example.com')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /Porkbun/ }).check()
  const starts: string[] = []
  mine.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().includes('operations.start')) starts.push(sent.url())
  })
  // A double click buys once.
  await buy.dblclick()
  await expect(mine).toHaveURL(/\/operations\//)
  const row = mine.getByRole('row').filter({ hasText: 'freeharbor.com' })
  await expect(row).toContainText(t('operations:items.done'))
  for (const step of ['buy', 'zone', 'setup', 'name_servers'] as const) {
    await expect(row.getByTitle(`${t(`operations:purchase.step.${step}`)} · ${t('operations:purchase.state.done')}`)).toBeVisible()
  }
  expect(starts).toHaveLength(1)
  const { market, cloudflare } = deck()
  expect(market.ledger.map(({ kind, name }) => [kind, name])).toEqual([['register', 'freeharbor.com']])
  const delegated = account()?.names.get('freeharbor.com')?.nameServers ?? []
  expect(delegated.length).toBeGreaterThan(1)
  expect(cloudflare.state.registrarNameServers.get('freeharbor.com')).toEqual(delegated)

  // The list is cleared.
  await mine.getByRole('link', { name: t('shell:nav.register_domains') }).click()
  await expect(mine.getByLabel(t('buying:names.label'))).toHaveValue('')
})

test('R-BUY-03 a name whose price has changed is not bought', async ({ mine, t }) => {
  await addRegistrar()
  await ask(mine, t, ['free-dearer.com'])
  await expect(price(mine, 'free-dearer.com')).toBeVisible()
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await mine.getByRole('button', { name: t('buying:order.preview', one) }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /Porkbun/ }).check()
  deck().market.changePrice('free-dearer.com', 3)
  await dialog.getByRole('button', { name: t('operations:preview.run_buy', one) }).click()
  const row = mine.getByRole('row').filter({ hasText: 'free-dearer.com' })
  await expect(row).toContainText(t('operations:items.failed'))
  await expect(row).toContainText(t('failures:codes.registrar_price_changed'))
  expect(deck().market.ledger.some(({ name }) => name === 'free-dearer.com')).toBe(false)
})

test('R-BUY-01 names are bought for several years in one order where the registrar sells that', async ({ mine, t }) => {
  await addRegistrar()
  await addRegistrar('Regru')
  await ask(mine, t, ['free-longer.com'])
  const row = mine.getByRole('row').filter({ hasText: 'free-longer.com' })
  const regru = row.getByRole('button', { name: /Regru/ })
  await expect(regru).toBeVisible()
  await expect(price(mine, 'free-longer.com')).toHaveAttribute('aria-pressed', 'true')
  await mine.getByLabel(t('buying:term.label')).selectOption('3')
  // Orders at Porkbun have no field for the years.
  await expect(row).toContainText(t('buying:offer.only_for', one))
  await expect(regru).toHaveAttribute('aria-pressed', 'true')
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await mine.getByRole('button', { name: t('buying:order.preview', one) }).click()
  const dialog = mine.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /Regru/ }).check()
  await dialog.getByRole('button', { name: t('operations:preview.run_buy', one) }).click()
  await expect(mine.getByRole('row').filter({ hasText: 'free-longer.com' })).toContainText(t('operations:items.done'))
  expect(
    deck()
      .market.ledger.filter(({ name }) => name === 'free-longer.com')
      .map(({ years }) => years),
  ).toEqual([3])
})

test('R-BUY-01 an order waits for its contacts to load, and a click in the meantime is kept', async ({ mine, t }) => {
  await addRegistrar()
  await ask(mine, t, ['free-waiting.com'])
  await expect(price(mine, 'free-waiting.com')).toBeVisible()
  const held = Promise.withResolvers<void>()
  await mine.route(/buying\.contacts\.list/, async (route) => {
    await held.promise
    await route.fallback()
  })
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  const order = mine.getByRole('button', { name: t('buying:order.preview', one) })
  await expect(order).toBeDisabled()
  held.resolve()
  await order.click()
  await expect(mine.getByRole('dialog').getByRole('checkbox', { name: /Porkbun/ })).toBeVisible()
})

// Must follow all purchases at Porkbun: a balance is cached for a minute.
test('R-BUY-02 an insufficient balance is reported, and nothing is bought', async ({ mine, t }) => {
  await addRegistrar()
  await ask(mine, t, ['free-poor.com'])
  await expect(price(mine, 'free-poor.com')).toBeVisible()
  const held = account()
  if (held === undefined) throw new Error('no customer')
  held.balanceMinor = 1
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await mine.getByRole('button', { name: t('buying:order.preview', one) }).click()
  await expect(mine.getByRole('alert').filter({ hasText: t('failures:codes.registrar_money') })).toBeVisible()
  await expect(mine.getByRole('dialog')).toHaveCount(0)
  expect(deck().market.ledger.some(({ name }) => name === 'free-poor.com')).toBe(false)
})

test('R-BUY-02 an order above the balance says what is missing and cannot be previewed', async ({ mine, t }) => {
  const held = deck().market.accounts.find(({ provider }) => provider === 'NAMECHEAP')
  if (held === undefined) throw new Error('no customer')
  held.balanceMinor = 1
  await addRegistrar('Namecheap')
  await ask(mine, t, ['free-short.com'])
  await price(mine, 'free-short.com', 'Namecheap').click()
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await expect(mine.getByRole('alert').filter({ hasText: t('failures:codes.registrar_money') })).toBeVisible()
  await expect(mine.getByRole('button', { name: t('buying:order.preview', one) })).toBeDisabled()
})

test('R-BUY-02 a taken name cannot be selected; a premium name only after its price is accepted', async ({ mine, t }) => {
  await addRegistrar()
  await addRegistrar('Namecheap')
  await ask(mine, t, ['taken-one.com', 'free-premium.com'])
  await expect(mine.getByRole('row').filter({ hasText: 'taken-one.com' })).toContainText(t('buying:offer.taken'))
  await expect(mine.getByRole('row').filter({ hasText: 'free-premium.com' })).toContainText(t('buying:offer.on_website'))
  const premium = price(mine, 'free-premium.com', 'Namecheap')
  await expect(premium).toHaveAttribute('aria-pressed', 'false')
  await expect(mine.getByRole('button', { name: t('buying:offers.next') })).toBeDisabled()
  await premium.click()
  await mine
    .getByRole('dialog')
    .getByRole('button', { name: t('buying:premium.agree') })
    .click()
  await expect(premium).toHaveAttribute('aria-pressed', 'true')
  await expect(mine.getByRole('button', { name: t('buying:offers.next') })).toBeEnabled()
})

test('axe finds nothing serious on any step, dark and light', async ({ mine, t }) => {
  await addRegistrar()
  await addRegistrar('Namecheap')
  const check = async (where: string) => {
    await expect(mine.getByRole('menu')).toHaveCount(0)
    expect(await axeFindings(mine), where).toEqual([])
  }
  await mine.goto('/register-domains')
  await mine.getByLabel(t('buying:names.label')).fill('free-axe.com\nfree-premium-axe.com\ntaken-axe.com\nfree-axe.dev\nnothing')
  await expect(mine.getByText(t('faults:domain_invalid'))).toBeVisible()
  await check('names')
  await mine.getByRole('button', { name: t('buying:names.check') }).click()
  await expect(price(mine, 'free-premium-axe.com', 'Namecheap')).toBeVisible()
  await check('offers')
  await mine.getByRole('button', { name: t('buying:offers.next') }).click()
  await expect(mine.getByText('Anna Orlova', { exact: false })).toBeVisible()
  await check('order')
  await mine.getByRole('button', { name: t('buying:contact.add') }).click()
  await expect(mine.getByRole('dialog')).toBeVisible()
  await check('contact')
})
