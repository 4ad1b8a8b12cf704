import type { Money, Term } from '#server/ports/registrar.ts'

/** The longest that any zone is sold for. */
const mostYears = 10

/** Terms by zone (`com`, `co.uk`), shortest first. */
export type TermsByZone = ReadonlyMap<string, readonly Term[]>

/** What so many years cost; undefined: not in the list. */
export const priceFor = (terms: readonly Term[] | undefined, years: number): Money | undefined =>
  terms?.find((term) => term.years === years)?.price

/**
 * For providers that tell prices of one term only: what they charge for longer ones they say when they sell. Reckoned with each further year at the price of
 * a renewal, where that is told in the same currency, because the price of the first year is often a lower one for newcomers.
 * @param longest in years
 */
export function reckonTerms(first: Term, renewal: Money | null, longest: number = mostYears): readonly Term[] {
  const { years, price } = first
  const further = renewal?.currency === price.currency ? renewal.minor : price.minor / years
  return Array.from({ length: Math.max(0, Math.min(longest, mostYears) - years + 1) }, (_, more) => ({
    years: years + more,
    price: { minor: Math.round(price.minor + further * more), currency: price.currency },
  }))
}
