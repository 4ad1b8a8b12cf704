import { hundredthsOf } from '#server/integrations/registrars/money.ts'
import type { Money } from '#server/ports/registrar.ts'
import type * as wire from './wire.ts'

const usual = 'USD'

/** Terms by zone (`com`, `co.uk`), shortest first. */
export type TermsByZone = ReadonlyMap<string, readonly ListedTerm[]>
/** `fees` are included in the price. Null: the term is listed with an unreadable price. */
export type ListedTerm = { readonly years: number; readonly price: Money | null; readonly fees: number }

const isNone = (text: string | null | undefined): boolean => (text ?? '') === '' || hundredthsOf(text) === 0

/** For the whole term: `MULTIPLE` prices are per year, `ABSOLUTE` ones per term. Null: neither is given, or the amount is unreadable. */
function wholeOf(text: string | null | undefined, type: string | null | undefined, years: number): number | null {
  const minor = hundredthsOf(text)
  if (minor === null || years === 1) return minor
  switch (type?.toUpperCase()) {
    case 'ABSOLUTE':
      return minor
    case 'MULTIPLE':
      return minor * years
    default:
      return null
  }
}

/**
 * The cost of an order for the term: the first of Price (with promotions), YourPrice and RegularPrice that is present, plus the additional
 * cost (ICANN's fee) per year. If the two fields of that differ the larger one counts, so that no more than the displayed amount is
 * charged.
 */
function termPrice(row: wire.PriceRow): (Money & { readonly fees: number }) | null {
  const years = yearsOf(row)
  if (years === null) return null
  const fields = [
    [row.Price, row.PricingType],
    [row.YourPrice, row.YourPriceType],
    [row.RegularPrice, row.RegularPriceType],
  ] as const
  const [text, type] = fields.find(([each]) => !isNone(each)) ?? []
  const own = wholeOf(text, type, years)
  const additional = [row.AdditionalCost, row.YourAdditonalCost, row.YourAdditionalCost]
    .filter((cost) => (cost ?? '') !== '')
    .map(hundredthsOf)
  // An unreadable fee is not zero.
  if (own === null || additional.includes(null)) return null
  const fees = Math.max(0, ...additional.map(Number)) * years
  return { minor: own + fees, currency: row.Currency ?? usual, fees }
}

function yearsOf({ Duration, DurationType }: wire.PriceRow): number | null {
  const years = Number(Duration)
  return Number.isInteger(years) && years >= 1 && (DurationType ?? 'YEAR').toUpperCase() === 'YEAR' ? years : null
}

/** One entry per term; of several prices the highest counts, or none if one is unreadable. */
function termsOfRows(rows: readonly wire.PriceRow[]): readonly ListedTerm[] {
  const terms = new Map<number, ListedTerm>()
  for (const row of rows) {
    const years = yearsOf(row)
    if (years === null) continue
    const found = termPrice(row)
    const term: ListedTerm = {
      years,
      price: found === null ? null : { minor: found.minor, currency: found.currency },
      fees: found?.fees ?? 0,
    }
    const before = terms.get(years)
    if (before === undefined || (before.price !== null && (term.price === null || term.price.minor > before.price.minor)))
      terms.set(years, term)
  }
  return [...terms.values()].toSorted((one, other) => one.years - other.years)
}

export function termsOf(answer: wire.Pricing, action: 'REGISTER' | 'RENEW'): TermsByZone {
  const rows = new Map<string, wire.PriceRow[]>()
  for (const { ProductCategory } of answer.UserGetPricingResult.ProductType) {
    for (const { Name, Product } of ProductCategory) {
      if (Name.toUpperCase() !== action) continue
      for (const { Name: zone, Price } of Product ?? []) rows.set(zone.toLowerCase(), [...(rows.get(zone.toLowerCase()) ?? []), ...Price])
    }
  }
  return new Map([...rows].map(([zone, some]) => [zone, termsOfRows(some)]))
}

export const priceFor = (terms: readonly ListedTerm[] | undefined, years: number): Money | null =>
  terms?.find((term) => term.years === years)?.price ?? null

/** A premium name's own price with fees, per year; null: unknown. */
export function premiumPrice(price: string | null | undefined, ...fees: readonly (string | null | undefined)[]): Money | null {
  const minor = hundredthsOf(price)
  const more = fees.filter((fee) => (fee ?? '') !== '').map(hundredthsOf)
  if (minor === null || minor === 0 || more.includes(null)) return null
  return { minor: more.map(Number).reduce((sum, each) => sum + each, minor), currency: usual }
}
