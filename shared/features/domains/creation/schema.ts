import { z } from 'zod'
import { domain } from '../schema.ts'
import { firstSetup } from './first-setup.ts'
import { parseZoneName } from './zone-name.ts'

/** Normalized to Punycode in lower case. */
const zoneName = z
  .string()
  .trim()
  .min(1, 'required')
  .max(255)
  .transform((given, context) => {
    const read = parseZoneName(given)
    if ('name' in read) return read.name
    context.addIssue({ code: 'custom', message: read.fault })
    return z.NEVER
  })

/** One new domain (R-DOM-05). */
export const createZoneInput = z.object({
  domainName: zoneName,
  accountId: z.uuid('required'),
  ipAddress: z.union([z.ipv4(), z.ipv6()], 'invalid_ip'),
  groupId: z.uuid().nullish(),
  /** The registrar of the name; the name servers are set at one with an API (R-DOM-06). */
  registrarId: z.uuid().nullish(),
  /** Absent: the default profile for new domains, if there is one; null: none. */
  profileId: z.uuid().nullish(),
  ...firstSetup,
})
export type CreateZoneInput = z.output<typeof createZoneInput>

/** Steps of the setup that failed; the zone itself exists. */
export const creationProblem = z.object({
  part: z.enum(['records', 'settings', 'group', 'profile', 'registrar', 'name_servers']),
  code: z.string(),
  /** The provider's message. */
  message: z.string().nullable(),
})
export const createZoneOutput = z.object({ zone: domain, problems: z.array(creationProblem) })
export type CreateZoneOutput = z.infer<typeof createZoneOutput>

export const standingsOutput = z.object({
  accounts: z.array(
    z.object({
      id: z.uuid(),
      active: z.int(),
      pending: z.int(),
      /** The code of its last rejection, within some hours. */
      refusal: z.string().nullable(),
      /** Estimated free places, in total and within the next ten minutes. */
      places: z.int(),
      now: z.int(),
    }),
  ),
})
