import { domainToUnicode } from 'node:url'
import { hundredthsOf } from '#server/integrations/registrars/money.ts'
import type { Money, Term } from '#server/ports/registrar.ts'
import type * as wire from './wire.ts'

const longestYears = 10

/** The prices of the name's exact zone: `a.msk.ru` has another price than `a.ru`. */
export function priceOf(prices: Readonly<Record<string, wire.Price>>, name: string): wire.Price | undefined {
  const dot = name.indexOf('.')
  const zone = name.slice(dot + 1)
  // The list has zones in Unicode, and a separate entry if internationalized names cost something else.
  const unicode = domainToUnicode(zone)
  return (name.startsWith('xn--') && !zone.startsWith('xn--') ? prices[`__idn.${zone}`] : undefined) ?? prices[unicode] ?? prices[zone]
}

export const forYears = (perYear: string | null | undefined, years: number, currency: string): Money | null => {
  const minor = hundredthsOf(perYear)
  return minor === null || minor === 0 ? null : { minor: minor * years, currency }
}

/** The list has the price per year; the minimum and maximum years are beside it. */
export function termsOf({ reg_price, reg_min_period, reg_max_period }: wire.Price, currency: string): readonly Term[] {
  // Without it the number of years for the price is unknown.
  if (reg_min_period === null || reg_min_period === undefined) return []
  const shortest = reg_min_period
  const longest = Math.max(shortest, Math.min(reg_max_period ?? shortest, longestYears))
  return Array.from({ length: longest - shortest + 1 }, (_, more) => shortest + more).flatMap((years) => {
    const price = forYears(reg_price, years, currency)
    return price === null ? [] : [{ years, price }]
  })
}
