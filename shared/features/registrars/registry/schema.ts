import { z } from 'zod'

const instant = z.iso.datetime()

/** The source of an expiry date: the registrar's list, or else the registry. */
export const paidSource = z.enum(['registrar', 'registry'])
export type PaidSource = z.infer<typeof paidSource>

/** Why a registry gave no answer. */
export const registryFault = z.enum(['directory', 'busy', 'limited', 'refused', 'timeout', 'unavailable', 'unreadable', 'closed'])

/** The registry data of a domain, from RDAP. */
export const registryView = z.object({
  /** The registered name: the domain, or the one it is below. */
  name: z.string(),
  /**
   * `unread`: not queried yet; `unreachable`: queried and never answered; `not_offered`: the registry of this top-level domain offers no RDAP.
   */
  state: z.enum(['unread', 'found', 'not_found', 'not_offered', 'unreachable']),
  /** Null if the registry does not report it. */
  expiresAt: instant.nullable(),
  /** As the registry spells them. */
  statuses: z.array(z.string()),
  registrar: z.string().nullable(),
  nameServers: z.array(z.string()),
  /** The time of the last answer. */
  readAt: instant.nullable(),
  /** Whether the last query failed. */
  fault: registryFault.nullable(),
  /** The next automatic query; null: none, because a registrar reports the date. */
  nextAt: instant.nullable(),
})
export type RegistryView = z.infer<typeof registryView>

/** The best known expiry date of a domain. */
export const paid = z.object({
  until: instant,
  source: paidSource,
  /** When the source reported it. */
  readAt: instant,
  /** The registrar that reports it; null: the registry does. */
  registrar: z.string().nullable(),
})
export const domainRegistryInput = z.object({ id: z.uuid() })
export const domainRegistry = z.object({ paid: paid.nullable(), registry: registryView })
export type DomainRegistry = z.infer<typeof domainRegistry>
