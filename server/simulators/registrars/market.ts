import type { DsRecord } from '../dns.ts'
import { hash32 } from '../random.ts'

export type MarketProvider = 'NAMECHEAP' | 'GODADDY' | 'PORKBUN' | 'REGRU'

/** A name in its registrar's database. */
export type MarketName = {
  readonly name: string
  readonly createdAtMs: number
  expiresAtMs: number
  autoRenew: boolean
  locked: boolean
  privacy: boolean
  /** Lower case. Empty: the registrar's own. */
  nameServers: readonly string[]
  /** Porkbun: API access enabled by its owner. */
  apiAccess: boolean
  /** Given to the registry; absent: none. */
  dsRecords?: readonly DsRecord[]
  /** Absent: never. */
  renewedAtMs?: number
}

/** A customer of one registrar. */
export type MarketAccount = {
  readonly provider: MarketProvider
  readonly sandbox: boolean
  /** By the panel's field names: username, password, apiKey, apiSecret, login, apiToken. */
  readonly credential: Readonly<Record<string, string>>
  balanceMinor: number
  readonly currency: string
  /** Permitted IP addresses; null: any. */
  allowedAddresses: readonly string[] | null
  /** Its list omits this many of the first names, as after a fault of the provider; individual look-ups still find them. */
  unlisted: number
  /** GoDaddy: below its minimum, and so on: answered like the provider does. */
  apiOpen: boolean
  /** REG.RU: partners may check names. */
  readonly partner: boolean
  readonly names: Map<string, MarketName>
}

/** One paid change. A purchase that happened twice is listed twice. */
export type LedgerEntry = {
  readonly kind: 'register' | 'renew'
  readonly provider: MarketProvider
  readonly account: MarketAccount
  readonly name: string
  readonly years: number
  readonly amountMinor: number
  readonly currency: string
  readonly orderId: string
  readonly atMs: number
}

/** An order as received, regardless of its outcome: including refused, unanswered and repeated ones. */
type ReceivedOrder = {
  readonly provider: MarketProvider
  readonly name: string
  /** The idempotency key; null: none. */
  readonly key: string | null
}

type MarketAccountInput = Pick<MarketAccount, 'provider' | 'credential'> &
  Partial<Omit<MarketAccount, 'provider' | 'credential' | 'names'>> & {
    readonly names?: readonly (Pick<MarketName, 'name'> & Partial<MarketName>)[]
  }

/** Dependencies of every registrar simulator. */
export type RegistrarOptions = {
  readonly market: Market
  readonly port?: number | undefined
  readonly latencyMs?: number | undefined
}

export type Refusal = 'taken' | 'unsupported' | 'term' | 'money' | 'price'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const CURRENCY: Readonly<Record<MarketProvider, string>> = { NAMECHEAP: 'USD', GODADDY: 'USD', PORKBUN: 'USD', REGRU: 'RUB' }
/** The yearly price in US cents; other zones are not sold. */
const TLD_MINOR: Readonly<Record<string, readonly [register: number, renew: number]>> = {
  com: [1_098, 1_498],
  net: [1_298, 1_598],
  org: [748, 1_398],
  info: [398, 2_498],
  xyz: [198, 1_398],
  shop: [199, 3_198],
  online: [98, 3_598],
  site: [98, 3_198],
  pro: [298, 2_198],
  io: [3_498, 5_998],
  ru: [299, 399],
  'co.uk': [688, 998],
  // Zones sold by third parties at their own prices.
  'us.com': [2_498, 3_498],
  de: [588, 988],
  us: [478, 698],
  ai: [6_980, 6_980],
  'xn--p1ai': [299, 399],
}
/** Minimum and maximum registration term of a zone, in years. */
const TLD_TERMS: Readonly<Record<string, readonly [shortest: number, longest: number]>> = { ru: [1, 1], 'xn--p1ai': [1, 1], ai: [2, 10] }
/** Yearly fee of generic zones; part of the charge, and displayed separately by some registrars. */
const ICANN_FEE_MINOR = 20
const WITHOUT_ICANN_FEE = new Set(['io', 'ru', 'co.uk', 'us.com', 'de', 'us', 'ai', 'xn--p1ai'])
const RUBLES_A_DOLLAR = 90
/** REG.RU: internationalized names have another price in zones with such an exception. */
export const IDN_FACTOR = 2
const isIdnOf = (name: string, zone: string): boolean => name.startsWith('xn--') && name.endsWith(`.${zone}`)

/** All names of the simulated world and their registrars: a name registered at one registrar is taken at the others. */
export class Market {
  readonly accounts: MarketAccount[] = []
  /** All payments, in order. */
  readonly ledger: LedgerEntry[] = []
  /** All orders for new names ever received, in order. */
  readonly received: ReceivedOrder[] = []
  readonly now: () => number
  readonly #seed: number
  readonly #priceFactor = new Map<string, number>()
  readonly #listeners = new Set<(name: string, nameServers: readonly string[]) => void>()
  readonly #dsListeners = new Set<(name: string, published: boolean) => void>()
  readonly #pending = new Map<string, { readonly account: MarketAccount; readonly held: MarketName }>()
  #orders = 0

  constructor({ now = Date.now, seed = 7 }: { readonly now?: () => number; readonly seed?: number } = {}) {
    this.now = now
    this.#seed = seed
  }

  #hashOf(name: string): number {
    return hash32(this.#seed, ...Buffer.from(name))
  }

  tldOf(name: string): string {
    const labels = name.split('.')
    const two = labels.slice(-2).join('.')
    return labels.length > 2 && two in TLD_MINOR ? two : (labels.at(-1) ?? '')
  }

  ownerOf(name: string): MarketAccount | null {
    return this.accounts.find((account) => !account.sandbox && account.names.has(name)) ?? null
  }

  addAccount(input: MarketAccountInput): MarketAccount {
    const { names = [], ...rest } = input
    const account: MarketAccount = {
      sandbox: false,
      balanceMinor: CURRENCY[input.provider] === 'RUB' ? 9_000_000 : 100_000,
      currency: CURRENCY[input.provider],
      allowedAddresses: null,
      unlisted: 0,
      apiOpen: true,
      partner: true,
      ...rest,
      names: new Map(),
    }
    for (const name of names) {
      const createdAtMs = name.createdAtMs ?? this.now() - 200 * DAY_MS
      account.names.set(name.name, {
        expiresAtMs: createdAtMs + YEAR_MS,
        autoRenew: true,
        locked: true,
        privacy: true,
        nameServers: [],
        apiAccess: true,
        ...name,
        createdAtMs,
      })
    }
    this.accounts.push(account)
    return account
  }

  /** Finds a customer by the credentials of a call; all given fields must match. */
  find(provider: MarketProvider, credential: Readonly<Record<string, string>>): MarketAccount | null {
    return (
      this.accounts.find(
        (account) =>
          account.provider === provider && Object.entries(credential).every(([field, value]) => account.credential[field] === value),
      ) ?? null
    )
  }

  /** Prices are missing in responses, or unparseable. Orders cost the same as before. */
  hidesPrices = false
  /** All zones that are sold. */
  readonly zones: readonly string[] = Object.keys(TLD_MINOR)
  /** One in five names not held in this world belongs to an outsider; names containing `free` never do, those with `taken` always. */
  isTaken(name: string): boolean {
    if (this.ownerOf(name) !== null || this.#pending.has(name)) return true
    if (name.includes('free')) return false
    return name.includes('taken') || this.#hashOf(name) % 5 === 0
  }

  isSold(name: string): boolean {
    return this.tldOf(name) in TLD_MINOR
  }

  isPremium(name: string): boolean {
    return name.includes('premium') || (name.split('.')[0]?.length ?? 9) <= 3
  }

  /** Per year, in the account's currency, with all fees. Null: not sold. */
  price(
    account: Pick<MarketAccount, 'provider' | 'currency'>,
    name: string,
  ): { readonly registerMinor: number; readonly renewMinor: number } | null {
    const base = TLD_MINOR[this.tldOf(name)]
    if (base === undefined) return null
    const factor =
      (this.isPremium(name) ? 100 : 1) *
      (account.currency === 'RUB' ? RUBLES_A_DOLLAR : 1) *
      (account.provider === 'REGRU' && isIdnOf(name, 'com') ? IDN_FACTOR : 1) *
      (this.#priceFactor.get(name) ?? this.#priceFactor.get(this.tldOf(name)) ?? 1)
    return { registerMinor: Math.round(base[0] * factor), renewMinor: Math.round(base[1] * factor) }
  }

  /**
   * For this many years, with all fees: each year after the first costs as much as a renewal, at REG.RU as much as the first. Null: not
   * sold.
   */
  cost(account: Pick<MarketAccount, 'provider' | 'currency'>, name: string, years: number): number | null {
    const price = this.price(account, name)
    if (price === null) return null
    return account.provider === 'REGRU' ? price.registerMinor * years : price.registerMinor + price.renewMinor * (years - 1)
  }

  /** The fee included in the yearly price. */
  icannFee(name: string): number {
    return WITHOUT_ICANN_FEE.has(this.tldOf(name)) ? 0 : ICANN_FEE_MINOR
  }

  /** Minimum and maximum registration term of a name in the zone, in years. */
  shortest(name: string): number {
    return TLD_TERMS[this.tldOf(name)]?.[0] ?? 1
  }

  longest(name: string): number {
    return TLD_TERMS[this.tldOf(name)]?.[1] ?? 10
  }

  /** Multiplies the price of the name, or of every ordinary name of the zone, from now on, for example between quote and order. */
  changePrice(nameOrZone: string, factor: number): void {
    this.#priceFactor.set(nameOrZone, factor)
  }

  /** Names containing `later`: paid, and waiting for the registry. */
  isPending(name: string): boolean {
    return this.#pending.has(name)
  }

  /** Completes waiting registrations. */
  complete(name: string): void {
    const order = this.#pending.get(name)
    this.#pending.delete(name)
    order?.account.names.set(name, order.held)
  }

  /** Sells a name, or returns why not. `expectedMinor` is for the whole order, if the caller had to name it. */
  register(
    account: MarketAccount,
    order: {
      readonly name: string
      readonly years: number
      readonly expectedMinor?: number
      readonly nameServers?: readonly string[]
      readonly autoRenew?: boolean
      readonly privacy?: boolean
    },
  ): LedgerEntry | Refusal {
    const amountMinor = this.cost(account, order.name, order.years)
    if (amountMinor === null) return 'unsupported'
    if (order.years < this.shortest(order.name) || order.years > this.longest(order.name)) return 'term'
    if (this.isTaken(order.name) || account.names.has(order.name)) return 'taken'
    if (order.expectedMinor !== undefined && order.expectedMinor !== amountMinor) return 'price'
    if (account.balanceMinor < amountMinor) return 'money'
    account.balanceMinor -= amountMinor
    const held: MarketName = {
      name: order.name,
      createdAtMs: this.now(),
      expiresAtMs: this.now() + order.years * YEAR_MS,
      autoRenew: order.autoRenew ?? true,
      locked: true,
      privacy: order.privacy ?? true,
      nameServers: order.nameServers ?? [],
      apiAccess: true,
    }
    // Only these two have a status for it.
    if ((account.provider === 'NAMECHEAP' || account.provider === 'GODADDY') && order.name.includes('later'))
      this.#pending.set(order.name, { account, held })
    else account.names.set(order.name, held)
    if (order.nameServers !== undefined) this.delegated(order.name, order.nameServers)
    return this.book(account, 'register', order.name, order.years, amountMinor)
  }

  renew(account: MarketAccount, name: string, years: number, expectedMinor?: number): LedgerEntry | Refusal {
    const held = account.names.get(name)
    const price = this.price(account, name)
    if (held === undefined || price === null) return 'unsupported'
    const amountMinor = price.renewMinor * years
    if (expectedMinor !== undefined && expectedMinor !== amountMinor) return 'price'
    if (account.balanceMinor < amountMinor) return 'money'
    account.balanceMinor -= amountMinor
    held.expiresAtMs += years * YEAR_MS
    held.renewedAtMs = this.now()
    return this.book(account, 'renew', name, years, amountMinor)
  }

  setNameServers(account: MarketAccount, name: string, nameServers: readonly string[]): boolean {
    const held = account.names.get(name)
    if (held === undefined) return false
    held.nameServers = nameServers.map((server) => server.toLowerCase().replace(/\.$/, ''))
    this.delegated(name, held.nameServers)
    return true
  }

  book(account: MarketAccount, kind: LedgerEntry['kind'], name: string, years: number, amountMinor: number): LedgerEntry {
    const orderId = String(80_000_000 + this.#orders++)
    const entry = {
      kind,
      provider: account.provider,
      account,
      name,
      years,
      amountMinor,
      currency: account.currency,
      orderId,
      atMs: this.now(),
    }
    this.ledger.push(entry)
    return entry
  }

  delegated(name: string, nameServers: readonly string[]): void {
    for (const listener of this.#listeners) listener(name, nameServers)
  }

  /** Called when a name's name servers change, so that the simulated registry and Cloudflare see it. */
  onDelegation(listener: (name: string, nameServers: readonly string[]) => void): void {
    this.#listeners.add(listener)
  }

  noteDs(name: string, records: readonly DsRecord[]): void {
    for (const listener of this.#dsListeners) listener(name, records.length > 0)
  }

  /** Called when a registrar got or lost the DS records of a name, so that public DNS has them. */
  onDs(listener: (name: string, published: boolean) => void): void {
    this.#dsListeners.add(listener)
  }
}
