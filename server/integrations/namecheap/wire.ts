import { z } from 'zod'

// Namecheap's XML API; sources and unconfirmed parts are in the README of this folder.

/** `true`, `True` and `TRUE` all occur. */
const flag = z
  .string()
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' ? null : value.toLowerCase() === 'true'))
const count = z
  .string()
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' || Number.isNaN(Number(value)) ? null : Number(value)))
/** A decimal text: money is never a float. */
const amount = z.string().nullish()

/** An empty element is an empty text. */
const orNothing = <T extends z.ZodType>(schema: T) => z.union([z.literal('').transform(() => null), schema]).nullish()

export const envelope = z.looseObject({
  ApiResponse: z.looseObject({
    Status: z.string(),
    Errors: orNothing(
      z.looseObject({
        Error: z.array(
          z.union([
            z.string().transform((text) => ({ Number: '', text })),
            z.looseObject({ Number: z.string(), text: z.string().nullish() }),
          ]),
        ),
      }),
    ),
    CommandResponse: z.unknown().optional(),
  }),
})

export const balances = z.looseObject({
  UserGetBalancesResult: z.looseObject({ Currency: z.string().nullish(), AvailableBalance: amount }),
})

const listed = z.looseObject({
  Name: z.string(),
  Created: z.string().nullish(),
  Expires: z.string().nullish(),
  IsExpired: flag,
  IsLocked: flag,
  AutoRenew: flag,
  WhoisGuard: z.string().nullish(),
})
export type Listed = z.infer<typeof listed>
export const list = z.looseObject({
  DomainGetListResult: orNothing(z.looseObject({ Domain: z.array(listed).nullish() })),
  Paging: z.looseObject({ TotalItems: count, CurrentPage: count, PageSize: count }).nullish(),
})

export const info = z.looseObject({
  DomainGetInfoResult: z.looseObject({
    DomainName: z.string(),
    Status: z.string().nullish(),
    IsPremium: flag,
    DomainDetails: orNothing(z.looseObject({ CreatedDate: z.string().nullish(), ExpiredDate: z.string().nullish() })),
    Whoisguard: orNothing(z.looseObject({ Enabled: flag })),
    DnsDetails: orNothing(z.looseObject({ Nameserver: z.array(z.string()).nullish() })),
  }),
})

export type Info = z.infer<typeof info>['DomainGetInfoResult']

const checked = z.looseObject({
  Domain: z.string(),
  Available: flag,
  ErrorNo: z.string().nullish(),
  Description: z.string().nullish(),
  IsPremiumName: flag,
  PremiumRegistrationPrice: amount,
  PremiumRenewalPrice: amount,
  IcannFee: amount,
  EapFee: amount,
})
export type Checked = z.infer<typeof checked>
export const check = z.looseObject({ DomainCheckResult: z.array(checked) })

const priceRow = z.looseObject({
  Duration: z.string().nullish(),
  DurationType: z.string().nullish(),
  Price: amount,
  PricingType: z.string().nullish(),
  YourPrice: amount,
  YourPriceType: z.string().nullish(),
  RegularPrice: amount,
  RegularPriceType: z.string().nullish(),
  AdditionalCost: amount,
  /** The spelling is Namecheap's. */
  YourAdditonalCost: amount,
  YourAdditionalCost: amount,
  Currency: z.string().nullish(),
})
export type PriceRow = z.infer<typeof priceRow>
export const pricing = z.looseObject({
  UserGetPricingResult: z.looseObject({
    ProductType: z.array(
      z.looseObject({
        ProductCategory: z.array(
          z.looseObject({
            Name: z.string(),
            Product: z.array(z.looseObject({ Name: z.string(), Price: z.array(priceRow) })).nullish(),
          }),
        ),
      }),
    ),
  }),
})
export type Pricing = z.infer<typeof pricing>

/** The part of a premium name's check repeated in its order; stored with the order as JSON. */
export const quoted = z.object({ premiumPrice: z.string(), eapFee: z.string().nullable() })
export type Quoted = z.infer<typeof quoted>

export const created = z.looseObject({
  DomainCreateResult: z.looseObject({ Registered: flag, ChargedAmount: amount, OrderID: z.string().nullish(), NonRealTimeDomain: flag }),
})
export const renewed = z.looseObject({
  DomainRenewResult: z.looseObject({ Renew: flag, ChargedAmount: amount, OrderID: z.string().nullish() }),
})
export const nameServers = z.looseObject({ DomainDNSGetListResult: z.looseObject({ Nameserver: z.array(z.string()).nullish() }) })
export const updated = z.looseObject({ DomainDNSSetCustomResult: z.looseObject({ Updated: flag }) })
