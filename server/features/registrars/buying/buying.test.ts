import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { anna, createBuyingStage, person } from '#server/testing/buying-stage.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount } from '#server/testing/factories.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { registrarKeys } from '#server/testing/test-registrars.ts'
import type { TestRegistrars } from '#server/testing/test-registrars.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { findOpen, insertPurchase, isMeant, markSent, releasePurchase, completePurchase } from './purchases.repo.ts'

const logged: string[] = []

const stage = createBuyingStage()
const { check, orderOf, registrarOf, run, itemsOf, ends, sold, simZone, wait, tried, stepsOf, errorOf, createBelongings, serversAt } = stage
let panel: TestPanel
let world: TestRegistrars
let ann: SignedIn
let contactId: string
let accountIds: string[]

beforeAll(async () => {
  await stage.start(createLog('trace', { write: (line) => void logged.push(line) }))
  ;({ panel, world } = stage)
})
afterAll(() => stage.panel.close())
beforeEach(async () => {
  await stage.reset()
  ;({ ann, contactId, accountIds } = stage)
})

describe('R-BUY-01 availability and price', () => {
  test('each name gets one result in input order: available with a price, premium, taken, unsupported or invalid', async () => {
    const given = [
      'free-a.com',
      'TAKEN-b.com',
      'free-premium.com',
      'free.nosuchzone',
      'free-c.shop',
      'www.free-d.com',
      'кино-free.рф',
      'free-a.com',
    ]
    const { results, balance, repeated } = await check('PORKBUN', given)
    expect(results.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'free-a.com available',
      'taken-b.com taken',
      'free-premium.com unsupported',
      'free.nosuchzone invalid',
      'free-c.shop available',
      'www.free-d.com invalid',
      'xn---free-hxenzj.xn--p1ai available',
    ])
    expect(repeated).toEqual(['free-a.com'])
    expect(results[0]).toMatchObject({ price: { minor: 1_098, currency: 'USD' }, renewal: { minor: 1_498 }, years: 1, premium: false })
    // Porkbun sells premium names on its website.
    expect(results[2]).toMatchObject({ onWebsite: true })
    expect(results[6]).toMatchObject({ displayName: 'кино-free.рф' })
    expect(balance).toEqual({ minor: world.account.balanceMinor, currency: 'USD' })
  })

  test('recently checked names are served from the cache', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `free-again-${index}.com`)
    await check('PORKBUN', names)
    world.simulator.journal.reset()
    await check('PORKBUN', [...names, 'free-one-more.com'])
    expect(world.simulator.journal.count()).toBe(1)
  })

  test('a check is refused for a registrar without an API and for another person’s registrar', async () => {
    const { registrar } = await ann.call.registrars.create({ name: 'By hand', username: 'anna', password: 'secret word' })
    expect(await errorOf(ann.call.buying.check({ registrarId: registrar.id, names: ['a.com'] }))).toMatchObject({
      cause: { code: 'registrar_manual' },
    })
    expect(await errorOf(check('PORKBUN', ['a.com'], await signIn(panel.services)))).toMatchObject({ cause: { code: 'not_found' } })
  })
})

describe('registration contacts', () => {
  test('contacts are private to their owner and encrypted; one is the default, and their names are unique', async () => {
    const { contacts } = ann.call.buying
    const { contact } = await contacts.create({ name: 'Other', isDefault: true, ...anna })
    expect(contact).toMatchObject({ phone: '+79161234567', country: 'RU', organization: null, isDefault: true })
    await contacts.update({ id: contactId, isDefault: true, city: 'Kazan' })
    expect((await contacts.list({})).contacts.map(({ name, isDefault, city }) => [name, isDefault, city])).toEqual([
      ['Anna', true, 'Kazan'],
      ['Other', false, person],
    ])
    for (const take of [() => contacts.create({ name: 'Anna', ...anna }), () => contacts.update({ id: contact.id, name: 'Anna' })]) {
      expect(await errorOf(take())).toMatchObject({
        cause: { code: 'validation_failed', issues: [{ path: 'name', message: 'name_taken' }] },
      })
    }
    await contacts.remove({ id: contact.id })
    expect((await contacts.list({})).contacts).toHaveLength(1)
    const rows = await panel.services.db.sql<{ row: string }[]>`select c::text as row from contacts c`
    expect(rows.filter(({ row }) => row.includes(person) || row.includes('Kazan'))).toEqual([])
  })

  test.each([
    [{ phone: '8 916 123' }, 'invalid_phone'],
    [{ country: 'R1' }, 'invalid_country'],
    [{ email: 'nobody' }, 'invalid_email'],
    [{ country: 'ZZ' }, 'invalid_country'],
    [{ city: '  ' }, 'required'],
    [{ firstName: 'Анна' }, 'invalid_latin'],
    [{ address: 'Line 1\nLine 2' }, 'invalid_latin'],
    [{ extra: { passport: 'a\tb' } }, 'invalid_characters'],
  ])('%j is refused', async (wrong, message) => {
    const error = await errorOf(ann.call.buying.contacts.create({ name: 'Wrong', ...anna, ...wrong }))
    expect(JSON.stringify(error, ['cause', 'issues', 'message'])).toContain(message)
  })
})

describe('R-BUY-02 the plan of a purchase', () => {
  test('the plan lists the cost, the skipped names with reasons, and the warning that a purchase is final; nothing is ordered', async () => {
    const order = await orderOf('PORKBUN', ['free-p1.com', 'free-p2.shop', 'taken-p.com', 'free-premium-p.com', 'free-p3.com'])
    const dearer = [...order.names, ...order.names.slice(0, 1)].map((line) =>
      line.name === 'free-p3.com' ? { ...line, price: { minor: 998, currency: 'USD' } } : line,
    )
    const preview = await ann.call.operations.previewPurchase({ ...order, names: dearer })
    expect(preview.totals).toEqual([
      {
        registrarId: registrarOf('PORKBUN'),
        registrar: 'porkbun',
        names: 2,
        total: { minor: 1_098 + 199, currency: 'USD' },
        renewal: { minor: 1_498 + 3_198, currency: 'USD' },
        balance: { minor: world.account.balanceMinor, currency: 'USD' },
        reserved: null,
        enough: true,
      },
    ])
    expect(preview).toMatchObject({ operation: { kind: 'buy', state: 'draft', total: 6, skipped: 4 }, dangers: { purchase_final: 2 } })
    expect((await itemsOf(preview.operation.id)).items.map(({ domain, state, code }) => [domain, state, code])).toEqual([
      ['free-p1.com', 'pending', null],
      ['free-p2.shop', 'pending', null],
      ['taken-p.com', 'skipped', 'registrar_name_taken'],
      ['free-premium-p.com', 'skipped', 'registrar_website_only'],
      ['free-p3.com', 'skipped', 'registrar_price_changed'],
      ['free-p1.com', 'skipped', 'domain_repeated'],
    ])
    expect(world.market.ledger.filter(({ name }) => name.includes('-p'))).toEqual([])
    expect(await panel.services.db.sql`select from purchases`).toHaveLength(0)
  })

  test('an insufficient balance prevents the plan', async () => {
    const { balanceMinor } = world.account
    world.account.balanceMinor = 1_500
    onTestFinished(() => void (world.account.balanceMinor = balanceMinor))
    const order = await orderOf('PORKBUN', ['free-m1.com', 'free-m2.com'])
    expect(await errorOf(ann.call.operations.previewPurchase(order))).toMatchObject({
      cause: { code: 'registrar_money', params: { registrar: 'porkbun', needed: 2_196, available: 1_500, currency: 'USD' } },
    })
    expect((await ann.call.operations.previewPurchase({ ...order, names: order.names.slice(0, 1) })).totals).toMatchObject([
      { enough: true },
    ])
  })

  test('the balance check subtracts what running purchases still have to spend, not what they have already spent', async () => {
    const { balanceMinor } = world.account
    world.account.balanceMinor = 1_500
    onTestFinished(() => void (world.account.balanceMinor = balanceMinor))
    const first = await orderOf('PORKBUN', ['free-m3.com'])
    const second = await orderOf('PORKBUN', ['free-m4.com'])
    const { operation } = await ann.call.operations.previewPurchase(first)
    expect((await ann.call.operations.previewPurchase(second)).totals).toMatchObject([{ enough: true, reserved: null }])
    await ann.call.operations.start({ id: operation.id })
    const usd = (minor: number) => ({ minor, currency: 'USD' })
    expect(await errorOf(ann.call.operations.previewPurchase(second))).toMatchObject({
      cause: { code: 'registrar_money', params: { needed: 1_098, available: 402 } },
    })
    expect(await check('PORKBUN', ['free-m4.com'])).toMatchObject({ balance: usd(402), reserved: usd(1_098) })
    // An order that is paused or waiting for a retry still counts.
    const { sql } = panel.services.db
    for (const [state, item] of [
      ['paused', 'pending'],
      ['waiting', 'waiting'],
      ['running', 'running'],
    ] as const) {
      await sql`update operations set state = ${state} where id = ${operation.id}`
      await sql`update operation_items set state = ${item} where operation_id = ${operation.id}`
      expect(await check('PORKBUN', ['free-m4.com'])).toMatchObject({ reserved: usd(1_098) })
    }
    await sql`update operations set state = 'queued' where id = ${operation.id}`
    await sql`update operation_items set state = 'pending' where operation_id = ${operation.id}`
    // Registrars with the same key share the balance; those with another key do not.
    const bob = await signIn(panel.services)
    const theirs = (await createBelongings(bob)).registrarIds.get('PORKBUN') ?? ''
    expect(await bob.call.buying.check({ registrarId: theirs, names: ['free-m4.com'] })).toMatchObject({ balance: usd(402) })
    expect(await check('NAMECHEAP', ['free-m4.com'])).toMatchObject({ reserved: null })
    await run()
    await ends(operation.id)
    // Already bought and on its way to Cloudflare, so it is not reserved again.
    await panel.services.db.sql`update operations set state = 'waiting' where id = ${operation.id}`
    await panel.services.db.sql`update operation_items set state = 'waiting', wait_until = now() + interval '1 hour'`
    // Compare balances reported before and after the purchase.
    const reported = panel.services.db.sql`update registrars set balance_minor = 1500, balance_at = now() - interval '30 seconds'`
    await reported
    expect(await check('PORKBUN', ['free-m4.com'])).toMatchObject({ balance: usd(402), reserved: usd(1_098) })
    await panel.services.db.sql`update registrars set balance_at = null`
    expect(await check('PORKBUN', ['free-m4.com'])).toMatchObject({ balance: usd(402), reserved: null })
  })

  test('the plan totals each registrar in its own currency; without a known balance, sufficiency is unknown', async () => {
    const one = await orderOf('GODADDY', ['free-g.com'])
    const other = await orderOf('REGRU', ['free-r.ru'])
    const { totals } = await ann.call.operations.previewPurchase({ ...one, names: [...one.names, ...other.names] })
    expect(totals).toMatchObject([
      { registrar: 'godaddy', total: { currency: 'USD' }, balance: null, enough: null },
      { registrar: 'regru', total: { minor: 299 * 90, currency: 'RUB' }, enough: true },
    ])
    const dollars = other.names.map((line) => ({ ...line, price: { minor: 299 * 90, currency: 'USD' } }))
    const preview = await ann.call.operations.previewPurchase({ ...other, names: dollars })
    expect((await itemsOf(preview.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'registrar_price_changed' }])
  })

  test('the plan, the reservation and the charge cover all years of a longer term', async () => {
    const inYears = async (provider: RegistrarProvider, name: string, years: number) => {
      const [offer] = (await check(provider, [name])).results
      if (offer?.state !== 'available' || offer.price === null) throw new Error(`${name} is not sold`)
      const minor = offer.longer.find((term) => term.years === years)?.minor ?? offer.price.minor * years
      return { name, registrarId: registrarOf(provider), years, price: { ...offer.price, minor } }
    }
    const reported = await inYears('NAMECHEAP', 'free-long.com', 3)
    // The first year has the registration price, the others the renewal price.
    expect(reported.price).toEqual({ minor: 1_098 + 2 * 1_498, currency: 'USD' })
    const names = [reported, await inYears('REGRU', 'free-long.net', 2), await inYears('PORKBUN', 'free-long.org', 2)]
    const order = { names, accountIds, contactId, ipAddress: '192.0.2.7' }
    const { operation, totals, dangers } = await ann.call.operations.previewPurchase(order)
    expect(totals.map(({ registrar, total }) => [registrar, total.minor])).toEqual([
      ['namecheap', 4_094],
      // Its prices are per year and the same for each year.
      ['regru', 2 * 1_298 * 90],
    ])
    expect(dangers).toEqual({ purchase_final: 2 })
    expect((await itemsOf(operation.id)).items.map(({ code }) => code)).toEqual([null, null, 'registrar_term'])
    await ann.call.operations.start({ id: operation.id })
    expect(await check('NAMECHEAP', ['free-m9.com'])).toMatchObject({ reserved: { minor: 4_094, currency: 'USD' } })
    await run()
    await ends(operation.id)
    expect(sold('free-long.com', 'free-long.net').map(({ years }) => years)).toEqual(expect.arrayContaining([3, 2]))
    expect(sold('free-long.com')).toMatchObject([{ amountMinor: 4_094 }])
    const dearer = await inYears('NAMECHEAP', 'free-long-dearer.com', 3)
    const cheap = { ...dearer, price: { ...dearer.price, minor: dearer.price.minor - 1 } }
    const refused = await ann.call.operations.previewPurchase({ ...order, names: [cheap] })
    expect((await itemsOf(refused.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'registrar_price_changed' }])
  })

  test.each([
    ['names', [], 'select_domain'],
    ['accountIds', [], 'select_account'],
    ['contactId', '', 'select_contact'],
  ])('a plan without %s is refused', async (field, value, message) => {
    const order = await orderOf('PORKBUN', ['free-w.com'])
    const error = await errorOf(ann.call.operations.previewPurchase({ ...order, [field]: value }))
    expect(JSON.stringify(error, ['cause', 'issues', 'message'])).toContain(message)
  })

  test('registrars, accounts and contacts of another person are not found', async () => {
    const bob = await signIn(panel.services)
    const { contact } = await bob.call.buying.contacts.create({ name: 'Bob', ...anna })
    const { id } = await insertAccount(panel.services.db, { ownerId: bob.user.id })
    const order = await orderOf('PORKBUN', ['free-x.com'])
    const notFound = { cause: { code: 'not_found' } }
    expect(await errorOf(bob.call.operations.previewPurchase({ ...order, accountIds: [id], contactId: contact.id }))).toMatchObject(
      notFound,
    )
    expect(await errorOf(ann.call.operations.previewPurchase({ ...order, accountIds: [id] }))).toMatchObject(notFound)
    expect(await errorOf(ann.call.operations.previewPurchase({ ...order, contactId: contact.id }))).toMatchObject(notFound)
    // An administrator cannot mix one person's money, contact and accounts with another's.
    const admin = await signIn(panel.services, { role: 'admin' })
    const theirs = (await createBelongings(bob)).registrarIds.get('PORKBUN') ?? ''
    const [line] = order.names
    if (line === undefined) throw new Error('no name')
    const mixed: [string, typeof order][] = [
      ['not_found', { ...order, contactId: contact.id }],
      ['registrar_other_owner', { ...order, accountIds: [id] }],
      ['not_found', { ...order, names: [line, { ...line, name: 'free-y.com', registrarId: theirs }] }],
    ]
    for (const [code, each] of mixed) expect(await errorOf(admin.call.operations.previewPurchase(each))).toMatchObject({ cause: { code } })
  })
})

describe('R-BUY-01 a purchase', () => {
  test.each(['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const)(
    '%s: each name is bought, becomes a zone with records and gets its name servers; the ledger, list and log show it',
    async (provider) => {
      await run()
      const [root, bob] = [await signIn(panel.services, { role: 'admin' }), await signIn(panel.services)]
      const names = [`free-${provider.toLowerCase()}-1.com`, `free-${provider.toLowerCase()}-2.com`]
      const { operation } = await ann.call.operations.previewPurchase(await orderOf(provider, names))
      await ann.call.operations.start({ id: operation.id })
      await ends(operation.id)
      expect(await stepsOf(operation.id)).toEqual(
        names.map(() => ['buy done', 'zone done', 'setup done', 'name_servers done', 'first_check done']),
      )
      expect(sold(...names)).toHaveLength(2)
      for (const name of names) {
        expect(serversAt(provider, name)).toEqual(simZone(name).nameServers.toSorted())
        expect([...(panel.simulator.state.changesOf(simZone(name)).records?.values() ?? [])]).toHaveLength(2)
      }
      const ledger = await panel.services.db.sql<{ name: string; state: string; chargedMinor: string; bought: boolean }[]>`
        select name, state, charged_minor, bought_at is not null as bought from purchases order by name`
      const price = world.market.price(world.accounts[provider], names[0] ?? '')?.registerMinor
      expect(ledger.map((row) => [row.name, row.state, Number(row.chargedMinor), row.bought])).toEqual(
        names.map((name) => [name, 'bought', price, true]),
      )
      const { purchases, totals } = await ann.call.buying.purchases({ operationId: operation.id })
      const [line] = purchases
      expect(purchases.map((each) => `${each.name} ${each.years} ${each.registrar ?? ''} ${each.charged}`).toSorted()).toEqual(
        names.map((name) => `${name} 1 ${provider.toLowerCase()} true`),
      )
      expect(line).toMatchObject({ total: { minor: price }, orderId: expect.any(String) as unknown })
      expect((line?.price.minor ?? 0) + (line?.fees?.minor ?? 0)).toBe(price)
      expect(line?.fees === null).toBe(provider === 'PORKBUN' || provider === 'REGRU')
      expect(totals).toEqual([{ names: 2, total: { minor: 2 * (price ?? 0), currency: line?.total.currency } }])
      expect((await root.call.buying.purchases({ operationId: operation.id })).purchases).toHaveLength(2)
      expect(await bob.call.buying.purchases({})).toEqual({ purchases: [], totals: [], nextCursor: null })
      const { names: list } = await ann.call.registrars.names({ registrarId: registrarOf(provider), which: 'bound' })
      expect(list.map(({ name }) => name)).toEqual(names)
      const { domains } = await ann.call.domains.list({})
      expect(domains.map(({ registrarId }) => registrarId)).toEqual(names.map(() => registrarOf(provider)))
      const { activityLogs } = await ann.call.activity.list({ entityType: 'registrar', action: 'create' })
      expect(activityLogs.flatMap(({ details }) => details?.['bought'] ?? [])).toEqual(expect.arrayContaining(names))
    },
  )

  test('after a purchase, Cloudflare is asked once to check activation and DNS is queried; a name that DNS does not know yet is reported, not failed', async () => {
    await run()
    const looked = (status: number) => panel.simulator.journal.count({ path: '/zones/{zone}/activation_check', status })
    const firstChecks = async (id: string) =>
      (await itemsOf(id)).items.map(({ state, steps }) => [state, steps?.find(({ step }) => step === 'first_check')])
    panel.simulator.journal.reset()
    const early = await ann.call.operations.purchase(await orderOf('PORKBUN', ['free-early.com']))
    await ends(early.operation.id)
    expect(await firstChecks(early.operation.id)).toEqual([['done', { step: 'first_check', state: 'done', code: 'dns_not_yet' }]])
    expect(simZone('free-early.com').status).toBe('pending')
    expect([looked(200), looked(400)]).toEqual([1, 0])

    stage.shown = true
    const { operation } = await ann.call.operations.purchase(await orderOf('PORKBUN', ['free-shown.com']))
    await ends(operation.id)
    expect(await firstChecks(operation.id)).toEqual([['done', { step: 'first_check', state: 'done', code: null }]])
    expect(simZone('free-shown.com').status).toBe('active')
    expect(looked(200)).toBe(2)

    // DNS is correct now, but Cloudflare was already asked within the hour. Later it is asked again, and may refuse.
    panel.simulator.state.registrarNameServers.set('free-early.com', simZone('free-early.com').nameServers)
    const [found] = (await ann.call.domains.list({ filter: { search: 'free-early' } })).domains
    const ids = [found?.id ?? '']
    const right = { results: [{ nameServers: { state: 'right' } }] }
    expect(await ann.call.zoneSettings.checkNameServers({ ids })).toMatchObject(right)
    expect([looked(200), looked(400)]).toEqual([2, 0])
    await panel.services.db.sql`delete from attempts where key like 'activation %'`
    expect(await ann.call.zoneSettings.checkNameServers({ ids })).toMatchObject(right)
    expect([looked(200), looked(400)]).toEqual([2, 1])
  })

  test('a name that someone else registered first fails; the others are bought', async () => {
    await run()
    const order = await orderOf('NAMECHEAP', ['free-partly-1.com', 'free-partly-2.com', 'free-partly-3.com'])
    const { operation } = await ann.call.operations.previewPurchase(order)
    // Someone else registers it first.
    world.market.register(world.accounts.GODADDY, { name: 'free-partly-2.com', years: 1 })
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    const { items } = await itemsOf(operation.id)
    expect(items.map(({ state, code }) => [state, code])).toEqual([
      ['done', null],
      ['failed', 'registrar_name_taken'],
      ['done', null],
    ])
    expect(items[1]).toMatchObject({ steps: [{ step: 'buy', state: 'failed', code: 'registrar_name_taken' }] })
    expect(
      sold('free-partly-1.com', 'free-partly-2.com', 'free-partly-3.com')
        .map(({ provider }) => provider)
        .toSorted(),
    ).toEqual(['GODADDY', 'NAMECHEAP', 'NAMECHEAP'])
  })

  test('contact data that the registry rejects is reported in the registrar’s words; after a correction, a retry buys the rest', async () => {
    await run()
    const order = await orderOf('NAMECHEAP', ['free-contact.com'])
    const { operation } = await ann.call.operations.previewPurchase(order)
    const { contact } = await ann.call.buying.contacts.update({ id: contactId, extra: { RegistrantPhone: 'none' } })
    expect(contact.extra).toEqual({ RegistrantPhone: 'none' })
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'failed', code: 'registrar_contact', providerCode: '2015182' }])
    await ann.call.buying.contacts.update({ id: contactId, extra: {} })
    await ann.call.operations.retryFailed({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'done' }])
    expect(sold('free-contact.com')).toHaveLength(1)
  })

  test('a price that changed after the plan stops the purchase', async () => {
    await run()
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-dearer.com']))
    world.market.changePrice('free-dearer.com', 2)
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'failed', code: 'registrar_price_changed' }])
    expect(sold('free-dearer.com')).toEqual([])
    // A refused order does not block the name: after confirming the new price it is bought.
    const again = await ann.call.operations.purchase(await orderOf('PORKBUN', ['free-dearer.com']))
    await ends(again.operation.id)
    expect(sold('free-dearer.com').map(({ amountMinor }) => amountMinor)).toEqual([2_196])
  })

  test('a premium name is bought at its price when the buyer has accepted it', async () => {
    await run()
    world.accounts.NAMECHEAP.balanceMinor += 200_000
    const order = await orderOf('NAMECHEAP', ['free-premium-yes.com'])
    const { operation, dangers } = await ann.call.operations.previewPurchase({
      ...order,
      names: order.names.map((line) => ({ ...line, premium: true })),
    })
    expect(dangers).toEqual({ purchase_final: 1, premium_price: 1 })
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect(sold('free-premium-yes.com')).toMatchObject([{ amountMinor: 109_800 }])
  })

  test('when no account accepts the zone, the name stays bought; a retry continues from there without another order', async () => {
    await run()
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-nozone.com']))
    panel.simulator.state.refusals.banned.add('free-nozone.com')
    await ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect(await stepsOf(operation.id)).toEqual([['buy done', 'zone failed']])
    panel.simulator.state.refusals.banned.delete('free-nozone.com')
    await ann.call.operations.retryFailed({ id: operation.id })
    await ends(operation.id)
    expect(await stepsOf(operation.id)).toEqual([['buy done', 'zone done', 'setup done', 'name_servers done', 'first_check done']])
    expect(sold('free-nozone.com')).toHaveLength(1)
  })

  test('a name that Cloudflare does not see in the registry yet waits and does not fail', async () => {
    await run()
    panel.simulator.state.refusals.unregistered.add('free-unseen.com')
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-unseen.com']))
    await ann.call.operations.start({ id: operation.id })
    await tried(1)
    expect(await stepsOf(operation.id)).toEqual([['buy done', 'zone waiting']])
    panel.simulator.state.refusals.unregistered.delete('free-unseen.com')
    await wait(0)
    await ends(operation.id)
    expect((await itemsOf(operation.id)).operation).toMatchObject({ done: 1 })
  })

  test('an order that the registry completes later is never sent again, however long it takes', async () => {
    await run()
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('NAMECHEAP', ['free-later.com']))
    await ann.call.operations.start({ id: operation.id })
    for (const attempts of [1, 2, 3]) {
      await tried(attempts)
      expect(await stepsOf(operation.id)).toEqual([['buy waiting']])
      await wait(86_400)
    }
    world.market.complete('free-later.com')
    await expect
      .poll(
        async () => {
          await wait(0)
          return (await itemsOf(operation.id)).operation.state
        },
        { timeout: 30_000 },
      )
      .toBe('done')
    expect(sold('free-later.com')).toHaveLength(1)
    expect(await stepsOf(operation.id)).toEqual([['buy done', 'zone done', 'setup done', 'name_servers done', 'first_check done']])
  })
})

describe('R-BUY-03 no order is paid twice', () => {
  const create = {
    NAMECHEAP: 'namecheap.domains.create',
    GODADDY: '/v3/domains/registrations',
    PORKBUN: '/domain/create',
    REGRU: 'domain/create',
  } as const

  test.each(['NAMECHEAP', 'GODADDY', 'PORKBUN', 'REGRU'] as const)(
    '%s: an order whose response was lost is found and not sent again',
    async (provider) => {
      await run()
      const name = `free-lost-${provider.toLowerCase()}.com`
      const { operation } = await ann.call.operations.previewPurchase(await orderOf(provider, [name]))
      world.simulators[provider].faults.add({ path: create[provider], times: 1, effect: { kind: 'cut-body' } })
      await ann.call.operations.start({ id: operation.id })
      await expect.poll(async () => (await wait(0), (await itemsOf(operation.id)).operation.state), { timeout: 30_000 }).toBe('done')
      expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'done' }])
      expect(sold(name)).toHaveLength(1)
      expect(await panel.services.db.sql`select state from purchases where name = ${name}`).toEqual([{ state: 'bought' }])
    },
  )

  test.each(['NAMECHEAP', 'REGRU'] as const)(
    '%s: an order lost before it arrived is sent again only after the registrar has had time to list it',
    async (provider) => {
      await run()
      const name = `free-notaken-${provider.toLowerCase()}.com`
      const { operation } = await ann.call.operations.previewPurchase(await orderOf(provider, [name]))
      const { faults, journal } = world.simulators[provider]
      faults.add({ path: create[provider], times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
      journal.reset()
      await ann.call.operations.start({ id: operation.id })
      for (const attempts of [1, 2, 3]) {
        await tried(attempts)
        expect(journal.count({ path: create[provider] })).toBe(1)
        await wait(attempts === 3 ? 120 : 10)
      }
      await ends(operation.id)
      expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'done' }])
      expect(sold(name)).toHaveLength(1)
    },
  )

  test('two people buying the same list concurrently buy each name once; the other order fails as already ordered', async () => {
    const bob = await signIn(panel.services)
    const names = Array.from({ length: 12 }, (_, index) => `free-both-${index}.xyz`)
    const order = await orderOf('PORKBUN', names)
    const first = await ann.call.operations.previewPurchase(order)
    const own = await createBelongings(bob)
    const theirs = { ...order, accountIds: own.accountIds, contactId: own.contactId }
    const registrarId = own.registrarIds.get('PORKBUN') ?? ''
    const second = await bob.call.operations.previewPurchase({ ...theirs, names: order.names.map((line) => ({ ...line, registrarId })) })
    await Promise.all([ann.call.operations.start({ id: first.operation.id }), bob.call.operations.start({ id: second.operation.id })])
    await run()
    await run()
    await ends(first.operation.id)
    await ends(second.operation.id, bob)
    expect(
      sold(...names)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted())
    const both = [...(await itemsOf(first.operation.id)).items, ...(await itemsOf(second.operation.id, bob)).items]
    for (const name of names) {
      const ended = both.filter(({ domain }) => domain === name).map(({ state, code }) => `${state} ${code}`)
      expect([name, ended.toSorted()]).toEqual([name, ['done null', 'failed registrar_ordered']])
    }
  })

  test('of several workers that read the same ledger row, one sends; the others are refused before sending', async () => {
    const { orm } = panel.services.db
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-once.com']))
    const row = await insertPurchase(orm, {
      ownerId: ann.user.id,
      registrarId: registrarOf('PORKBUN'),
      operationId: operation.id,
      name: 'free-once.com',
      years: 1,
      priceMinor: 1_098,
      currency: 'USD',
    })
    if (row === null) throw new Error('the name is on order')
    const tries = await Promise.all([1, 2, 3].map((number) => markSent(orm, row, { number })))
    expect(tries.filter(Boolean)).toHaveLength(1)
    const sent = await findOpen(orm, 'free-once.com')
    if (sent === null) throw new Error('the line is gone')
    // A lost attempt is also sent again by only one of them.
    const again = await Promise.all([4, 5].map((number) => markSent(orm, sent, { number })))
    expect(again.filter(Boolean)).toHaveLength(1)
    // The time of an attempt identifies the row, so it must increase even if the clock does not.
    await panel.services.db.sql`update purchases set sent_at = date_trunc('milliseconds', now()) + interval '1 hour' where id = ${row.id}`
    const ahead = await findOpen(orm, 'free-once.com')
    if (ahead === null) throw new Error('the line is gone')
    expect(await markSent(orm, ahead, { number: 6 })).toEqual(new Date((ahead.sentAt?.getTime() ?? 0) + 1))
    expect((await findOpen(orm, 'free-once.com'))?.sentAt?.getTime()).toBe((ahead.sentAt?.getTime() ?? 0) + 1)
    // The sender of an earlier attempt cannot record anything about a later one, except that it was bought.
    for (const state of ['refused', 'intended', 'sent'] as const) expect(await completePurchase(orm, ahead, { state })).toBe(false)
    // An earlier reader that found the order stale cannot release it either.
    await releasePurchase(orm, ahead, 'lapsed')
    expect(await findOpen(orm, 'free-once.com')).toMatchObject({ state: 'sent' })
    // A decided order is never sent again, even by a worker that read it before.
    const before = await findOpen(orm, 'free-once.com')
    if (before === null) throw new Error('the line is gone')
    for (const state of ['bought', 'refused'] as const) {
      await panel.services.db.sql`update purchases set state = ${state} where id = ${before.id}`
      expect(await markSent(orm, before, { number: 6 })).toBeNull()
      expect(await completePurchase(orm, before, { state: 'sent', orderId: 'another' })).toBe(false)
    }
    // A worker that read an earlier state cannot release it.
    await panel.services.db.sql`update purchases set state = 'bought' where id = ${before.id}`
    await releasePurchase(orm, before, 'lapsed')
    expect(await findOpen(orm, 'free-once.com')).toMatchObject({ state: 'bought', orderId: null })
  })

  test('an order that its operation no longer contains does not block a new one', async () => {
    await run()
    const order = await orderOf('PORKBUN', ['free-left.com'])
    const { operation } = await ann.call.operations.previewPurchase(order)
    await panel.services.db.sql`
      insert into purchases (owner_id, registrar_id, operation_id, name, years, price_minor, currency)
      values (${ann.user.id}, ${registrarOf('PORKBUN')}, ${operation.id}, 'free-left.com', 1, 1098, 'USD')`
    const again = await ann.call.operations.purchase(order)
    await ends(again.operation.id)
    expect(sold('free-left.com')).toHaveLength(1)
  })

  test('an unsent order of a paused operation blocks other owners for an hour, and its own owner until it is resumed', async () => {
    const bob = await signIn(panel.services)
    const { operation } = await ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-rests.com']))
    const { sql, orm } = panel.services.db
    await sql`update operations set state = 'paused' where id = ${operation.id}`
    const line = { ownerId: ann.user.id, registrarId: registrarOf('PORKBUN'), operationId: operation.id, name: 'free-rests.com' }
    const row = await insertPurchase(orm, { ...line, years: 1, priceMinor: 1_098, currency: 'USD' })
    if (row === null) throw new Error('the name is on order')
    const stands = async (minutes: number) => {
      const aged = { ...row, sinceMs: minutes * 60_000 }
      return [await isMeant(orm, aged, ann.user.id), await isMeant(orm, aged, bob.user.id)]
    }
    expect(await stands(59)).toEqual([true, true])
    expect(await stands(61)).toEqual([true, false])
    await sql`update operations set state = 'queued' where id = ${operation.id}`
    expect(await stands(61)).toEqual([true, true])
  })

  test('an order that the registry has not completed blocks the name for a week even if the name looks available; any other lost order blocks it for a day', async () => {
    await run()
    const sent = (name: string, answer: object | null, days: number) => panel.services.db.sql`
      insert into purchases (owner_id, registrar_id, operation_id, name, years, price_minor, currency, state, sent_at, answer)
      values (${ann.user.id}, ${registrarOf('PORKBUN')}, gen_random_uuid(), ${name}, 1, 1098, 'USD', 'sent', now() - ${days} * interval '1 day', ${answer === null ? null : JSON.stringify(answer)}::text::jsonb)`
    await sent('free-registry-slow.com', { complete: false }, 6)
    await sent('free-registry-silent.com', { complete: false }, 8)
    await sent('free-answer-lost.com', null, 2)
    const names = ['free-registry-slow.com', 'free-registry-silent.com', 'free-answer-lost.com']
    const wanted = names.map((name) => ({
      name,
      registrarId: registrarOf('REGRU'),
      price: { minor: 98_820, currency: 'RUB' },
      years: 1,
    }))
    const { operation } = await ann.call.operations.purchase({ ...(await orderOf('REGRU', names)), names: wanted })
    await ends(operation.id)
    expect(
      sold(...names)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['free-answer-lost.com', 'free-registry-silent.com'])
  })

  test('a name bought in a sandbox can be bought for real; a name bought for real cannot be bought again', async () => {
    await run()
    const order = await orderOf('PORKBUN', ['free-tried.com'])
    const tried = await ann.call.registrars.create({
      name: 'sandbox',
      type: 'API_ENABLED',
      provider: 'PORKBUN',
      sandbox: true,
      ...registrarKeys.PORKBUN,
    })
    const bought = (registrarId: string) => panel.services.db.sql`
      insert into purchases (owner_id, registrar_id, operation_id, name, years, price_minor, currency, state, sent_at, bought_at)
      values (${ann.user.id}, ${registrarId}, gen_random_uuid(), 'free-tried.com', 1, 1098, 'USD', 'bought', now(), now())`
    await bought(registrarOf('NAMECHEAP'))
    const refused = await ann.call.operations.purchase(order)
    await ends(refused.operation.id)
    expect((await itemsOf(refused.operation.id)).items).toMatchObject([{ state: 'failed', code: 'registrar_ordered' }])
    await panel.services.db.sql`delete from purchases`
    await bought(tried.registrar.id)
    const earnest = await ann.call.operations.purchase(order)
    await ends(earnest.operation.id)
    expect(sold('free-tried.com')).toHaveLength(1)
  })

  test('a purchase cannot be undone', async () => {
    await run()
    const { operation } = await ann.call.operations.purchase(await orderOf('PORKBUN', ['free-final.com']))
    await ends(operation.id)
    expect(await errorOf(ann.call.operations.previewUndo({ id: operation.id }))).toMatchObject({ cause: { code: 'nothing_to_undo' } })
  })
})

test('R-PRM-04 after these purchases, no log line and no unencrypted column contains personal contact data', async () => {
  expect(logged.length).toBeGreaterThan(200)
  expect(logged.filter((line) => line.includes(person))).toEqual([])
  const { sql } = panel.services.db
  for (const table of ['purchases', 'operations', 'operation_items', 'activity', 'contacts']) {
    const rows = await sql.unsafe<{ row: string }[]>(`select x::text as row from ${table} x`)
    expect([table, rows.filter(({ row }) => row.includes(person))]).toEqual([table, []])
  }
})
