/** A company that sells names and keeps their delegation, in our words. */

import type { Accepted, QuotedPrice } from '#shared/features/registrars/buying/price-rule.ts'
import type { AppError } from '#shared/errors/app-error.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

/** What the panel keeps of a registrar, by our names; each provider asks for its own (`catalog.ts`). */
export interface RegistrarCredential {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly apiKey?: string | undefined
  readonly apiSecret?: string | undefined
  readonly login?: string | undefined
  readonly apiToken?: string | undefined
  /** The public IPv4 address that the provider has on its list of allowed callers, where it wants to be notified. */
  readonly clientIp?: string | undefined
}

export interface RegistrarAccess {
  readonly provider: RegistrarProvider
  readonly sandbox: boolean
  readonly credential: RegistrarCredential
}

/** In the currency's smallest unit, so that nothing is rounded on the way. */
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

/** A name as its registrar has it. Null: the provider does not report. */
export interface RegisteredName {
  /** Punycode, lower case. */
  readonly name: string
  /** The provider's word, lower case. */
  readonly status: string | null
  readonly createdAt: Date | null
  readonly expiresAt: Date | null
  readonly autoRenew: boolean | null
  /** Against transfer. */
  readonly locked: boolean | null
  readonly privacy: boolean | null
  /** Lower case, without the dot at the end, sorted. Null: not part of the list, ask `getNameServers`. */
  readonly nameServers: readonly string[] | null
}

interface NamePage {
  readonly names: readonly RegisteredName[]
  /** To go on from; null: this was the last. */
  readonly next: string | null
  readonly total: number | null
}

/** A time that a name is sold for. */
export interface Term {
  readonly years: number
  /** For all the years. */
  readonly price: Money
}

export type Availability =
  | {
      readonly name: string
      readonly state: 'available'
      /** For the shortest term, taxes and fees included; null: the provider does not publish that before it sells, so the name cannot be ordered. */
      readonly price: Money | null
      /** For a year. */
      readonly renewal: Money | null
      readonly years: number
      /** Longer than `years`, shortest first, ten years at most, in the currency of `price`, fees included; empty: not sold for longer by this API. */
      readonly longer: readonly Term[]
      readonly premium: boolean
    }
  | { readonly name: string; readonly state: 'taken' }
  /** It cannot be determined, or not sold here; the provider's own code and words. */
  | {
      readonly name: string
      readonly state: 'unknown' | 'unsupported'
      readonly code: string | null
      readonly message: string | null
      /** Sold by the provider, and not through its API. */
      readonly onWebsite?: boolean
    }

/** What registries want to know of who holds a name. Texts as a person writes them; the adapter brings them into the provider's form. */
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
  /** What some zones ask for beyond: passport, taxpayer number … by the provider's own names. */
  readonly extra: Readonly<Record<string, string>>
}

/** What is ordered, without its price: identical in the quote and in the order. */
export interface PurchaseOrder {
  readonly name: string
  readonly years: number
  readonly contact: RegistrantContact
  /** Where the order takes them; anyone who orders sees to it afterwards with `setNameServers`. Empty: the registrar's own. */
  readonly nameServers: readonly string[]
  readonly privacy: boolean
  readonly autoRenew: boolean
  /** The address of the person who orders, where the provider asks for it. */
  readonly endUserIp: string
}

export interface RenewalOrder {
  readonly name: string
  readonly years: number
  /** As the registry has it now: some providers refuse a renewal that does not name it. */
  readonly expiresAt: Date
}

/** What the provider would charge for an order now. */
export interface Quote extends QuotedPrice {
  readonly name: string
  /** What of `total` is fees and taxes, in its smallest unit; absent: the provider does not say, or there are none. */
  readonly fees?: number
  /**
   * What the provider wants back with the order: a token, agreements, fees. Kept beside the order until it is decided, so that a repetition after a crash
   * is the same request. Opaque to everybody but the adapter; null: nothing.
   */
  readonly reference: string | null
}

/** Of a quote that the rule let pass, and a key that is the same for every try of one order. */
export interface Confirmation {
  readonly quote: Accepted<Quote>
  /** 16 to 64 characters. Providers that know such keys answer a repetition with the first answer. */
  readonly idempotencyKey: string
}

export interface Purchase {
  readonly name: string
  readonly orderId: string | null
  readonly charged: Money | null
  /** False: accepted, and the registry or the provider's queue answers later. */
  readonly complete: boolean
}

/** One change that has to be right before a registrar can be used, as the doctor found it. */
export interface ReadinessCheck {
  /** `credentials`, `address`, `access`, `domains`, `balance`, `purchase`. The text for each provider is in the `registrars` texts. */
  readonly id: 'credentials' | 'address' | 'access' | 'domains' | 'balance' | 'purchase'
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown'
  /** The provider's own code and words. */
  readonly code: string | null
  readonly message: string | null
  /** Of `address`: the one the provider saw; of `domains`: names that are not open to the API. */
  readonly details: readonly string[]
}

/** What stands behind a credential. */
export interface RegistrarAccount {
  /** Asks as little as it can, and never throws for what the provider refuses: that is a finding. */
  examine(call: RegistrarCall): Promise<readonly ReadinessCheck[]>
  /** Null: the provider's API has no balance. */
  balance(call: RegistrarCall): Promise<Money | null>
  /**
   * What a year more of an ordinary name costs, by zone (`com`, `co.uk`), and where names in other letters cost something else by those (`xn--.com`). Null: the
   * provider has no such list.
   */
  renewalPrices(call: RegistrarCall): Promise<ReadonlyMap<string, Money> | null>
}

/** The names that are with a registrar. */
export interface HeldNames {
  /** In pages as long as the provider gives. */
  listNames(cursor: string | null, call: RegistrarCall): Promise<NamePage>
  /** One name with all that can be determined of it. @throws AppError not_found when it is not with this registrar. */
  getName(name: string, call: RegistrarCall): Promise<RegisteredName>
  getNameServers(name: string, call: RegistrarCall): Promise<readonly string[]>
  /** Takes the place of all that were there. Two to thirteen. */
  setNameServers(name: string, nameServers: readonly string[], call: RegistrarCall): Promise<void>
  /** Whether the registrar renews the name unasked. Null: its API cannot set that. @throws AppError registrar_not_found */
  readonly setAutoRenew: ((name: string, enabled: boolean, call: RegistrarCall) => Promise<void>) | null
}

/** What costs money. `register` and `renew` cannot be called with a price that nobody confirmed: `acceptQuote` makes what they take. */
export interface NameSale {
  /** One answer a name, in their order; as few calls as the provider allows. */
  check(names: readonly string[], call: RegistrarCall): Promise<readonly Availability[]>
  /**
   * What an order of the name would be charged, read from the provider now; nothing is ordered.
   * @throws AppError registrar_name_taken, registrar_not_sold, registrar_website_only, registrar_term, registrar_contact
   */
  quote(order: PurchaseOrder, call: RegistrarCall): Promise<Quote>
  /**
   * Buys a name. Where an earlier try may have been taken (a lost answer), ask `getName` first.
   * @throws AppError registrar_money, registrar_price_changed, registrar_quote_expired, registrar_name_taken, registrar_not_sold, registrar_contact
   */
  register(order: PurchaseOrder, confirmation: Confirmation, call: RegistrarCall): Promise<Purchase>
  /**
   * The result of an order that was not complete, or why it failed: then nothing is bought. Null: the provider cannot be asked; the name appears in `getName`,
   * or it does not. What it throws is about the question and says nothing of the order.
   */
  readonly followUp: ((orderId: string, call: RegistrarCall) => Promise<Omit<Purchase, 'name'> | { readonly refusal: AppError }>) | null
  /** What a renewal would be charged, like `quote`. @throws AppError registrar_not_found, registrar_renewal_early, registrar_website_only */
  quoteRenewal(order: RenewalOrder, call: RegistrarCall): Promise<Quote>
  /** Like `register`. @throws AppError registrar_money, registrar_unpaid, registrar_expired, registrar_renewal_early */
  renew(order: RenewalOrder, confirmation: Confirmation, call: RegistrarCall): Promise<Purchase>
}

/**
 * One credential's calls. Every method throws `AppError` with a `provider_*` or `registrar_*` code and the provider's own code and words. Reads are repeated
 * where that is safe; `register` and `renew` are sent once, unless they certainly were not taken.
 */
export interface RegistrarConnection extends RegistrarAccount, HeldNames, NameSale {}

export interface Registrars {
  /** Cheap; nothing is sent until a method is called. Calls with the same credential share one place and its limit. */
  connect(access: RegistrarAccess): RegistrarConnection
  close(): Promise<void>
}
