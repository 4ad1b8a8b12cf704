import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { PurchaseOrder, RegistrarAccess, RegistrarConnection, RegistrarCredential, Registrars } from '#server/ports/registrar.ts'
import { startGodaddySimulator } from '#server/simulators/registrars/godaddy.ts'
import { createMarket } from '#server/simulators/registrars/market.ts'
import type { Market, MarketAccount } from '#server/simulators/registrars/market.ts'
import { startNamecheapSimulator } from '#server/simulators/registrars/namecheap.ts'
import { startPorkbunSimulator } from '#server/simulators/registrars/porkbun.ts'
import { startRegruSimulator } from '#server/simulators/registrars/regru.ts'
import type { VendorSimulator } from '#server/simulators/serve.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

interface Vendor {
  readonly name: string
  readonly provider: RegistrarProvider
  readonly credential: RegistrarCredential & Record<string, string>
  /** Without a limit of calls: that is each adapter's own test. */
  start(market: Market): Promise<VendorSimulator>
}

const vendors: readonly Vendor[] = [
  {
    name: 'Namecheap',
    provider: 'NAMECHEAP',
    credential: { username: 'conformance', apiKey: 'long-conformance-key', clientIp: '203.0.113.5' },
    start: (market) => startNamecheapSimulator({ market, perMinute: null }),
  },
  {
    name: 'GoDaddy by a key',
    provider: 'GODADDY',
    credential: { apiKey: 'conformance-key', apiSecret: 'conformance-secret' },
    start: (market) => startGodaddySimulator({ market, perMinute: null }),
  },
  {
    name: 'GoDaddy by a token',
    provider: 'GODADDY',
    credential: { apiToken: 'conformance-token' },
    start: (market) => startGodaddySimulator({ market, perMinute: null }),
  },
  {
    name: 'Porkbun',
    provider: 'PORKBUN',
    credential: { apiKey: 'pk1_conformance', apiSecret: 'sk1_conformance' },
    start: (market) => startPorkbunSimulator({ market, perSecond: null }),
  },
  {
    name: 'REG.RU',
    provider: 'REGRU',
    credential: { login: 'conformance', password: 'long-secret-word' },
    start: (market) => startRegruSimulator({ market, perHour: null }),
  },
]

const person = { priority: 'person' } as const
const noBaseUrls = { NAMECHEAP: null, GODADDY: null, PORKBUN: null, REGRU: null }
const contact = {
  firstName: 'Anna',
  lastName: 'Petrova',
  organization: null,
  email: 'anna@example.com',
  phone: '+74951234567',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '125009',
  country: 'RU',
  extra: {},
}

/** What every registrar does. A step that is done again leaves the same state. */
for (const { name: vendor, provider, credential, start } of vendors) {
  describe(`${vendor} is a registrar`, () => {
    let database: TestDatabase
    let market: Market
    let account: MarketAccount
    let simulator: VendorSimulator
    let registrars: Registrars
    let connection: RegistrarConnection
    const connect = (others: Partial<RegistrarAccess> = {}) => registrars.connect({ provider, sandbox: false, credential, ...others })
    const held = Array.from({ length: 25 }, (_, index) => ({
      name: `held-${String(index).padStart(2, '0')}.com`,
      autoRenew: index % 2 === 0,
    }))

    beforeAll(async () => {
      database = await createTestDatabase()
      market = createMarket()
      account = market.addAccount({ provider, credential, names: held })
      simulator = await start(market)
      registrars = createOwn()
      connection = connect()
    })
    const createOwn = () =>
      createRegistrars({
        baseUrls: { ...noBaseUrls, [provider]: simulator.url },
        sql: database.db.sql,
        clock: systemClock,
        log: createLog('silent'),
        userAgent: 'zonedeck-test',
        limit: { limit: 100_000, windowMs: 1_000 },
      })
    afterAll(async () => {
      await registrars.close()
      await simulator.close()
      await database.close()
    })

    const priceOf = async (name: string) => {
      const [answer] = await connection.check([name], person)
      const known = answer?.state === 'available' ? answer.price : null
      const own = market.price(account, name)
      if (own === null) throw new Error(`${name} is not sold`)
      return known ?? { minor: own.registerMinor, currency: account.currency }
    }
    const orderOf = async (name: string, others: Partial<PurchaseOrder> = {}): Promise<PurchaseOrder> => ({
      name,
      years: 1,
      price: await priceOf(name),
      premium: false,
      contact,
      nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
      privacy: true,
      autoRenew: true,
      idempotencyKey: `key-of-${name}`,
      endUserIp: '203.0.113.10',
      ...others,
    })
    const bought = (name: string) => market.ledger.filter((entry) => entry.name === name)

    test('R-REG-05 finds nothing wrong with credentials that work', async () => {
      for (const turn of [1, 2]) {
        const findings = await connection.examine(person)
        expect(
          findings.filter(({ state }) => state === 'failed'),
          `turn ${turn}`,
        ).toEqual([])
        expect(findings.map(({ id }) => id)).toContain('credentials')
      }
    })

    test('R-REG-05 says what is wrong with credentials that do not, in the words of the provider and without the credentials', async () => {
      const wrong = Object.fromEntries(
        Object.keys(credential).map((field) => [field, field === 'clientIp' ? '203.0.113.1' : `wrong-${field}-value`]),
      )
      const findings = await connect({ credential: wrong }).examine(person)
      const [failed] = findings.filter(({ state }) => state === 'failed')
      expect(failed?.id).toBe('credentials')
      expect(failed?.message).toBeTruthy()
      await expect(connect({ credential: wrong }).listNames(null, person)).rejects.toMatchObject({ code: 'registrar_auth' })
      expect(JSON.stringify(findings)).not.toContain('wrong-')
    })

    test('R-REG-05 tells the balance', async () => {
      for (const _ of [1, 2]) {
        const balance = await connection.balance(person)
        // GoDaddy charges a card.
        expect(balance ?? { minor: account.balanceMinor, currency: account.currency }).toEqual({
          minor: account.balanceMinor,
          currency: account.currency,
        })
      }
    })

    test('R-REG-05 lists every name once with its expiry, in pages that end', async () => {
      for (const _ of [1, 2]) {
        const names = []
        let cursor: string | null = null
        do {
          const page = await connection.listNames(cursor, { priority: 'sync' })
          names.push(...page.names)
          cursor = page.next
        } while (cursor !== null)
        expect(names.map(({ name }) => name).toSorted()).toEqual([...account.names.keys()].toSorted())
        for (const { name, expiresAt, autoRenew } of names) {
          const known = account.names.get(name)
          const days = Math.abs((expiresAt?.getTime() ?? 0) - (known?.expiresAtMs ?? 0)) / 86_400_000
          expect(days).toBeLessThan(1)
          if (autoRenew !== null) expect(autoRenew).toBe(known?.autoRenew)
        }
      }
    })

    test('tells one name, and that another is not here', async () => {
      expect(await connection.getName('held-03.com', person)).toMatchObject({ name: 'held-03.com' })
      await expect(connection.getName('not-here-free.com', person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test('R-BUY-01 answers every name that is asked, in their order: free with a price, taken, not sold', async () => {
      const asked = ['free-one.com', 'taken-one.com', 'held-01.com', 'free-two.nosuchzone', 'free-three.xyz']
      for (const _ of [1, 2]) {
        const answers = await connection.check(asked, person)
        expect(answers.map(({ name }) => name)).toEqual(asked)
        expect(answers.map(({ state }) => (state === 'unknown' ? 'unsupported' : state))).toEqual([
          'available',
          'taken',
          'taken',
          'unsupported',
          'available',
        ])
        for (const answer of answers) {
          if (answer.state !== 'available' || answer.price === null) continue
          expect(answer.price).toEqual({ minor: market.price(account, answer.name)?.registerMinor, currency: account.currency })
        }
      }
    })

    test('R-BUY-01 a name is bought for longer where the API sells that: the price that was told is charged, or it is said that none is told', async () => {
      for (const years of [2, 5]) {
        const name = `free-years-${years}.com`
        const [offer] = await connection.check([name], person)
        if (offer?.state !== 'available') throw new Error(`${name} is ${offer?.state ?? 'nothing'}`)
        const term = offer.longer.find((each) => each.years === years)
        if (provider === 'PORKBUN') expect(offer.longer).toEqual([])
        else {
          expect(offer.longer.map((each) => each.years)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
          if (term === undefined) throw new Error(`no price for ${years} years`)
          await connection.register(await orderOf(name, { years, price: term.price }), person)
          expect(bought(name).map((entry) => entry.years)).toEqual([years])
          if (offer.longerTold) expect(bought(name)[0]?.amountMinor).toBe(term.price.minor)
          const ends = (await connection.getName(name, person)).expiresAt?.getTime() ?? 0
          expect(Math.round((ends - Date.now()) / 86_400_000 / 365)).toBe(years)
        }
      }
    })

    test('R-BUY-03 a price for longer that is another since it was agreed to: nothing is bought', async () => {
      const name = 'free-years-dearer.org'
      const [offer] = await connection.check([name], person)
      const [term] = offer?.state === 'available' ? offer.longer : []
      if (term === undefined) return expect(provider).toBe('PORKBUN')
      const others = createOwn()
      onTestFinished(() => others.close())
      const other = others.connect({ provider, sandbox: false, credential })
      const order = await orderOf(name, { years: term.years, price: { ...term.price, minor: term.price.minor - 1 } })
      await expect(other.register(order, person)).rejects.toMatchObject({ code: 'registrar_price_changed' })
      expect(bought(name)).toEqual([])
    })

    test('R-BUY-03 buys a name once; the second order of it is refused or answered with the first', async () => {
      const order = await orderOf('free-bought.com')
      const first = await connection.register(order, person)
      expect(first.name).toBe('free-bought.com')
      expect(bought('free-bought.com')).toHaveLength(1)
      const again = await connection.register(order, person).catch((error: unknown) => error)
      if (again instanceof Error) expect(again).toMatchObject({ code: 'registrar_name_taken' })
      expect(bought('free-bought.com')).toHaveLength(1)
      expect(await connection.getName('free-bought.com', person)).toMatchObject({ name: 'free-bought.com' })
    })

    test('R-BUY-03 does not send an order again whose answer was lost, unless the provider knows it again', async () => {
      const order = await orderOf('free-lost.com')
      simulator.faults.add({ path: '*', times: 1, effect: { kind: 'cut-body' } })
      await connection.register(order, { priority: 'bulk' }).catch(() => undefined)
      simulator.faults.clear()
      expect(bought('free-lost.com').length).toBeLessThanOrEqual(1)
      // What happened can be told by looking.
      const found = await connection.getName('free-lost.com', person).then(
        () => 1,
        () => 0,
      )
      expect(found).toBe(bought('free-lost.com').length)
    })

    test('R-BUY-02 tells that the money does not suffice, in the provider’s words', async () => {
      const order = await orderOf('free-expensive.com')
      const { balanceMinor } = account
      account.balanceMinor = 1
      await expect(connection.register(order, person)).rejects.toMatchObject({ code: 'registrar_money' })
      account.balanceMinor = balanceMinor
      expect(bought('free-expensive.com')).toEqual([])
    })

    test('R-REG-05 tells what a year more costs by zone, or that it has no such list', async () => {
      for (const _ of [1, 2]) {
        const prices = await connection.renewalPrices(person)
        if (account.provider === 'GODADDY') expect(prices).toBeNull()
        else {
          const minor = market.price(account, 'some-ordinary-name.com')?.renewMinor
          expect(prices?.get('com')).toEqual({ minor, currency: account.currency })
        }
      }
    })

    test('R-BUY-03 a price that is another since it was agreed to: nothing is bought', async () => {
      const order = await orderOf('free-dearer.shop')
      market.changePrice('shop', 3)
      // Another process: a list of prices may be a minute old.
      const others = createOwn()
      onTestFinished(() => others.close())
      const other = others.connect({ provider, sandbox: false, credential })
      for (const _ of [1, 2]) await expect(other.register(order, person)).rejects.toMatchObject({ code: 'registrar_price_changed' })
      expect(bought('free-dearer.shop')).toEqual([])
      const agreed = await orderOf('free-dearer.shop', { idempotencyKey: 'another-key' })
      await other.register(agreed, person)
      expect(bought('free-dearer.shop').map(({ amountMinor }) => amountMinor)).toEqual([agreed.price.minor])
    })

    test('a name that is taken is not bought', async () => {
      const order = await orderOf('taken-two.com')
      await expect(connection.register(order, person)).rejects.toMatchObject({ code: 'registrar_name_taken' })
      expect(bought('taken-two.com')).toEqual([])
    })

    test('R-REG-05 sets the name servers and reads them back', async () => {
      const wanted = ['cruz.ns.cloudflare.com', 'lola.ns.cloudflare.com']
      for (const _ of [1, 2]) {
        await connection.setNameServers('held-05.com', wanted, person)
        expect(await connection.getNameServers('held-05.com', person)).toEqual(wanted)
      }
      await expect(connection.setNameServers('not-here-free.com', wanted, person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test('renews a name', async () => {
      const before = await connection.getName('held-06.com', person)
      const price = market.price(account, 'held-06.com')
      await connection.renew(
        {
          name: 'held-06.com',
          years: 1,
          expiresAt: before.expiresAt ?? new Date(),
          price: price === null ? null : { minor: price.renewMinor, currency: account.currency },
        },
        person,
      )
      const after = await connection.getName('held-06.com', person)
      expect((after.expiresAt?.getTime() ?? 0) - (before.expiresAt?.getTime() ?? 0)).toBeGreaterThan(360 * 86_400_000)
    })

    test('an address that may not call is told as that', async () => {
      account.allowedAddresses = ['198.51.100.1']
      await expect(connection.listNames(null, person)).rejects.toMatchObject({ code: 'registrar_address' })
      const findings = await connection.examine(person)
      expect(findings).toContainEqual(expect.objectContaining({ id: 'address', state: 'failed' }))
      account.allowedAddresses = null
    })

    test('answers that are HTML, cut or broken for a moment are read again; what stays broken is told', async () => {
      const effects = [{ kind: 'server-error', body: 'html' }, { kind: 'cut-body' }, { kind: 'malformed-json' }, { kind: 'reset' }] as const
      for (const effect of effects) {
        simulator.faults.add({ path: '*', times: 1, effect })
        expect((await connection.getName('held-07.com', { priority: 'bulk' })).name).toBe('held-07.com')
      }
      simulator.faults.add({ path: '*', effect: { kind: 'server-error', body: 'html' } })
      await expect(connection.getName('held-07.com', person)).rejects.toMatchObject({ code: 'registrar_unavailable' })
      simulator.faults.clear()
      expect((await connection.getName('held-07.com', person)).name).toBe('held-07.com')
    })
  })
}
