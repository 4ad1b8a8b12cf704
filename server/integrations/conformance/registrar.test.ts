import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RegistrarConnection } from '#server/ports/registrar.ts'
import type { Market, MarketAccount } from '#server/simulators/registrars/market.ts'
import type { ProviderSimulator } from '#server/simulators/serve.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import { buy, orderOf, person, renew, startProvider, vendors } from '#server/testing/registrar-providers.ts'

/** The calls that place an order, as named by faults. */
const orderPaths = {
  NAMECHEAP: 'namecheap.domains.create',
  GODADDY: '/v3/domains/registrations',
  PORKBUN: '/domain/create',
  REGRU: 'domain/create',
} as const

/** Behavior common to all registrars. Repeating a step leads to the same state. */
for (const testedProvider of vendors) {
  const { name: providerName, provider, credential, quotes } = testedProvider
  describe(`${providerName} is a registrar`, () => {
    let stage: Awaited<ReturnType<typeof startProvider>>
    let market: Market
    let account: MarketAccount
    let simulator: ProviderSimulator
    let connection: RegistrarConnection
    const held = Array.from({ length: 60 }, (_, index) => ({
      name: `held-${String(index).padStart(2, '0')}.com`,
      autoRenew: index % 2 === 0,
    }))

    beforeAll(async () => {
      stage = await startProvider(testedProvider, held)
      ;({ market, account, simulator } = stage)
      connection = stage.connect()
    })
    afterAll(() => stage.close())

    const confirmedOf = (name: string): ConfirmedPrice => {
      const own = market.price(account, name)
      if (own === null) throw new Error(`${name} is not sold`)
      return { price: { minor: own.registerMinor, currency: account.currency }, years: 1, premium: false }
    }
    const bought = (name: string) => market.ledger.filter((entry) => entry.name === name)

    test('R-REG-05 valid credentials are accepted', async () => {
      for (const turn of [1, 2]) {
        const findings = await connection.examine(person)
        expect(
          findings.filter(({ state }) => state === 'failed'),
          `turn ${turn}`,
        ).toEqual([])
        expect(findings.map(({ id }) => id)).toContain('credentials')
      }
    })

    test('R-REG-05 invalid credentials are reported in the provider’s words and without the credentials', async () => {
      const wrong = Object.fromEntries(
        Object.keys(credential).map((field) => [field, field === 'clientIp' ? '203.0.113.1' : `wrong-${field}-value`]),
      )
      const findings = await stage.connect({ credential: wrong }).examine(person)
      const [failed] = findings.filter(({ state }) => state === 'failed')
      expect(failed?.id).toBe('credentials')
      expect(failed?.message).toBeTruthy()
      await expect(stage.connect({ credential: wrong }).listNames(null, person)).rejects.toMatchObject({ code: 'registrar_auth' })
      expect(JSON.stringify(findings)).not.toContain('wrong-')
    })

    test('R-REG-05 reports the balance', async () => {
      for (const _ of [1, 2]) {
        const balance = await connection.balance(person)
        // GoDaddy charges the account's payment method.
        if (provider === 'GODADDY') expect(balance).toBeNull()
        expect(balance ?? { minor: account.balanceMinor, currency: account.currency }).toEqual({
          minor: account.balanceMinor,
          currency: account.currency,
        })
      }
    })

    test('R-REG-05 lists every name once with its expiry, in a finite number of pages', async () => {
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

    test('reports one name, and reports another one as absent', async () => {
      expect(await connection.getName('held-03.com', person)).toMatchObject({ name: 'held-03.com' })
      await expect(connection.getName('not-here-free.com', person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test('R-BUY-01 answers for every requested name in order: free with a price, taken, not sold', async () => {
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
          if (answer.state !== 'available' || answer.price === null) {
            if (answer.state === 'available') expect(quotes.registration).toBe(false)
            continue
          }
          expect(answer.price).toEqual({ minor: market.price(account, answer.name)?.registerMinor, currency: account.currency })
        }
      }
    })

    test.skipIf(!quotes.registration)('R-BUY-03 buys a name once; a second order is refused or gets the result of the first', async () => {
      const [order, confirmed, key] = [orderOf('free-bought.com'), confirmedOf('free-bought.com'), 'key-of-free-bought.com']
      const first = await buy(connection, order, confirmed, key)
      expect(first).toMatchObject({ name: 'free-bought.com', complete: true })
      expect(bought('free-bought.com')).toHaveLength(1)
      await expect(buy(connection, order, confirmed, key)).rejects.toMatchObject({ code: 'registrar_name_taken' })
      expect(bought('free-bought.com')).toHaveLength(1)
      expect(await connection.getName('free-bought.com', person)).toMatchObject({ name: 'free-bought.com' })
    })

    test.skipIf(!quotes.registration)(
      'R-BUY-03 does not repeat an order whose answer was lost, unless the provider deduplicates it',
      async () => {
        const [order, confirmed] = [orderOf('free-lost.com'), confirmedOf('free-lost.com')]
        simulator.faults.add({ path: orderPaths[provider], times: 1, effect: { kind: 'cut-body' } })
        await buy(connection, order, confirmed).catch(() => undefined)
        simulator.faults.clear()
        expect(bought('free-lost.com').length).toBeLessThanOrEqual(1)
        // The outcome is determined by a look-up.
        const found = await connection.getName('free-lost.com', person).then(
          () => 1,
          () => 0,
        )
        expect(found).toBe(bought('free-lost.com').length)
      },
    )

    test.skipIf(!quotes.registration)('R-BUY-02 reports insufficient funds in the provider’s words', async () => {
      const { balanceMinor } = account
      account.balanceMinor = 1
      onTestFinished(() => void (account.balanceMinor = balanceMinor))
      await expect(buy(connection, orderOf('free-expensive.com'), confirmedOf('free-expensive.com'))).rejects.toMatchObject({
        code: 'registrar_money',
      })
      expect(bought('free-expensive.com')).toEqual([])
    })

    test('R-REG-05 reports renewal prices by zone, or that it has no such list', async () => {
      for (const _ of [1, 2]) {
        const prices = await connection.renewalPrices(person)
        if (account.provider === 'GODADDY') expect(prices).toBeNull()
        else {
          const minor = market.price(account, 'some-ordinary-name.com')?.renewMinor
          expect(prices?.get('com')).toEqual({ minor, currency: account.currency })
        }
      }
    })

    test.skipIf(!quotes.registration)('does not buy a name that is taken', async () => {
      await expect(buy(connection, orderOf('taken-two.com'), confirmedOf('taken-two.com'))).rejects.toMatchObject({
        code: 'registrar_name_taken',
      })
      expect(bought('taken-two.com')).toEqual([])
    })

    test('R-REG-05 sets the name servers and reads them back', async () => {
      const wanted = ['cruz.ns.cloudflare.com', 'lola.ns.cloudflare.com']
      const others = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
      // Alternating, so that an earlier value is requested again and applied.
      for (const servers of [wanted, wanted, others, wanted, others]) {
        await connection.setNameServers('held-05.com', servers, person)
        expect(await connection.getNameServers('held-05.com', person)).toEqual(servers)
      }
      await expect(connection.setNameServers('not-here-free.com', wanted, person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test('switches automatic renewal, or has no call for it', async () => {
      const { setAutoRenew } = connection
      if (setAutoRenew === null) {
        expect(provider === 'NAMECHEAP' || account.credential['apiToken'] !== undefined).toBe(true)
        return
      }
      for (const enabled of [false, false, true, false, true]) {
        await setAutoRenew('held-07.com', enabled, person)
        expect(account.names.get('held-07.com')?.autoRenew).toBe(enabled)
      }
      await expect(setAutoRenew('not-here-free.com', true, person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test('lists, adds and removes DS records, or has no call for them', async () => {
      const { dsRecords } = connection
      expect(dsRecords !== null).toBe(provider === 'PORKBUN')
      if (dsRecords === null) return
      const record = { keyTag: 2371, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) }
      expect(await dsRecords.list('held-07.com', person)).toEqual([])
      await dsRecords.add('held-07.com', record, person)
      expect(await dsRecords.list('held-07.com', person)).toEqual([record])
      await dsRecords.remove('held-07.com', record, person)
      expect(await dsRecords.list('held-07.com', person)).toEqual([])
      await expect(dsRecords.list('not-here-free.com', person)).rejects.toMatchObject({ code: 'registrar_not_found' })
    })

    test.skipIf(!quotes.renewal)('renews a name', async () => {
      const before = await connection.getName('held-06.com', person)
      const minor = market.price(account, 'held-06.com')?.renewMinor ?? 0
      await renew(connection, 'held-06.com', 1, { price: { minor, currency: account.currency }, years: 1, premium: false })
      const after = await connection.getName('held-06.com', person)
      expect((after.expiresAt?.getTime() ?? 0) - (before.expiresAt?.getTime() ?? 0)).toBeGreaterThan(360 * 86_400_000)
    })

    test('reports an IP address that may not call as such', async () => {
      account.allowedAddresses = ['198.51.100.1']
      await expect(connection.listNames(null, person)).rejects.toMatchObject({ code: 'registrar_address' })
      const findings = await connection.examine(person)
      expect(findings).toContainEqual(expect.objectContaining({ id: 'address', state: 'failed' }))
      account.allowedAddresses = null
    })

    test('retries HTML, truncated or malformed responses to reads and reports a lasting failure', async () => {
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
