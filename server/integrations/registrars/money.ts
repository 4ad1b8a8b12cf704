import type { Money } from '#server/ports/registrar.ts'

/**
 * A decimal amount as providers write it (`11.28`, `10.4600`, `2,060.25`) in hundredths. Read digit by digit, because floats lose cents; what is beyond a
 * hundredth counts as a whole one, so that a price is never shown lower than it is. Null: no amount, or one that is not understood.
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
