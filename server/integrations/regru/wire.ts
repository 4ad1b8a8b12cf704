import { z } from 'zod'

// REG.RU's API 2. Sources: the Perl and Caddy clients, lego's fixtures, a research note on the API's documentation (2026-07). `service/renew`,
// `reg_max_period` and the contact fields of each zone are unconfirmed.

const text = z.union([z.string(), z.number()]).transform(String)

export const envelope = z.looseObject({
  result: z.string(),
  answer: z.unknown().optional(),
  error_code: z.string().nullish(),
  error_text: z.string().nullish(),
})

/** A name inside a success, which may have failed for itself. */
const named = z.looseObject({
  dname: z.string(),
  result: z.string().nullish(),
  error_code: z.string().nullish(),
  error_text: z.string().nullish(),
})
export type Named = z.infer<typeof named>

export const login = z.looseObject({ login: z.string().nullish() })
export const balance = z.looseObject({ currency: z.string().nullish(), prepay: z.coerce.number() })
export const services = z.looseObject({
  services: z.array(
    z.looseObject({
      dname: z.string(),
      servtype: z.string().nullish(),
      state: z.string().nullish(),
      creation_date: z.string().nullish(),
      expiration_date: z.string().nullish(),
    }),
  ),
})
export const checks = z.looseObject({ domains: z.array(named.extend({ is_premium: z.union([z.string(), z.number()]).nullish() })) })
export const prices = z.looseObject({
  currency: z.string().nullish(),
  prices: z.record(
    z.string(),
    z.looseObject({
      reg_price: z.coerce.number().nullish(),
      renew_price: z.coerce.number().nullish(),
      reg_min_period: z.coerce.number().nullish(),
      reg_max_period: z.coerce.number().nullish(),
    }),
  ),
})
export const bill = z.looseObject({ bill_id: text.nullish(), payment: z.coerce.number().nullish(), domains: z.array(named).nullish() })
export const nameServers = z.looseObject({ domains: z.array(named.extend({ nss: z.array(z.looseObject({ ns: z.string() })).nullish() })) })
export const changed = z.looseObject({ domains: z.array(named) })
