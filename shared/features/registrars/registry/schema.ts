import { z } from 'zod'

const instant = z.iso.datetime()

/** Who informs until when a name is registered: its registrar's list, or where that does not, the registry. */
export const paidSource = z.enum(['registrar', 'registry'])
export type PaidSource = z.infer<typeof paidSource>

/** Why a registry gave no answer. */
export const registryFault = z.enum(['directory', 'busy', 'limited', 'refused', 'timeout', 'unavailable', 'unreadable', 'closed'])
export type RegistryFaultView = z.infer<typeof registryFault>

/** What the registry of a domain says, by RDAP. */
export const registryView = z.object({
  /** What was registered: the domain, or what it is a part of. */
  name: z.string(),
  /** `unread`: not asked yet; `unreachable`: asked, and never answered; `not_offered`: this top-level domain's registry cannot be asked. */
  state: z.enum(['unread', 'found', 'not_found', 'not_offered', 'unreachable']),
  /** Null: the registry does not report. */
  expiresAt: instant.nullable(),
  /** As the registry writes them. */
  statuses: z.array(z.string()),
  registrar: z.string().nullable(),
  nameServers: z.array(z.string()),
  /** Of the last answer. */
  readAt: instant.nullable(),
  /** The last try had no answer. */
  fault: registryFault.nullable(),
  /** When it is asked on its own; null: it is not, because a registrar reports. */
  nextAt: instant.nullable(),
})
export type RegistryView = z.infer<typeof registryView>

/** Until when a domain is paid, as well as the panel knows it. */
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
