import { z } from 'zod'

// GoDaddy's API v1 and v3; sources and unconfirmed parts are in the README of this folder. Unneeded fields are optional.

/** v1 calls the error's name `code`, v3 `name`. */
const problem = z.looseObject({
  code: z.string().nullish(),
  name: z.string().nullish(),
  message: z.string().nullish(),
})
export type Problem = z.infer<typeof problem>
export const failure = problem.extend({
  retryAfterSec: z.coerce.number().nullish(),
  fields: z.array(z.looseObject({ path: z.string().nullish(), message: z.string().nullish() })).nullish(),
  details: z
    .array(z.looseObject({ field: z.string().nullish(), issue: z.string().nullish(), description: z.string().nullish() }))
    .nullish(),
})

/** v1: `expires`, `renewAuto`, `locked`; v3: `expiresAt`, `autoRenew`, `transferLock`. */
export const domain = z.looseObject({
  domain: z.string(),
  status: z.string().nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
  expires: z.string().nullish(),
  expiresAt: z.string().nullish(),
  renewAuto: z.boolean().nullish(),
  autoRenew: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  transferLock: z.boolean().nullish(),
  privacy: z.boolean().nullish(),
  nameServers: z.array(z.string()).nullish(),
})
export type Held = z.infer<typeof domain>
export const domains = z.array(domain)
const links = z.array(z.looseObject({ rel: z.string(), href: z.string() })).nullish()
export const domainPage = z.looseObject({ items: z.array(domain), links })

export const offers = z.looseObject({
  domains: z.array(z.looseObject({ domain: z.string(), available: z.boolean() })),
  errors: z.array(problem.extend({ domain: z.string() })).nullish(),
})

/** In the currency's smallest unit. */
const amount = z.looseObject({ currencyCode: z.string().length(3), value: z.int().min(0) })
const fee = z.looseObject({ type: z.string(), fee: amount })
export type Fee = z.infer<typeof fee>
/** `price` is for the whole term, `fees` are added. */
const termPrice = z.looseObject({
  period: z.int().min(1),
  price: amount,
  renewalPrice: amount.nullish(),
  fees: z.array(fee).nullish(),
})
export type TermPrice = z.infer<typeof termPrice>
/** Either `available` or `error`. */
const item = z.looseObject({
  domain: z.string(),
  available: z.boolean().nullish(),
  inventory: z.string().nullish(),
  prices: z.array(termPrice).nullish(),
  error: problem.nullish(),
})
export type Item = z.infer<typeof item>
export const availability = z.looseObject({ items: z.array(item) })

/** `available: false` comes with HTTP 200 and without a token. */
export const quote = z.looseObject({
  available: z.boolean(),
  quoteToken: z.string().nullish(),
  period: z.int().nullish(),
  price: amount.nullish(),
  fees: z.array(fee).nullish(),
  inventory: z.string().nullish(),
  requiredAgreements: z.array(z.looseObject({ agreementType: z.string() })).nullish(),
})
export type RegistrationQuote = z.infer<typeof quote>
/** The part of a quote repeated in its order; stored with the order as JSON. */
export const quoted = z.object({
  quoteToken: z.string(),
  agreementTypes: z.array(z.string()),
  agreedAt: z.string(),
  fees: z.array(fee),
})

/** A registration, or the operation behind it or behind a change of name servers. */
export const operation = z.looseObject({
  operationId: z.string().nullish(),
  registrationId: z.string().nullish(),
  status: z.string().nullish(),
  orderId: z.string().nullish(),
  price: amount.nullish(),
  fees: z.array(fee).nullish(),
  result: z.looseObject({ orderId: z.string().nullish() }).nullish(),
  error: problem.nullish(),
})
export type Operation = z.infer<typeof operation>
export const nothing = z.unknown()
