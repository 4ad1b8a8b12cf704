import { z } from 'zod'
import { registrarProviders } from './catalog.ts'

const count = z.int()
const instant = z.iso.datetime()
const filled = z.string().trim().min(1).max(500)

export const registrarType = z.enum(['MANUAL', 'API_ENABLED'])
export const registrarProvider = z.enum(registrarProviders)
export const credentialField = z.enum(['username', 'password', 'apiKey', 'apiSecret', 'login', 'apiToken', 'clientIp'])
export const money = z.object({
  /** In the currency's smallest unit. */
  minor: z.int(),
  currency: z.string(),
})
export type MoneyView = z.infer<typeof money>

/** R-REG-01. Secrets never leave; `credentialFields` tells which are there. */
export const registrar = z.object({
  id: z.uuid(),
  ownerId: z.uuid(),
  name: z.string(),
  type: registrarType,
  provider: registrarProvider,
  sandbox: z.boolean(),
  apiUrl: z.string().nullable(),
  email: z.string().nullable(),
  hasAccountPassword: z.boolean(),
  credentialFields: z.array(credentialField),
  health: z.enum(['working', 'auth_error', 'api_error', 'unknown']),
  healthCode: z.string().nullable(),
  healthMessage: z.string().nullable(),
  checkedAt: instant.nullable(),
  balance: money.nullable(),
  balanceAt: instant.nullable(),
  /** Names at the registrar, as its API lists them. */
  namesCount: count,
  /** Domains of the panel that are attached to it. */
  domainsCount: count,
  syncedAt: instant.nullable(),
  syncing: z.boolean(),
  createdAt: instant,
})
export type Registrar = z.infer<typeof registrar>

const secrets = z.object({
  username: filled.optional(),
  password: filled.optional(),
  apiKey: filled.optional(),
  apiSecret: filled.optional(),
  login: filled.optional(),
  apiToken: filled.optional(),
  clientIp: z.union([z.ipv4('invalid_ip'), z.literal('').transform(() => undefined)]).optional(),
})

/** Which fields must be filled is the provider's matter (`missingFields` in rules.ts), on creation only (R-REG-02). */
export const createRegistrarInput = secrets.extend({
  name: z.string().trim().min(1, 'name_required').max(200),
  type: registrarType.default('MANUAL'),
  provider: registrarProvider.default('NAMECHEAP'),
  sandbox: z.boolean().default(false),
  apiUrl: z.union([z.url({ protocol: /^https?$/ }), z.literal('').transform(() => undefined)]).optional(),
  email: z.union([z.email(), z.literal('').transform(() => undefined)]).optional(),
  accountPassword: z.string().max(500).optional(),
})
/** A secret that is absent or empty stays as it is. */
export const updateRegistrarInput = createRegistrarInput.partial().extend({ id: z.uuid() })
