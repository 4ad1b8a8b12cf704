import type { Money } from '#server/ports/registrar.ts'

/**
 * A decimal amount as written by providers (`11.28`, `10.4600`, `2,060.25`) in hundredths. Parsed digit by digit, because floats lose
 * cents; fractions of a hundredth are rounded up, so that a price is never displayed too low. Null: missing or unparseable.
 */
export function hundredthsOf(text: string | number | null | undefined): number | null {
  const [, whole, fraction = ''] = /^(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.(\d{1,8}))?$/.exec(String(text ?? '').trim()) ?? []
  if (whole === undefined) return null
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  return /[1-9]/.test(fraction.slice(2)) ? cents + 1 : cents
}

export const moneyOf = (text: string | number | null | undefined, currency: string): Money | null => {
  const minor = hundredthsOf(text)
  return minor === null ? null : { minor, currency }
}
