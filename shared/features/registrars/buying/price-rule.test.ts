import { describe, expect, test } from 'vitest'
import { acceptQuote, priceRefusal } from './price-rule.ts'
import type { ConfirmedPrice, QuotedPrice } from './price-rule.ts'

const usd = (minor: number) => ({ minor, currency: 'USD' })
const confirmed: ConfirmedPrice = { price: usd(1_148), years: 1, premium: false }
const quoted = (others: Partial<QuotedPrice> = {}): QuotedPrice => ({ total: usd(1_148), years: 1, premium: false, ...others })

describe('R-BUY-02 the price rule', () => {
  test.each<[string, QuotedPrice, ConfirmedPrice, string | null]>([
    ['the confirmed price', quoted(), confirmed, null],
    ['a lower price', quoted({ total: usd(1) }), confirmed, null],
    ['one cent more', quoted({ total: usd(1_149) }), confirmed, 'registrar_price_changed'],
    ['another currency', quoted({ total: { minor: 1_148, currency: 'EUR' } }), confirmed, 'registrar_price_changed'],
    ['another term', quoted({ years: 2 }), confirmed, 'registrar_term'],
    ['no price', quoted({ total: null }), confirmed, 'registrar_price_unknown'],
    ['a price of zero', quoted({ total: usd(0) }), confirmed, 'registrar_price_unknown'],
    ['a negative price', quoted({ total: usd(-1) }), confirmed, 'registrar_price_unknown'],
    ['a price that is no number', quoted({ total: usd(Number.NaN) }), confirmed, 'registrar_price_unknown'],
    ['a fraction of a cent', quoted({ total: usd(10.5) }), confirmed, 'registrar_price_unknown'],
    ['a premium name that was not confirmed as one', quoted({ premium: true }), confirmed, 'premium_not_agreed'],
    ['a premium name that was confirmed', quoted({ premium: true }), { ...confirmed, premium: true }, null],
    ['an ordinary name that was confirmed as premium', quoted(), { ...confirmed, premium: true }, null],
  ])('%s', (_, quote, price, refusal) => {
    expect(priceRefusal(quote, price)).toBe(refusal)
    if (refusal === null) expect(acceptQuote(quote, price)).toBe(quote)
    else expect(() => acceptQuote(quote, price)).toThrow(refusal)
  })
})
