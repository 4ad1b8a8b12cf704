import { z } from 'zod'
import { possibleDay } from '#shared/instant.ts'
import { dsRecord } from '#shared/features/domains/settings/schema.ts'
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

/** R-REG-01. Secrets are never returned; `credentialFields` lists the stored ones. */
export const registrar = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  shared: sharedWithMe,
  /** The number of users it is shared with; zero for users who cannot change that. */
  sharedWith: count,
  name: z.string(),
  type: registrarType,
  provider: registrarProvider,
  /** The name of another company (`OTHER`); null for a known one. */
  company: z.string().nullable(),
  sandbox: z.boolean(),
  /** The login page of the registrar, for people; the panel sends nothing there. */
  apiUrl: z.string().nullable(),
  email: z.string().nullable(),
  hasAccountPassword: z.boolean(),
  credentialFields: z.array(credentialField),
  health: z.enum(['working', 'auth_error', 'api_error', 'unknown']),
  /** A code of the catalog, and the provider's own message. */
  healthCode: z.string().nullable(),
  healthMessage: z.string().nullable(),
  checkedAt: instant.nullable(),
  balance: money.nullable(),
  balanceAt: instant.nullable(),
  /** Names at the registrar, from its API. */
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
  /** Names that suddenly disappeared from its list; null: none. */
  disappearance: disappearance.nullable(),
  createdAt: instant,
})
export type Registrar = z.infer<typeof registrar>
export const registrarAnswer = z.object({ registrar })
export const listRegistrarsInput = z.object({ search: z.string().max(255).optional(), ownerId: z.uuid().optional() })
export const listRegistrarsOutput = z.object({ registrars: z.array(registrar) })
/** The stored secrets, decrypted. */
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
 * Which secrets are required depends on the provider (`rules.ts`), and only on creation (R-REG-02). Empty counts as absent. Another company
 * (`OTHER`) has no API here, and its own name.
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
/**
 * A new registrar as entered in the form: all missing fields are reported together, for the way to authenticate that the form shows (R-APP-03,
 * R-REG-02).
 */
export const newRegistrarForm = (shown: readonly z.infer<typeof credentialField>[]) =>
  createRegistrarInput.check(({ value, issues }) => {
    const missing: string[] = shown.filter((field) => (value[field] ?? '') === '')
    if (value.provider === 'OTHER' && (value.company ?? '') === '') missing.unshift('company')
    for (const field of missing) issues.push({ code: 'custom', path: [field], message: 'required', input: '' })
  })
/** Absent or empty is unchanged; null clears a URL, an email or the account's password. */
export const updateRegistrarInput = createRegistrarInput
  .omit({ type: true, provider: true, sandbox: true })
  .partial()
  .extend({ id: z.uuid(), type: registrarType.optional(), provider: registrarProvider.optional(), sandbox: z.boolean().optional() })
export type RegistrarChanges = z.output<typeof updateRegistrarInput>

/** The findings of the readiness check (R-REG-05). */
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
  /** From the registrar, or else the registry. */
  expiresAt: instant.nullable(),
  /** The source of the date, and when it was reported. */
  source: paidSource.nullable(),
  readAt: instant.nullable(),
  autoRenew: z.boolean().nullable(),
  locked: z.boolean().nullable(),
  nameServers: z.array(z.string()).nullable(),
  /** When they were set by the panel or read; null: never. */
  nameServersAt: instant.nullable(),
  /** The domain of the panel with this name; null: it is in no Cloudflare account (R-BUY-04). */
  zoneId: z.uuid().nullable(),
})
export type RegistrarNameView = z.infer<typeof registrarName>
/** Where a domain was bought, and its data from the registrar's list. */
export const domainRegistrar = z.object({ registrar: registrar.nullable(), name: registrarName.nullable() })
export type DomainRegistrar = z.infer<typeof domainRegistrar>
export const setRegistrarInput = z.object({ id: z.uuid(), registrarId: z.uuid().nullable() })

// ---- expiry dates and renewal costs

export const renewalsInput = z.object({
  ownerId: z.uuid().optional(),
  months: z.coerce.number().int().min(1).max(24).default(12),
})
export const renewalsOutput = z.object({
  /** The coming months by their first day, including the current one; expired names are in none. */
  months: z.array(
    z.object({
      month: z.iso.date(),
      names: count,
      /** One row per currency; currencies are never added up. */
      costs: z.array(money),
      /** Of those, names without a reported price. */
      unpriced: count,
    }),
  ),
  /** Names with an expiry date. */
  days: z.array(z.object({ day: z.iso.date(), names: count })),
  /** Expired, and still in a registrar's list. */
  ended: count,
  /** Names without a reported expiry date. */
  unknown: count,
  balances: z.array(
    z.object({
      registrarId: z.uuid(),
      name: z.string(),
      provider: registrarProvider,
      balance: money.nullable(),
      balanceAt: instant.nullable(),
      /** How many names the balance covers, the earliest expiry first; null: no balance, or no prices. */
      enoughFor: count.nullable(),
      names: count,
    }),
  ),
})
export type Renewals = z.infer<typeof renewalsOutput>
export const listExpiriesInput = z.object({
  ownerId: z.uuid().optional(),
  /** Both ends inclusive. */
  from: possibleDay.optional(),
  to: possibleDay.optional(),
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
  /** Null: the domain is attached to no registrar. */
  registrar: z.object({ id: z.uuid(), name: z.string(), provider: registrarProvider }).nullable(),
  /** The registrar as the registry spells it, if the registry is the source. */
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
/** Only returned once. */
export const newCalendarFeed = z.object({ path: z.string(), createdAt: instant })

// ---- domains whose name servers differ from those that Cloudflare assigned

const delegationFilter = z.object({
  /** `waiting`: Cloudflare has not detected them yet; `elsewhere`: it has, but the registrar's list differs now. */
  which: z.enum(['waiting', 'elsewhere']).optional(),
  /** Where they were bought: at one registrar, at any of a provider, or at none in the panel. */
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
  /** From the registrar's list; null: it does not report them. */
  atRegistrar: z.array(z.string()).nullable(),
})
export type DelegationView = z.infer<typeof delegationView>
export const listDelegationsOutput = z.object({
  delegations: z.array(delegationView),
  total: count,
  /** The required name server pairs, those with most domains first; at most 200. */
  pairs: z.array(z.object({ nameServers: z.array(z.string()), count })),
  nextCursor: z.string().nullable(),
})
export const delegationNamesInput = delegationFilter.extend({
  /** Only domains that require these. */
  nameServers: z.array(z.string().max(255)).max(13).optional(),
})
/** At most 20,000, by name. */
export const delegationNamesOutput = z.object({ ids: z.array(z.uuid()), names: z.array(z.string()) })

export const listNamesInput = z.object({
  registrarId: z.uuid().optional(),
  /** Names without a domain of the panel, or with one. */
  which: z.enum(['bound', 'unbound']).optional(),
  search: z.string().trim().max(255).optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})
export const listNamesOutput = z.object({ names: z.array(registrarName), total: count, nextCursor: z.string().nullable() })

// ---- current delegation of names that are in no Cloudflare account and so have no domain in the panel

/** The visible names. */
export const serversNowInput = z.object({ ids: z.array(z.uuid()).min(1).max(50) })
export const serversNowOutput = z.object({
  results: z.array(
    z.object({
      id: z.uuid(),
      /** The delegation that resolvers see; empty: none; null: no answer in time. */
      nameServers: z.array(z.string()).nullable(),
      checkedAt: instant,
    }),
  ),
})
export type ServersNow = z.infer<typeof serversNowOutput>['results'][number]

/** `published`: the registrar gets the domain's DS record; otherwise all of its DS records are removed there. */
export const setDsInput = z.object({ id: z.uuid(), published: z.boolean() })
export const setDsOutput = z.object({ records: z.array(dsRecord) })
