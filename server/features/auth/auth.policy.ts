import ipaddr from 'ipaddr.js'

const minute = 60_000

/** Attempts per window. Failed sign-ins count by address and by email (sign-in-limits.ts), registrations by address. */
export const signInByAddress = { limit: 50, windowMs: 15 * minute }
export const signInByAddressAndEmail = { limit: 10, windowMs: 15 * minute }
/** Over all addresses: this many, then one a minute. */
export const signInByEmail = { burst: 10, everyMs: minute }
export const confirmationBySession = { limit: 10, windowMs: 15 * minute }
export const registrationByAddress = { limit: 100, windowMs: 60 * minute }

/** The subscriber of an address: one IPv4 host, or an IPv6 /64. */
export function subscriberOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}

/** The /48 of an IPv6 customer, with 65,536 /64 networks; null for IPv4. */
export function networkOf(address: string | null): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return null
  const [first = 0, second = 0, third = 0] = parsed.parts
  return `${[first, second, third].map((part) => part.toString(16)).join(':')}::/48`
}
/** The limit of such a network, as a multiple of one subscriber's. */
export const networkFactor = 10

/** The email's local part, reduced to safe characters, with a number if it is taken. `taken` is in lower case. */
export function usernameFor(email: string, taken: ReadonlySet<string>): string {
  const base = usernameBase(email)
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base}${number}`)) number += 1
  return `${base}${number}`
}

export const usernameBase = (email: string): string =>
  email
    .slice(0, email.lastIndexOf('@'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, 64)
