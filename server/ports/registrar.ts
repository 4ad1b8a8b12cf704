/** A company that sells names and keeps their delegation, in our words. */

import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'

/** What the panel keeps of a registrar, by our names; each provider asks for its own (`catalog.ts`). */
export interface RegistrarCredential {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly apiKey?: string | undefined
  readonly apiSecret?: string | undefined
  readonly login?: string | undefined
  readonly apiToken?: string | undefined
  /** The public IPv4 address that the provider has on its list of allowed callers, where it wants to be told. */
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

/** A name as its registrar has it. Null: the provider does not tell. */
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

export interface NamePage {
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
      /** For the shortest time it is sold for; null: the provider tells no price before it is bought. */
      readonly price: Money | null
      readonly renewal: Money | null
      readonly years: number
      /** Longer than `years`, shortest first, ten years at most, in the currency of `price`; empty: not sold for longer by this API. */
      readonly longer: readonly Term[]
      /** False: the provider tells no price for longer times before it sells; those in `longer` are reckoned from its prices for a year. */
      readonly longerTold: boolean
      readonly premium: boolean
    }
  | { readonly name: string; readonly state: 'taken' }
  /** It cannot be told, or not sold here; the provider's own code and words. */
  | { readonly name: string; readonly state: 'unknown' | 'unsupported'; readonly code: string | null; readonly message: string | null }

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

export interface PurchaseOrder {
  readonly name: string
  readonly years: number
  /** What was shown and agreed to, for all the years; where it costs something else, nothing is bought (`registrar_price_changed`). */
  readonly price: Money
  readonly premium: boolean
  readonly contact: RegistrantContact
  /** Where the order takes them; whoever orders sees to it afterwards with `setNameServers`. Empty: the registrar's own. */
  readonly nameServers: readonly string[]
  readonly privacy: boolean
  readonly autoRenew: boolean
  /** The same for every try of one purchase; providers that know such keys answer a repetition with the first answer. */
  readonly idempotencyKey: string
  /** The address of the person who orders, where the provider wants to be told. */
  readonly endUserIp: string
}

export interface Purchase {
  readonly name: string
  readonly orderId: string | null
  readonly charged: Money | null
  /** False: taken, but the registry answers later. */
  readonly complete: boolean
}

/** One thing that has to be right before a registrar can be used, as the doctor found it. */
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

/**
 * One credential's calls. Every method throws `AppError` with a `provider_*` or `registrar_*` code and the provider's own code and words. Reads are repeated
 * where that is safe; `register` and `renew` are sent once, unless they certainly were not taken.
 */
export interface RegistrarConnection {
  /** Asks as little as it can, and never throws for what the provider refuses: that is a finding. */
  examine(call: RegistrarCall): Promise<readonly ReadinessCheck[]>
  /** Null: the provider has no balance (it charges a card). */
  balance(call: RegistrarCall): Promise<Money | null>
  /** What a year more of an ordinary name costs, by zone (`com`, `co.uk`). Null: the provider has no such list. */
  renewalPrices(call: RegistrarCall): Promise<ReadonlyMap<string, Money> | null>
  /** In pages as long as the provider gives. */
  listNames(cursor: string | null, call: RegistrarCall): Promise<NamePage>
  /** One name with all that can be told of it. @throws AppError not_found when it is not with this registrar. */
  getName(name: string, call: RegistrarCall): Promise<RegisteredName>
  /** One answer a name, in their order; as few calls as the provider allows. */
  check(names: readonly string[], call: RegistrarCall): Promise<readonly Availability[]>
  /**
   * Buys a name. Where an earlier try may have been taken (a lost answer), ask `getName` first.
   * @throws AppError registrar_money, registrar_price_changed, registrar_name_taken, registrar_not_sold, registrar_contact
   */
  register(order: PurchaseOrder, call: RegistrarCall): Promise<Purchase>
  renew(
    order: { readonly name: string; readonly years: number; readonly expiresAt: Date; readonly price: Money | null },
    call: RegistrarCall,
  ): Promise<Purchase>
  getNameServers(name: string, call: RegistrarCall): Promise<readonly string[]>
  /** Takes the place of all that were there. Two to thirteen. */
  setNameServers(name: string, nameServers: readonly string[], call: RegistrarCall): Promise<void>
}

export interface Registrars {
  /** Cheap; nothing is sent until a method is called. Calls with the same credential share one place and its limit. */
  connect(access: RegistrarAccess): RegistrarConnection
  close(): Promise<void>
}
