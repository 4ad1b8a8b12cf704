import { z } from 'zod'
import { domain, sslMode } from '../schema.ts'
import { parseZoneName } from './zone-name.ts'

/** As it is to be at the provider: Punycode, lower case. */
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

/** What every new domain is set up with, however it is added. */
export const firstSetup = {
  createWww: z.boolean().default(true),
  enableProxy: z.boolean().default(true),
  sslMode: sslMode.default('flexible'),
  alwaysHttps: z.boolean().default(true),
}

/** One new domain (R-DOM-05). */
export const createZoneInput = z.object({
  domainName: zoneName,
  accountId: z.uuid('required'),
  ipAddress: z.union([z.ipv4(), z.ipv6()], 'invalid_ip'),
  groupId: z.uuid().nullish(),
  /** Where the name was bought; one with an API is reported the name servers (R-DOM-06). */
  registrarId: z.uuid().nullish(),
  /** Absent: the one for new domains, if there is one; null: none. */
  profileId: z.uuid().nullish(),
  ...firstSetup,
})
export type CreateZoneInput = z.output<typeof createZoneInput>

/** What the zone should have and has not yet: the zone itself is there. */
export const creationProblem = z.object({
  part: z.enum(['records', 'settings', 'group', 'profile', 'registrar', 'name_servers']),
  code: z.string(),
  /** The provider's words. */
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
      /** The code of what it refused last, within some hours. */
      refusal: z.string().nullable(),
      /** How many more it probably takes, and how many of them within the next ten minutes. */
      places: z.int(),
      now: z.int(),
    }),
  ),
})
