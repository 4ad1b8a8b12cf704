import { z } from 'zod'

// Porkbun's JSON API v3; sources and unconfirmed parts are in the README of this folder. All fields except the name are optional.

/** '1', 1, 'yes', true and their opposites all occur in one field. */
const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => value === true || value === 1 || value === '1' || value === 'yes')
  .nullish()
  .transform((value) => value ?? null)

export const envelope = z.looseObject({
  status: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
  ttlRemaining: z.coerce.number().nullish(),
})

export const ping = z.looseObject({ yourIp: z.string().nullish(), credentialsValid: z.boolean().nullish() })
/** Whole cents. */
export const balance = z.looseObject({ balance: z.coerce.number(), currency: z.string().nullish() })

export const domain = z.looseObject({
  domain: z.string(),
  status: z.string().nullish(),
  createDate: z.string().nullish(),
  expireDate: z.string().nullish(),
  securityLock: flag,
  whoisPrivacy: flag,
  autoRenew: flag,
  apiAccess: flag,
})
export const domains = z.looseObject({ domains: z.array(domain) })
/** The domain itself, or in a field with that name. */
export const oneDomain = z.union([z.looseObject({ domain }).transform((answer) => answer.domain), domain])

const price = z.union([z.string(), z.number()]).nullish()
const offered = z.looseObject({ price, cost: price, minDuration: z.coerce.number().nullish() })
export type Offered = z.infer<typeof offered>
const checked = offered.extend({
  avail: z.string().nullish(),
  /** Meaning of `price`: registration unless specified. */
  type: z.string().nullish(),
  premium: flag,
  additional: z.looseObject({ renewal: offered.nullish() }).nullish(),
  error: z.string().nullish(),
  message: z.string().nullish(),
})
export type Checked = z.infer<typeof checked>
export const check = z.looseObject({ response: checked })
/** `unresolved`: the registry did not respond in time; `invalid`: no valid names, or of unsupported zones. */
export const checks = z.looseObject({
  domains: z.record(z.string(), checked),
  unresolved: z.array(z.string()).nullish(),
  invalid: z.array(z.string()).nullish(),
})

export const order = z.looseObject({ orderId: z.union([z.string(), z.number()]).nullish(), cost: z.coerce.number().nullish() })
export const nameServers = z.looseObject({ ns: z.array(z.string()) })
/** The response has a result for each name. */
export const autoRenew = z.looseObject({
  results: z.record(z.string(), z.looseObject({ status: z.string(), message: z.string().nullish() })).nullish(),
})
export const pricing = z.looseObject({ pricing: z.record(z.string(), z.looseObject({ renewal: z.string().nullish() })) })
/** Stored with the order: renewals and registrations are paid in whole cents. */
export const quoted = z.object({ cost: z.int() })
export type Quoted = z.infer<typeof quoted>
const dsRecord = z.looseObject({ keyTag: z.coerce.number(), alg: z.coerce.number(), digestType: z.coerce.number(), digest: z.string() })
/** By key tag; null if there are none. */
export const dsRecords = z.looseObject({ records: z.record(z.string(), dsRecord).nullish() })
