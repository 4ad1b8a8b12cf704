import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import type { ConfirmedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import type { RegistrarConnection } from '#server/ports/registrar.ts'
import { buy, orderOf, person, renew, startProvider, vendors } from '#server/testing/registrar-providers.ts'

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const usual = 10 * 60_000

/**
 * One rule for all registrars: an order requires that the price to be charged was read in the same currency and term, includes fees, and is
 * at most the confirmed one; an unreadable price is refused.
 */
for (const testedProvider of vendors) {
  describe(`R-BUY-02 ${testedProvider.name} orders nothing outside the confirmed price`, () => {
    let stage: Awaited<ReturnType<typeof startProvider>>
    let connection: RegistrarConnection
    const held = [
      'held-one.com',
      'held-two.com',
      'held-three.com',
      'held-four.com',
      'held-five.com',
      'held-premium.com',
      'held-long.ai',
      'held-below.us.com',
    ]

    beforeAll(async () => {
      stage = await startProvider(
        testedProvider,
        [...held, ...Array.from({ length: 50 }, (_, index) => `more-${index}.com`)].map((name) => ({ name })),
      )
      stage.account.balanceMinor = 1_000_000_000
      connection = stage.connect()
    }, usual)
    afterAll(() => stage.close())
    beforeEach(() => {
      stage.market.hidesPrices = false
    })

    const charged = (name: string) => stage.market.ledger.filter((entry) => entry.name === name).map(({ amountMinor }) => amountMinor)
    /** As confirmed by a person. */
    const shown = async (name: string, years?: number): Promise<ConfirmedPrice> => {
      const [offer] = await connection.check([name], person)
      if (offer?.state !== 'available') throw new Error(`${name} is ${offer?.state ?? 'not answered'}`)
      const term = years ?? offer.years
      const price = term === offer.years ? offer.price : offer.longer.find((longer) => longer.years === term)?.price
      if (price === null || price === undefined) throw new Error(`no price of ${name}`)
      return { price, years: term, premium: offer.premium }
    }
    const renewalOf = (name: string, years = 1): ConfirmedPrice => {
      const minor = (stage.market.price(stage.account, name)?.renewMinor ?? 0) * years
      return { price: { minor, currency: stage.account.currency }, years, premium: true }
    }
    const ofMinor = (confirmed: ConfirmedPrice, minor: number): ConfirmedPrice => ({ ...confirmed, price: { ...confirmed.price, minor } })

    const { registration, renewal } = testedProvider.quotes
    test.skipIf(registration)('a price quoted without fees is refused before anything is sent, whatever price was confirmed', async () => {
      const [offer] = await connection.check(['free-unquoted.com'], person)
      expect(offer).toMatchObject({ state: 'available', price: null, longer: [] })
      const confirmed = { price: { minor: 1_000_000, currency: 'USD' }, years: 1, premium: true }
      expect(await codeOf(buy(connection, orderOf('free-unquoted.com'), confirmed))).toBe('registrar_price_unknown')
      expect(charged('free-unquoted.com')).toEqual([])
    })
    describe.skipIf(!registration)('registrations', () => {
      test('the displayed price includes every fee and is exactly what is charged', async () => {
        for (const name of ['free-exact.com', 'free-exact.xyz', 'free-exact.ru', 'free-exact.us.com']) {
          const confirmed = await shown(name)
          const bought = await buy(connection, orderOf(name, { years: confirmed.years }), confirmed)
          expect([name, charged(name)]).toEqual([name, [confirmed.price.minor]])
          expect(bought.charged).toEqual(confirmed.price)
        }
      })

      test('a price one hundredth above the confirmed one is refused; the same or a lower one is charged as it is', async () => {
        const confirmed = await shown('free-edge.com')
        const { minor } = confirmed.price
        expect(await codeOf(buy(connection, orderOf('free-edge.com'), ofMinor(confirmed, minor - 1)))).toBe('registrar_price_changed')
        expect(charged('free-edge.com')).toEqual([])
        await buy(connection, orderOf('free-edge.com'), ofMinor(confirmed, minor + 1))
        expect(charged('free-edge.com')).toEqual([minor])
      })

      test('a price increase after confirmation is noticed by the next order, also in a process with older prices', async () => {
        const confirmed = await shown('free-risen.shop')
        await buy(connection, orderOf('free-before.shop'), await shown('free-before.shop'))
        stage.market.changePrice('shop', 3)
        expect(await codeOf(buy(connection, orderOf('free-risen.shop'), confirmed))).toBe('registrar_price_changed')
        expect(charged('free-risen.shop')).toEqual([])
        await buy(connection, orderOf('free-risen.shop'), await shown('free-risen.shop'))
        expect(charged('free-risen.shop')).toEqual([(await shown('free-other.shop')).price.minor])
      })

      test('the same amount in another currency is a different price', async () => {
        const confirmed = await shown('free-currency.com')
        const other = { ...confirmed, price: { minor: confirmed.price.minor * 1_000, currency: 'EUR' } }
        expect(await codeOf(buy(connection, orderOf('free-currency.com'), other))).toBe('registrar_price_changed')
        expect(charged('free-currency.com')).toEqual([])
      })

      test('an unreadable price is refused', async () => {
        const confirmed = await shown('free-hidden.com')
        stage.market.hidesPrices = true
        const [offer] = await connection.check(['free-hidden.com'], person)
        expect(offer).toMatchObject({ state: 'available', price: null })
        expect(await codeOf(buy(connection, orderOf('free-hidden.com'), ofMinor(confirmed, 1_000_000)))).toBe('registrar_price_unknown')
        expect(charged('free-hidden.com')).toEqual([])
      })

      test('a zone with a two-year minimum is displayed and confirmed for two years; one year is refused', async () => {
        const confirmed = await shown('free-minimum.ai')
        expect(confirmed.years).toBe(2)
        const one = await codeOf(buy(connection, orderOf('free-minimum.ai'), { ...confirmed, years: 1 }))
        expect(one).toBe('registrar_term')
        expect(charged('free-minimum.ai')).toEqual([])
        await buy(connection, orderOf('free-minimum.ai', { years: 2 }), confirmed)
        expect(charged('free-minimum.ai')).toEqual([confirmed.price.minor])
      })

      test('longer terms cost the displayed price for all years, or are not sent', async () => {
        if (!testedProvider.quotes.longer) {
          expect(await codeOf(shown('free-long.com', 3))).toBeInstanceOf(Error)
          return
        }
        for (const years of [2, 5, 10]) {
          const name = `free-long-${years}.com`
          const confirmed = await shown(name, years)
          await buy(connection, orderOf(name, { years }), confirmed)
          expect([name, charged(name)]).toEqual([name, [confirmed.price.minor]])
        }
        const two = await shown('free-mixed.com', 2)
        expect(await codeOf(buy(connection, orderOf('free-mixed.com', { years: 3 }), two))).toMatch(/registrar_(term|price_changed)/)
        expect(charged('free-mixed.com')).toEqual([])
      })

      test('a premium name is bought at its own price with fees only if that price was confirmed', async () => {
        const name = 'free-premium.com'
        if (!testedProvider.quotes.premium) {
          const [offer] = await connection.check([name], person)
          expect(offer).toMatchObject({ state: 'unsupported', onWebsite: true })
          const confirmed = { price: { minor: 10_000_000, currency: 'USD' }, years: 1, premium: true }
          expect(await codeOf(buy(connection, orderOf(name), confirmed))).toBe('registrar_website_only')
          expect(charged(name)).toEqual([])
          return
        }
        const confirmed = await shown(name)
        expect(confirmed.premium).toBe(true)
        // The price of more years is either not displayed, or charged as displayed.
        const longer = { ...ofMinor(confirmed, confirmed.price.minor * 3), years: 2 }
        const two = await shown(name, 2).catch(() => null)
        if (two === null) expect(await codeOf(buy(connection, orderOf(name, { years: 2 }), longer))).toBe('registrar_term')
        expect(await codeOf(buy(connection, orderOf(name), { ...confirmed, premium: false }))).toBe('premium_not_agreed')
        expect(await codeOf(buy(connection, orderOf(name), ofMinor(confirmed, confirmed.price.minor - 1)))).toBe('registrar_price_changed')
        expect(charged(name)).toEqual([])
        await buy(connection, orderOf(name), confirmed)
        expect(charged(name)).toEqual([confirmed.price.minor])
      })
    })

    test.skipIf(renewal)('renewals are not quoted, and so not ordered', async () => {
      expect(await codeOf(renew(connection, 'held-one.com', 1, renewalOf('held-one.com')))).toBe('registrar_price_unknown')
      expect(charged('held-one.com')).toEqual([])
    })
    describe.skipIf(!renewal)('renewals', () => {
      test('a renewal costs at most the confirmed price in the same currency and term, or is not ordered', async () => {
        const confirmed = renewalOf('held-one.com')
        expect(await codeOf(renew(connection, 'held-one.com', 1, ofMinor(confirmed, confirmed.price.minor - 1)))).toBe(
          'registrar_price_changed',
        )
        const euros = { ...confirmed, price: { minor: 1_000_000, currency: 'EUR' } }
        expect(await codeOf(renew(connection, 'held-one.com', 1, euros))).toBe('registrar_price_changed')
        expect(await codeOf(renew(connection, 'held-one.com', 1, { ...renewalOf('held-one.com', 2), years: 2 }))).toBe('registrar_term')
        expect(charged('held-one.com')).toEqual([])
        const before = (await connection.getName('held-one.com', person)).expiresAt?.getTime() ?? 0
        const renewed = await renew(connection, 'held-one.com', 1, confirmed)
        expect(charged('held-one.com')).toEqual([confirmed.price.minor])
        expect(renewed.charged).toEqual(confirmed.price)
        const after = (await connection.getName('held-one.com', person)).expiresAt?.getTime() ?? 0
        expect(Math.round((after - before) / 86_400_000 / 365)).toBe(1)
      })

      test('a renewal with an unreadable or increased price is not ordered', async () => {
        stage.market.hidesPrices = true
        expect(await codeOf(renew(connection, 'held-two.com', 1, renewalOf('held-two.com')))).toBe('registrar_price_unknown')
        stage.market.hidesPrices = false
        const confirmed = renewalOf('held-three.com')
        stage.market.changePrice('com', 2)
        expect(await codeOf(renew(connection, 'held-three.com', 1, confirmed))).toBe('registrar_price_changed')
        expect(charged('held-three.com')).toEqual([])
        stage.market.changePrice('com', 1)
      })

      test('a zone with a two-year minimum is renewed for two years', async () => {
        const confirmed = renewalOf('held-long.ai', 2)
        await renew(connection, 'held-long.ai', 2, confirmed)
        expect(charged('held-long.ai')).toEqual([confirmed.price.minor])
      })

      test('a name in a third-level zone not sold by its registry is renewed at the price of that zone', async () => {
        const confirmed = renewalOf('held-below.us.com')
        const ofCom = renewalOf('held-one.com')
        expect(ofCom.price.minor).toBeLessThan(confirmed.price.minor)
        expect(await codeOf(renew(connection, 'held-below.us.com', 1, ofCom))).toBe('registrar_price_changed')
        expect(charged('held-below.us.com')).toEqual([])
        await renew(connection, 'held-below.us.com', 1, confirmed)
        expect(charged('held-below.us.com')).toEqual([confirmed.price.minor])
      })

      test('a premium name is renewed at its own price if that was confirmed, or not through the API', async () => {
        const confirmed = renewalOf('held-premium.com')
        if (testedProvider.provider === 'REGRU') {
          // The list contains ordinary prices only.
          expect(await codeOf(renew(connection, 'held-premium.com', 1, confirmed))).toBe('registrar_price_unknown')
          expect(charged('held-premium.com')).toEqual([])
          return
        }
        if (!testedProvider.quotes.premium) {
          expect(await codeOf(renew(connection, 'held-premium.com', 1, confirmed))).toBe('registrar_website_only')
          expect(charged('held-premium.com')).toEqual([])
          return
        }
        expect(await codeOf(renew(connection, 'held-premium.com', 1, { ...confirmed, premium: false }))).toBe('premium_not_agreed')
        expect(charged('held-premium.com')).toEqual([])
        await renew(connection, 'held-premium.com', 1, confirmed)
        expect(charged('held-premium.com')).toEqual([confirmed.price.minor])
      })
    })
  })
}
