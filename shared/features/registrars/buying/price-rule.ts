import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'

/** In the currency's smallest unit, together with the currency: amounts in different currencies are never compared. */
interface Amount {
  readonly minor: number
  /** ISO 4217, upper case. */
  readonly currency: string
}

/** What a registrar would charge, fetched right before the order. */
export interface QuotedPrice {
  /** For the whole term, including taxes and fees. Null: the registrar does not publish it, or it could not be read. */
  readonly total: Amount | null
  readonly years: number
  readonly premium: boolean
}

/** What a person confirmed: at most this price, for this term. */
export interface ConfirmedPrice {
  readonly price: Amount
  readonly years: number
  /** Accepts a premium price. */
  readonly premium: boolean
}

declare const accepted: unique symbol
/** Orders accept only this type, and only `acceptQuote` creates it, so no order bypasses the rule. */
export type Accepted<Q extends QuotedPrice> = Q & { readonly total: Amount; readonly [accepted]: true }

/**
 * The rule for all registrars and renewals: nothing is ordered unless the price that will be charged was fetched in the same currency and term,
 * includes fees, and is at most what was confirmed. Null: it may be ordered.
 */
export function priceRefusal({ total, years, premium }: QuotedPrice, confirmed: ConfirmedPrice): ErrorCode | null {
  // A price of zero is an unset field: no registrar sells for free.
  if (total === null || !Number.isSafeInteger(total.minor) || total.minor <= 0) return 'registrar_price_unknown'
  if (premium && !confirmed.premium) return 'premium_not_agreed'
  if (years !== confirmed.years) return 'registrar_term'
  return total.currency !== confirmed.price.currency || total.minor > confirmed.price.minor ? 'registrar_price_changed' : null
}

/** @throws AppError registrar_price_unknown, premium_not_agreed, registrar_term, registrar_price_changed: nothing may be ordered */
export function acceptQuote<Q extends QuotedPrice>(quote: Q, confirmed: ConfirmedPrice): Accepted<Q> {
  const refusal = priceRefusal(quote, confirmed)
  if (refusal !== null) throw new AppError(refusal)
  return quote as Accepted<Q>
}
