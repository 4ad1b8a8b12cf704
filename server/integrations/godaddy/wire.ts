import { z } from 'zod'

// GoDaddy's API v1 (its OpenAPI document for the test environment) and v3 (beta since 2026-07-14; seen in a news post and in third-party code, its
// published schema was not at hand: everything beside the name may be missing).

export const failure = z.looseObject({
  code: z.string().nullish(),
  message: z.string().nullish(),
  retryAfterSec: z.coerce.number().nullish(),
  fields: z.array(z.looseObject({ path: z.string().nullish(), message: z.string().nullish() })).nullish(),
})

export const domain = z
  .looseObject({
    domain: z.string().nullish(),
    domainName: z.string().nullish(),
    status: z.string().nullish(),
    createdAt: z.string().nullish(),
    expires: z.string().nullish(),
    expiresAt: z.string().nullish(),
    renewAuto: z.boolean().nullish(),
    locked: z.boolean().nullish(),
    privacy: z.boolean().nullish(),
    nameServers: z.array(z.string()).nullish(),
  })
  .refine((held) => (held.domain ?? held.domainName ?? '') !== '')
export type Held = z.infer<typeof domain>
export const domains = z.array(domain)
export const domainPage = z.looseObject({
  items: z.array(domain),
  links: z.array(z.looseObject({ rel: z.string(), href: z.string() })).nullish(),
})

/** `price` in millionths of the currency. */
const offered = z.looseObject({
  domain: z.string(),
  available: z.boolean(),
  price: z.number().nullish(),
  currency: z.string().nullish(),
  period: z.number().nullish(),
})
export type Offered = z.infer<typeof offered>
export const offers = z.looseObject({
  domains: z.array(offered),
  errors: z.array(z.looseObject({ domain: z.string(), code: z.string().nullish(), message: z.string().nullish() })).nullish(),
})

/** `value` in the currency's smallest unit. */
const amount = z.looseObject({ currencyCode: z.string(), value: z.number() })
const item = z.looseObject({
  domain: z.string(),
  available: z.boolean(),
  inventory: z.string().nullish(),
  prices: z.array(z.looseObject({ period: z.number().nullish(), price: amount, renewalPrice: amount.nullish() })).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})
export type Item = z.infer<typeof item>
export const availability = z.looseObject({ items: z.array(item) })
export const quote = z.looseObject({ quoteToken: z.string(), total: amount.nullish() })

export const agreements = z.array(z.looseObject({ agreementKey: z.string() }))
/** `total` in millionths of the currency. */
export const order = z.looseObject({
  orderId: z.union([z.string(), z.number()]).nullish(),
  total: z.number().nullish(),
  currency: z.string().nullish(),
})
export const nothing = z.unknown()
