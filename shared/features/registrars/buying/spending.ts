import { z } from 'zod'
import type { MoneyView } from '../schema.ts'

/**
 * The value of a currency's smallest unit in US cents, for limits only: nothing is charged by these rates. They are set rather high, so that a
 * limit is reached early rather than late.
 */
export const centsPerMinor: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.25,
  GBP: 1.45,
  CHF: 1.35,
  CAD: 0.85,
  AUD: 0.8,
  NZD: 0.75,
  SGD: 0.85,
  BRL: 0.25,
  CNY: 0.16,
  INR: 0.014,
  JPY: 0.8,
  KZT: 0.0025,
  MXN: 0.065,
  PLN: 0.31,
  RUB: 0.016,
  TRY: 0.035,
  UAH: 0.028,
  ZAR: 0.065,
}

/** An amount in US cents; null for an unknown currency, which exceeds every limit. */
export function usdCentsOf({ minor, currency }: MoneyView): number | null {
  const rate = centsPerMinor[currency]
  return rate === undefined ? null : Math.ceil(minor * rate)
}

/** The maximum of a limit, in whole US dollars. */
export const mostUsd = 1_000_000

/** A limit in whole US dollars. */
export const usdLimit = z
  .int({ error: ({ input }) => (input === undefined || input === null ? 'required' : 'invalid_value') })
  .min(0, 'too_small')
  .max(mostUsd, 'too_big')
