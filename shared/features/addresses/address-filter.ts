import { z } from 'zod'

/** What the address filter of a list selects: exactly one address, a network, or (by a trailing `*`) every address that begins so. */
export interface AddressFilter {
  readonly kind: 'address' | 'network' | 'prefix'
  /** Lower case; of a prefix without the `*`. */
  readonly value: string
}

const address = z.union([z.ipv4(), z.ipv6()])
const network = z.union([z.cidrv4(), z.cidrv6()])
const prefix = /^(?:\d{1,3}(?:\.\d{1,3}){0,3}\.?|[\da-f]{1,4}(?::[\da-f]{0,4}){0,7})\*$/

/** Null where the text is none of the three forms: a part of an address selects nothing. */
export function parseAddressFilter(text: string): AddressFilter | null {
  const value = text.trim().toLowerCase()
  if (address.safeParse(value).success) return { kind: 'address', value }
  if (network.safeParse(value).success) return { kind: 'network', value }
  return prefix.test(value) ? { kind: 'prefix', value: value.slice(0, -1) } : null
}

/** `203.0.113.7`, `203.0.113.0/24` or `203.0.113.*`. */
export const addressFilterText = z
  .string()
  .trim()
  .max(64)
  .refine((text) => parseAddressFilter(text) !== null, 'invalid_address_filter')
