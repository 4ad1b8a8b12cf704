import { hundredthsOf } from '#server/integrations/registrars/money.ts'
import type { Money, Term } from '#server/ports/registrar.ts'
import type * as wire from './wire.ts'

const usual = 'USD'

/** Terms by zone (`com`, `co.uk`), shortest first. */
export type TermsByZone = ReadonlyMap<string, readonly TermWithFees[]>
/** `fees` are in the price. */
type TermWithFees = Term & { readonly fees: number }

/**
 * What an order of the term costs: the first of Price (promotions included), YourPrice and RegularPrice that is not nothing, and the additional cost (ICANN's
 * fee) for each year. Where the two fields of that differ the larger one counts, so that nothing is charged beyond what was shown.
 */
export function termPrice(row: wire.PriceRow): (Money & { readonly fees: number }) | null {
  const own = [row.Price, row.YourPrice, row.RegularPrice].map(hundredthsOf).find((minor) => minor !== null && minor > 0) ?? null
  const years = Number(row.Duration)
  if (own === null || !Number.isInteger(years) || years < 1 || (row.DurationType ?? 'YEAR').toUpperCase() !== 'YEAR') return null
  const additional = [row.AdditionalCost, row.YourAdditonalCost, row.YourAdditionalCost]
    .filter((cost) => (cost ?? '') !== '')
    .map(hundredthsOf)
  // A fee that cannot be read is no fee of nothing.
  if (additional.includes(null)) return null
  const fees = Math.max(0, ...additional.map(Number)) * years
  return { minor: own + fees, currency: row.Currency ?? usual, fees }
}

export function termsOf(answer: wire.Pricing, action: 'REGISTER' | 'RENEW'): TermsByZone {
  const found = new Map<string, readonly TermWithFees[]>()
  for (const { ProductCategory } of answer.UserGetPricingResult.ProductType) {
    for (const { Name, Product } of ProductCategory) {
      if (Name.toUpperCase() !== action) continue
      for (const { Name: zone, Price } of Product ?? []) {
        const terms = Price.flatMap((row) => {
          const found = termPrice(row)
          if (found === null) return []
          const { fees, ...price } = found
          return [{ years: Number(row.Duration), price, fees }]
        })
        found.set(
          zone.toLowerCase(),
          terms.toSorted((one, other) => one.years - other.years),
        )
      }
    }
  }
  return found
}

export const priceFor = (terms: readonly Term[] | undefined, years: number): Money | null =>
  terms?.find((term) => term.years === years)?.price ?? null

/** A premium name's own price with its fees, for a year; null: unknown. */
export function premiumPrice(price: string | null | undefined, ...fees: readonly (string | null | undefined)[]): Money | null {
  const minor = hundredthsOf(price)
  const more = fees.filter((fee) => (fee ?? '') !== '').map(hundredthsOf)
  if (minor === null || minor === 0 || more.includes(null)) return null
  return { minor: more.map(Number).reduce((sum, each) => sum + each, minor), currency: usual }
}
