/** A company that sells domain names and manages their delegation, in the panel's terms. */

import type { DsRecord } from './registry.ts'
import type { Accepted, QuotedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import type { AppError } from '#shared/errors/app-error.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

/** Credential fields under the panel's names; each provider requires its own (`catalog.ts`). */
export interface RegistrarCredential {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly apiKey?: string | undefined
  readonly apiSecret?: string | undefined
  readonly login?: string | undefined
  readonly apiToken?: string | undefined
  /** The public IPv4 address on the provider's allow list, if the provider requires it in requests. */
  readonly clientIp?: string | undefined
}

export interface RegistrarAccess {
  readonly provider: RegistrarProvider
  readonly sandbox: boolean
  readonly credential: RegistrarCredential
}

/** In the currency's smallest unit, so that nothing is rounded. */
export interface Money {
  readonly minor: number
  /** ISO 4217, upper case. */
  readonly currency: string
}

export interface RegistrarCall {
  /** A person waits for it; everything else comes after. */
  readonly priority: 'person' | 'bulk' | 'sync'
  readonly signal?: AbortSignal
}

/** A name as listed by its registrar. Null: not reported by the provider. */
export interface RegisteredName {
  /** Punycode, lower case. */
  readonly name: string
  /** The provider's own term, lower case. */
  readonly status: string | null
  readonly createdAt: Date | null
  readonly expiresAt: Date | null
  readonly autoRenew: boolean | null
  /** Transfer lock. */
  readonly locked: boolean | null
  readonly privacy: boolean | null
  /** Lower case, without the trailing dot, sorted. Null: not in the list, use `getNameServers`. */
  readonly nameServers: readonly string[] | null
}

interface NamePage {
  readonly names: readonly RegisteredName[]
  /** Cursor of the next page; null: this was the last. */
  readonly next: string | null
  readonly total: number | null
}

/** A registration term and its price. */
export interface Term {
  readonly years: number
  /** For all the years. */
  readonly price: Money
}

export type Availability =
  | {
      readonly name: string
      readonly state: 'available'
      /**
       * For the shortest term, taxes and fees included; null: the provider does not publish it before the sale, so the name cannot be
       * ordered.
       */
      readonly price: Money | null
      /** For a year. */
      readonly renewal: Money | null
      readonly years: number
      /**
       * Terms longer than `years`, shortest first, ten years at most, in the currency of `price`, fees included; empty: this API sells no
       * longer terms.
       */
      readonly longer: readonly Term[]
      readonly premium: boolean
    }
  | { readonly name: string; readonly state: 'taken' }
  /** Availability unknown, or not sold here; with the provider's own code and message. */
  | {
      readonly name: string
      readonly state: 'unknown' | 'unsupported'
      readonly code: string | null
      readonly message: string | null
      /** Sold by the provider, but not through its API. */
      readonly onWebsite?: boolean
    }

/** Registrant data required by registries. Texts as entered; the adapter converts them to the provider's form. */
export interface RegistrantContact {
  readonly firstName: string
  readonly lastName: string
  readonly organization: string | null
  readonly email: string
  /** E.164: +74951234567. */
  readonly phone: string
  readonly address: string
  readonly city: string
  readonly region: string
  readonly postalCode: string
  /** ISO 3166, two letters, upper case. */
  readonly country: string
  /** Additional fields of some zones, such as passport or taxpayer number, under the provider's own names. */
  readonly extra: Readonly<Record<string, string>>
}

/** What is ordered, without its price: identical in the quote and in the order. */
export interface PurchaseOrder {
  readonly name: string
  readonly years: number
  readonly contact: RegistrantContact
  /** Set by providers that accept them in the order; otherwise the caller uses `setNameServers` afterwards. Empty: the registrar's own. */
  readonly nameServers: readonly string[]
  readonly privacy: boolean
  readonly autoRenew: boolean
  /** The IP address of the buyer, if the provider requires it. */
  readonly endUserIp: string
}

export interface RenewalOrder {
  readonly name: string
  readonly years: number
  /** The current expiry at the registry: some providers require it in renewals. */
  readonly expiresAt: Date
}

/** The amount the provider would charge for an order now. */
export interface Quote extends QuotedPrice {
  readonly name: string
  /** The part of `total` that is fees and taxes, in the smallest unit; absent: not reported, or none. */
  readonly fees?: number
  /**
   * Data the provider requires back with the order: a token, agreements, fees. Stored with the order until it is decided, so that a retry
   * after a crash is the same request. Opaque outside the adapter; null: none.
   */
  readonly reference: string | null
}

/** The terms of an accepted quote, and an idempotency key that stays the same for all attempts of one order. */
export interface Confirmation {
  readonly quote: Accepted<Quote>
  /** 16 to 64 characters. Providers that support such keys answer a retry with the first response. */
  readonly idempotencyKey: string
}

export interface Purchase {
  readonly name: string
  readonly orderId: string | null
  readonly charged: Money | null
  /** False: accepted, and the registry or the provider's queue will complete it. */
  readonly complete: boolean
}

/** A problem that must be fixed before a registrar can be used, as found by the readiness check. */
export interface ReadinessCheck {
  /** `credentials`, `address`, `access`, `domains`, `balance`, `purchase`. The texts per provider are in the `registrars` locale. */
  readonly id: 'credentials' | 'address' | 'access' | 'domains' | 'balance' | 'purchase'
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown'
  /** The provider's own code and message. */
  readonly code: string | null
  readonly message: string | null
  /** For `address`: the one seen by the provider; for `domains`: names not accessible through the API. */
  readonly details: readonly string[]
}

/** The account of a credential. */
export interface RegistrarAccount {
  /** Makes as few calls as possible, and reports refusals of the provider as findings instead of throwing. */
  examine(call: RegistrarCall): Promise<readonly ReadinessCheck[]>
  /** Null: the provider's API has no balance. */
  balance(call: RegistrarCall): Promise<Money | null>
  /**
   * Yearly renewal prices of ordinary names by zone (`com`, `co.uk`), and separately for internationalized names if they differ
   * (`xn--.com`). Null: the provider has no such list.
   */
  renewalPrices(call: RegistrarCall): Promise<ReadonlyMap<string, Money> | null>
}

/** The names at a registrar. */
export interface HeldNames {
  /** In pages of the provider's size. */
  listNames(cursor: string | null, call: RegistrarCall): Promise<NamePage>
  /**
   * One name with all available data.
   * @throws AppError not_found if it is not at this registrar.
   */
  getName(name: string, call: RegistrarCall): Promise<RegisteredName>
  getNameServers(name: string, call: RegistrarCall): Promise<readonly string[]>
  /** Replaces all name servers. Two to thirteen. */
  setNameServers(name: string, nameServers: readonly string[], call: RegistrarCall): Promise<void>
  /**
   * Whether the registrar renews the name automatically. Null: its API cannot set that.
   * @throws AppError registrar_not_found
   */
  readonly setAutoRenew: ((name: string, enabled: boolean, call: RegistrarCall) => Promise<void>) | null
  /** The DS records that it gives to the registry. Null: its API cannot do that. */
  readonly dsRecords: RegistrarDsRecords | null
}

/** All of them throw `AppError` registrar_not_found if the name is not at this registrar. */
export interface RegistrarDsRecords {
  list(name: string, call: RegistrarCall): Promise<readonly DsRecord[]>
  add(name: string, record: DsRecord, call: RegistrarCall): Promise<void>
  /** Registries may remove every record of the key. */
  remove(name: string, record: DsRecord, call: RegistrarCall): Promise<void>
}

/** Calls that cost money. `register` and `renew` accept only prices confirmed through `acceptQuote`. */
export interface NameSale {
  /** One result per name, in order; with as few calls as the provider permits. */
  check(names: readonly string[], call: RegistrarCall): Promise<readonly Availability[]>
  /**
   * The charge of an order of the name, read from the provider now; nothing is ordered.
   * @throws AppError registrar_name_taken, registrar_not_sold, registrar_website_only, registrar_term, registrar_contact
   */
  quote(order: PurchaseOrder, call: RegistrarCall): Promise<Quote>
  /**
   * Buys a name. If an earlier attempt may have been processed (lost answer), call `getName` first.
   * @throws AppError registrar_money, registrar_price_changed, registrar_quote_expired, registrar_name_taken, registrar_not_sold,
   * registrar_contact
   */
  register(order: PurchaseOrder, confirmation: Confirmation, call: RegistrarCall): Promise<Purchase>
  /**
   * The result of an incomplete order, or why it failed, in which case nothing was bought. Null: the provider has no such call; `getName`
   * shows whether the name was registered. An error concerns this call only and says nothing about the order.
   */
  readonly followUp: ((orderId: string, call: RegistrarCall) => Promise<Omit<Purchase, 'name'> | { readonly refusal: AppError }>) | null
  /**
   * The charge of a renewal, like `quote`.
   * @throws AppError registrar_not_found, registrar_renewal_early, registrar_website_only
   */
  quoteRenewal(order: RenewalOrder, call: RegistrarCall): Promise<Quote>
  /** Like `register`. @throws AppError registrar_money, registrar_unpaid, registrar_expired, registrar_renewal_early */
  renew(order: RenewalOrder, confirmation: Confirmation, call: RegistrarCall): Promise<Purchase>
}

/**
 * The calls of one credential. Every method throws `AppError` with a `provider_*` or `registrar_*` code and the provider's own code and
 * words. Reads are retried if safe; `register` and `renew` are sent once, unless they were certainly not processed.
 */
export interface RegistrarConnection extends RegistrarAccount, HeldNames, NameSale {}

export interface Registrars {
  /** Sends nothing until a method is called. Calls with the same credential share a queue and its limit. */
  connect(access: RegistrarAccess): RegistrarConnection
  close(): Promise<void>
}
