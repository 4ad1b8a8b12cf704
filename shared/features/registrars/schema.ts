import { z } from 'zod'
import { disappearance } from '#shared/features/sync/disappearances/schema.ts'
import { paidSource } from './registry/schema.ts'
import { sharedWithMe } from '#shared/features/sharing/schema.ts'
import { namePattern } from '#shared/text.ts'
import { registrarCompanies } from './catalog.ts'
import { webAddress } from '#shared/possible-host.ts'

const count = z.int()
const instant = z.iso.datetime()

export const registrarType = z.enum(['MANUAL', 'API_ENABLED'])
export const registrarProvider = z.enum(registrarCompanies)
export const credentialField = z.enum(['username', 'password', 'apiKey', 'apiSecret', 'login', 'apiToken', 'clientIp'])
export const money = z.object({
  /** In the currency's smallest unit. */
  minor: z.int(),
  currency: z.string(),
})
export type MoneyView = z.infer<typeof money>

/** R-REG-01. Secrets never leave; `credentialFields` reports which are there. */
export const registrar = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  shared: sharedWithMe,
  /** How many people it is shared with; zero for those who may not change that. */
  sharedWith: count,
  name: z.string(),
  type: registrarType,
  provider: registrarProvider,
  /** The name of another company (`OTHER`); null: one of the known ones. */
  company: z.string().nullable(),
  sandbox: z.boolean(),
  /** Where people sign in on the registrar's site; nothing is sent there. */
  apiUrl: z.string().nullable(),
  email: z.string().nullable(),
  hasAccountPassword: z.boolean(),
  credentialFields: z.array(credentialField),
  health: z.enum(['working', 'auth_error', 'api_error', 'unknown']),
  /** A code of the catalogue, and the provider's own words. */
  healthCode: z.string().nullable(),
  healthMessage: z.string().nullable(),
  checkedAt: instant.nullable(),
  balance: money.nullable(),
  balanceAt: instant.nullable(),
  /** Names at the registrar, as its API lists them. */
  namesCount: count,
  /** Domains of the panel that are attached to it. */
  domainsCount: count,
  sync: z.object({
    state: z.enum(['idle', 'queued', 'running', 'failed']),
    syncedAt: instant.nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    nextAt: instant.nullable(),
  }),
  /** Names that its list suddenly no longer has; null: none. */
  disappearance: disappearance.nullable(),
  createdAt: instant,
})
export type Registrar = z.infer<typeof registrar>
export const registrarAnswer = z.object({ registrar })
export const listRegistrarsInput = z.object({ search: z.string().max(255).optional(), ownerId: z.uuid().optional() })
export const listRegistrarsOutput = z.object({ registrars: z.array(registrar) })
/** What is kept of it, opened. */
export const registrarSecrets = z.object({
  credential: z.partialRecord(credentialField, z.string()),
  accountPassword: z.string().nullable(),
})
export type RegistrarSecrets = z.infer<typeof registrarSecrets>
export const registrarIdInput = z.object({ id: z.uuid() })
export const registrarIdsInput = z.object({ ids: z.array(z.uuid()).min(1).max(1_000) })

const secret = z
  .string()
  .trim()
  .max(500, 'too_long')
  .regex(/^\P{Cc}*$/u, 'invalid_characters')
  .optional()
const empty = z.literal('').transform(() => null)
const fields = {
  username: secret,
  password: secret,
  apiKey: secret,
  apiSecret: secret,
  login: secret,
  apiToken: secret,
  clientIp: secret.refine((value) => value === undefined || value === '' || z.ipv4().safeParse(value).success, 'invalid_ip'),
}

/**
 * Which secrets must be filled is the provider's matter (`rules.ts`), and on creation only (R-REG-02). Empty is absent. Another company (`OTHER`) has no API
 * here, and a name of its own.
 */
export const createRegistrarInput = z.object({
  name: z.string({ error: 'required' }).trim().min(1, 'required').max(100, 'too_long').regex(namePattern, 'invalid_characters'),
  type: registrarType.default('MANUAL'),
  provider: registrarProvider.default('NAMECHEAP'),
  company: z.union([empty, z.string().trim().max(100, 'too_long').regex(namePattern, 'invalid_characters')]).nullish(),
  sandbox: z.boolean().default(false),
  apiUrl: z.union([empty, webAddress('invalid_url')]).nullish(),
  email: z.union([empty, z.email('invalid_email').max(254, 'too_long')]).nullish(),
  accountPassword: z.string().max(500, 'too_long').nullish(),
  ...fields,
})
export type NewRegistrarFields = z.output<typeof createRegistrarInput>
/** A new registrar as a form has it: everything that is missing is named together, of the way in that the form shows (R-APP-03, R-REG-02). */
export const newRegistrarForm = (shown: readonly z.infer<typeof credentialField>[]) =>
  createRegistrarInput.check(({ value, issues }) => {
    const missing: string[] = shown.filter((field) => (value[field] ?? '') === '')
    if (value.provider === 'OTHER' && (value.company ?? '') === '') missing.unshift('company')
    for (const field of missing) issues.push({ code: 'custom', path: [field], message: 'required', input: '' })
  })
/** Absent or empty is unchanged; null takes an address, an email or the account's password away. */
export const updateRegistrarInput = createRegistrarInput
  .omit({ type: true, provider: true, sandbox: true })
  .partial()
  .extend({ id: z.uuid(), type: registrarType.optional(), provider: registrarProvider.optional(), sandbox: z.boolean().optional() })
export type RegistrarChanges = z.output<typeof updateRegistrarInput>

/** What the doctor found (R-REG-05). */
export const readinessCheck = z.object({
  id: z.enum(['credentials', 'address', 'access', 'domains', 'balance', 'purchase']),
  state: z.enum(['ok', 'warning', 'failed', 'unknown']),
  code: z.string().nullable(),
  message: z.string().nullable(),
  details: z.array(z.string()),
})
export type ReadinessCheckView = z.infer<typeof readinessCheck>
export const examineOutput = z.object({ registrar, checks: z.array(readinessCheck) })

/** A name at an API registrar. */
export const registrarName = z.object({
  id: z.uuid(),
  registrarId: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  status: z.string().nullable(),
  /** As the registrar reports, or else the registry. */
  expiresAt: instant.nullable(),
  /** Who reports the end, and when they did. */
  source: paidSource.nullable(),
  readAt: instant.nullable(),
  autoRenew: z.boolean().nullable(),
  locked: z.boolean().nullable(),
  nameServers: z.array(z.string()).nullable(),
  /** When they were set from here or read; null: never. */
  nameServersAt: instant.nullable(),
  /** The domain of the panel with this name; null: it is in no CF account (R-BUY-04). */
  zoneId: z.uuid().nullable(),
})
export type RegistrarNameView = z.infer<typeof registrarName>
/** Where a domain was bought, and what its registrar's list says of it. */
export const domainRegistrar = z.object({ registrar: registrar.nullable(), name: registrarName.nullable() })
export type DomainRegistrar = z.infer<typeof domainRegistrar>
export const setRegistrarInput = z.object({ id: z.uuid(), registrarId: z.uuid().nullable() })

// ---- when names end, and what it costs to keep them

export const renewalsInput = z.object({
  ownerId: z.uuid().optional(),
  months: z.coerce.number().int().min(1).max(24).default(12),
})
export const renewalsOutput = z.object({
  /** The months ahead by their first day, this one included; what has ended before is in none. */
  months: z.array(
    z.object({
      month: z.iso.date(),
      names: count,
      /** One a currency: they are never added up. */
      costs: z.array(money),
      /** Of those: nobody reports what they cost. */
      unpriced: count,
    }),
  ),
  /** Those with an end. */
  days: z.array(z.object({ day: z.iso.date(), names: count })),
  /** Ended, and still in a registrar's list. */
  ended: count,
  /** Their end is not reported. */
  unknown: count,
  balances: z.array(
    z.object({
      registrarId: z.uuid(),
      name: z.string(),
      provider: registrarProvider,
      balance: money.nullable(),
      balanceAt: instant.nullable(),
      /** So many names, the next to end first; null: no balance, or no prices. */
      enoughFor: count.nullable(),
      names: count,
    }),
  ),
})
export type Renewals = z.infer<typeof renewalsOutput>
export const listExpiriesInput = z.object({
  ownerId: z.uuid().optional(),
  /** Both ends included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export const expiry = z.object({
  id: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  expiresAt: instant,
  autoRenew: z.boolean().nullable(),
  renewal: money.nullable(),
  /** Null: a domain that is attached to none. */
  registrar: z.object({ id: z.uuid(), name: z.string(), provider: registrarProvider }).nullable(),
  /** Who sold it, as the registry writes it, where the registry is the source. */
  heldBy: z.string().nullable(),
  zoneId: z.uuid().nullable(),
  source: paidSource,
  /** When the source reported it. */
  readAt: instant,
})
export type Expiry = z.infer<typeof expiry>
export const listExpiriesOutput = z.object({ expiries: z.array(expiry), nextCursor: z.string().nullable() })
/** Null: there is none. */
export const calendarFeed = z.object({ createdAt: instant.nullable() })
/** Shown once. */
export const newCalendarFeed = z.object({ path: z.string(), createdAt: instant })

// ---- domains whose name servers are not yet, or no longer, those that Cloudflare gave them

const delegationFilter = z.object({
  /** `waiting`: Cloudflare has not seen them yet; `elsewhere`: it has, and the registrar's list says otherwise now. */
  which: z.enum(['waiting', 'elsewhere']).optional(),
  /** Where they were bought: one registrar, all of a kind, or nowhere that is kept here. */
  registrar: z.union([z.enum(['MANUAL', 'API_ENABLED', 'none']), z.uuid()]).optional(),
  search: z.string().trim().max(255).optional(),
})
export const listDelegationsInput = delegationFilter.extend({
  cursor: z.string().max(1_000).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
})
export const delegationView = z.object({
  zoneId: z.uuid(),
  name: z.string(),
  displayName: z.string(),
  accountEmail: z.string(),
  state: z.enum(['waiting', 'elsewhere']),
  wanted: z.array(z.string()),
  registrar: z.object({ id: z.uuid(), name: z.string(), type: registrarType, provider: registrarProvider }).nullable(),
  /** As the registrar's list had them; null: it does not report. */
  atRegistrar: z.array(z.string()).nullable(),
})
export type DelegationView = z.infer<typeof delegationView>
export const listDelegationsOutput = z.object({
  delegations: z.array(delegationView),
  total: count,
  /** The pairs that they want, those with most domains first; 200 at most. */
  pairs: z.array(z.object({ nameServers: z.array(z.string()), count })),
  nextCursor: z.string().nullable(),
})
export const delegationNamesInput = delegationFilter.extend({
  /** Only those that want these. */
  nameServers: z.array(z.string().max(255)).max(13).optional(),
})
/** At most 20,000, by name. */
export const delegationNamesOutput = z.object({ ids: z.array(z.uuid()), names: z.array(z.string()) })

export const listNamesInput = z.object({
  registrarId: z.uuid().optional(),
  /** Those without a domain of the panel, or those with one. */
  which: z.enum(['bound', 'unbound']).optional(),
  search: z.string().trim().max(255).optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export const listNamesOutput = z.object({ names: z.array(registrarName), total: count, nextCursor: z.string().nullable() })

// ---- where DNS leads for names that are in no CF account, which therefore have no domain to ask about

/** Those in sight. */
export const serversNowInput = z.object({ ids: z.array(z.uuid()).min(1).max(50) })
export const serversNowOutput = z.object({
  results: z.array(
    z.object({
      id: z.uuid(),
      /** As resolvers are led there; empty: nowhere; null: no answer in time. */
      nameServers: z.array(z.string()).nullable(),
      checkedAt: instant,
    }),
  ),
})
export type ServersNow = z.infer<typeof serversNowOutput>['results'][number]
