import { z } from 'zod'
import { zoneStatus } from '#shared/features/domains/schema.ts'

/** An address that domains point to: of a server (A, AAAA), or the target of a CNAME. A CNAME within its own domain is not counted. */
export const originAddress = z.object({
  address: z.string(),
  type: z.enum(['A', 'AAAA', 'CNAME']),
  domains: z.int(),
  records: z.int(),
  /** The number of records behind the provider's proxy. */
  proxied: z.int(),
})
export type OriginAddress = z.infer<typeof originAddress>

export const addressSort = z.object({
  by: z.enum(['domains', 'records', 'address']).default('domains'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type AddressSort = z.infer<typeof addressSort>

const page = { cursor: z.string().max(1_000).optional(), limit: z.int().min(1).max(200).default(50) }
/** Administrators see all owners; this filters by one. */
const ownerId = z.uuid().optional()

export const listAddressesInput = z.object({
  /** Part of the address. */
  search: z.string().trim().max(255).optional(),
  type: originAddress.shape.type.optional(),
  ownerId,
  sort: addressSort.prefault({}),
  ...page,
})
/** `total`: all matches over all pages. */
export const listAddressesOutput = z.object({ addresses: z.array(originAddress), total: z.int(), nextCursor: z.string().nullable() })

export const addressDomainsInput = z.object({ address: z.string().trim().min(1).max(2_048), ownerId, ...page })
export const addressDomain = z.object({
  id: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  status: zoneStatus,
  account: z.string(),
  /** Domains that point to the address. */
  records: z.array(z.object({ type: originAddress.shape.type, name: z.string(), proxied: z.boolean() })),
})
export type AddressDomain = z.infer<typeof addressDomain>
/** Sorted by name. */
export const addressDomainsOutput = z.object({ domains: z.array(addressDomain), nextCursor: z.string().nullable() })
