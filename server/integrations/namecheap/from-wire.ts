import { offered, toServers, unavailable } from '#server/integrations/registrars/adapter-parts.ts'
import { hundredthsOf } from '#server/integrations/registrars/money.ts'
import type { Availability, Money, RegisteredName } from '#server/ports/registrar.ts'
import { isNotSold } from './map-error.ts'
import { premiumPrice } from './prices.ts'
import type { ListedTerm } from './prices.ts'
import type * as wire from './wire.ts'

/** MM/DD/YYYY, a date without time; some responses append the time. */
const toDate = (text: string | null | undefined): Date | null => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text ?? '') ?? []
  return month === undefined || day === undefined || year === undefined
    ? null
    : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

export const toListed = (listed: wire.Listed): RegisteredName => ({
  name: listed.Name.toLowerCase(),
  status: listed.IsExpired === null ? null : listed.IsExpired ? 'expired' : 'active',
  createdAt: toDate(listed.Created),
  expiresAt: toDate(listed.Expires),
  autoRenew: listed.AutoRenew,
  locked: listed.IsLocked,
  privacy: listed.WhoisGuard === null || listed.WhoisGuard === undefined ? null : listed.WhoisGuard.toUpperCase() === 'ENABLED',
  nameServers: null,
})

export const toHeld = (info: wire.Info): RegisteredName => ({
  name: info.DomainName.toLowerCase(),
  status: info.Status?.toLowerCase() ?? null,
  createdAt: toDate(info.DomainDetails?.CreatedDate),
  expiresAt: toDate(info.DomainDetails?.ExpiredDate),
  autoRenew: null,
  locked: null,
  privacy: info.Whoisguard?.Enabled ?? null,
  nameServers: toServers(info.DnsDetails?.Nameserver ?? []),
})

/** The zone of a name: everything after its first label. Below some zones third parties sell names at their own prices (`us.com`). */
export const zoneOf = (name: string): string => name.slice(name.indexOf('.') + 1)

/** `example.co.uk` is `example` and `co.uk`. */
export const partsOf = (name: string): { SLD: string; TLD: string } => {
  const TLD = zoneOf(name)
  return { SLD: name.slice(0, -TLD.length - 1), TLD }
}

export const hasEapFee = ({ EapFee }: wire.Checked): boolean => (EapFee ?? '') !== '' && hundredthsOf(EapFee) !== 0

export function toAvailability(
  name: string,
  found: wire.Checked | undefined,
  terms: readonly ListedTerm[],
  renewal: Money | null,
): Availability {
  if (found === undefined) return unavailable(name)
  const number = found.ErrorNo ?? '0'
  if (number !== '0')
    return { name, state: isNotSold(number) ? 'unsupported' : 'unknown', code: number, message: found.Description ?? null }
  if (found.Available !== true) return { name, state: 'taken' }
  if (found.IsPremiumName === true) {
    const price = premiumPrice(found.PremiumRegistrationPrice, found.IcannFee, found.EapFee)
    // The price of more years of such a name is not published.
    const later = premiumPrice(found.PremiumRenewalPrice, found.IcannFee)
    return offered(name, [{ years: 1, price }], later, true)
  }
  // Fees of an early access phase are in no price list.
  return offered(name, hasEapFee(found) ? terms.slice(0, 1).map(({ years }) => ({ years, price: null })) : terms, renewal)
}
