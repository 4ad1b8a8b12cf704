import ipaddr from 'ipaddr.js'

const minute = 60_000

/** Tries in a window. Failed sign-ins count by address and by email (sign-in-limits.ts), registrations by address. */
export const signInByAddress = { limit: 50, windowMs: 15 * minute }
export const signInByAddressAndEmail = { limit: 10, windowMs: 15 * minute }
/** Over all addresses: so many, then one a minute. */
export const signInByEmail = { burst: 10, everyMs: minute }
export const confirmationBySession = { limit: 10, windowMs: 15 * minute }
export const registrationByAddress = { limit: 100, windowMs: 60 * minute }

/** Whom an address stands for: one IPv4 host, or the /64 that one IPv6 subscriber has. */
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

/** The /48 that an IPv6 customer may have, with 65,536 of the above in it; null for IPv4. */
export function networkOf(address: string | null): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return null
  const [first = 0, second = 0, third = 0] = parsed.parts
  return `${[first, second, third].map((part) => part.toString(16)).join(':')}::/48`
}
/** How many times as much as one subscriber all of such a network may do together. */
export const networkFactor = 10

/** The email's local part, cut to what is safe anywhere, with a number behind it where it is taken. `taken` is in lower case. */
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
