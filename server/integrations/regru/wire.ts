import { domainToASCII } from 'node:url'
import { z } from 'zod'

// REG.RU's API 2; sources and unconfirmed parts are in the README of this folder.

const text = z.union([z.string(), z.number()]).transform(String)
/** Names and zones are in Unicode or in Punycode. */
export const asciiName = (name: string): string => domainToASCII(name.toLowerCase()) || name.toLowerCase()
const dname = z.string().transform(asciiName)
/** Roubles are written as RUR. */
const currency = z
  .string()
  .nullish()
  .transform((named) => (named === null || named === undefined || named === 'RUR' ? 'RUB' : named))
const count = z.coerce.number().int().nullish()

export const envelope = z.looseObject({
  result: z.string(),
  answer: z.unknown().optional(),
  error_code: z.string().nullish(),
  error_text: z.string().nullish(),
})

/** A name within a success, which may have failed individually. Its message is in `error_text`, or where a success has `Available`. */
const named = z.looseObject({
  dname,
  result: z.string().nullish(),
  error_code: z.string().nullish(),
  error_text: z.string().nullish(),
})

export const login = z.looseObject({ login: z.string().nullish() })
export const balance = z.looseObject({ currency, prepay: text })
export const services = z.looseObject({
  services: z.array(
    z.looseObject({
      dname,
      service_id: text.nullish(),
      servtype: z.string().nullish(),
      state: z.string().nullish(),
      creation_date: z.string().nullish(),
      expiration_date: z.string().nullish(),
    }),
  ),
})
export type Service = z.infer<typeof services>['services'][number]

/** Prices exist for premium names only: per year. */
const checked = named.extend({
  is_premium: text.nullish(),
  price: text.nullish(),
  renew_price: text.nullish(),
  currency,
})
export type Checked = z.infer<typeof checked>
export const checks = z.looseObject({ domains: z.array(checked) })

/** Per year, even if a zone is sold for longer terms only. */
const price = z.looseObject({
  reg_price: text.nullish(),
  renew_price: text.nullish(),
  reg_min_period: count,
  reg_max_period: count,
  renew_min_period: count,
  renew_max_period: count,
})
export type Price = z.infer<typeof price>
/** By zone: `com`, `рф`; `__idn.com` for internationalized names if they cost something else. */
export const prices = z.looseObject({ currency, prices: z.record(z.string(), price) })

export const bill = z.looseObject({
  bill_id: text.nullish(),
  payment: text.nullish(),
  currency,
  /** For a renewal: `renew_success`, or `only_bill_created` if payment is pending. */
  status: z.string().nullish(),
  domains: z.array(named).nullish(),
  services: z.array(named.extend({ dname: z.string().nullish() })).nullish(),
})
export type Bill = z.infer<typeof bill>
export const nameServers = z.looseObject({ domains: z.array(named.extend({ nss: z.array(z.looseObject({ ns: z.string() })).nullish() })) })
/** A success has no other content. */
export const nothing = z.unknown()
export const changed = z.looseObject({ domains: z.array(named) })
