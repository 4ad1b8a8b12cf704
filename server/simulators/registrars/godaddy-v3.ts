import { isDeepStrictEqual } from 'node:util'
import { jsonReply, parseJson, textOf } from '../serve.ts'
import type { SimulatorCall, SimulatorReply } from '../serve.ts'
import type { Market, MarketAccount, MarketName } from './market.ts'

type Body = Readonly<Record<string, unknown>>
type Quote = {
  readonly account: MarketAccount
  readonly name: string
  readonly years: number
  readonly minor: number
  readonly profile: unknown
  readonly agreements: readonly string[]
  readonly fees: readonly object[]
  readonly expiresAtMs: number
  used: boolean
}
type Operation = {
  readonly id: string
  readonly type: 'REGISTER' | 'UPDATE'
  readonly name: string
  readonly failed: boolean
  polls: number
}

const QUOTE_MS = 600_000
const MOST_CHECKED = 25
const PAGE = 200
/** The share of a premium price that is a one-time fee. */
const PREMIUM_FEE = 0.9

export const serversOf = (held: MarketName): readonly string[] =>
  held.nameServers.length === 0 ? ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'] : held.nameServers
export const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '.000Z')

/** v1 calls an error's name `code`, v3 `name`. */
export const failure = (v3: boolean, status: number, name: string, message: string): SimulatorReply =>
  jsonReply(v3 ? { name, correlationId: '9f1c2e7a-4b3d-4e8f-a1c2-3d4e5f6a7b8c', message } : { code: name, message }, status)
export const notFound = (v3: boolean, name: string) =>
  failure(v3, 404, 'UNKNOWN_DOMAIN', `The given domain (${name}) is not registered, or does not have a zone file`)

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const refuse = (status: number, name: string, message: string) => failure(true, status, name, message)
const link = (rel: string, path: string) => ({ rel, href: `/v3/domains/${path}` })

/**
 * GoDaddy's API v3: quotes, orders answered with 202, and operations to poll. Names containing `later` end when the market completes them,
 * those with `fails` never succeed.
 */
export class VersionThree {
  readonly #market: Market
  readonly #quotes = new Map<string, Quote>()
  readonly #operations = new Map<string, Operation>()
  readonly #replays = new Map<string, SimulatorReply>()
  #serial = 0

  constructor(market: Market) {
    this.#market = market
  }

  handle(account: MarketAccount, call: SimulatorCall, template: string): SimulatorReply {
    const body = (parseJson(call.body) ?? {}) as Body
    const last = call.path.split('/')[4] ?? ''
    switch (`${call.method} ${template}`) {
      case 'GET /v3/domains/domain-names': {
        const size = Math.min(PAGE, Number(call.query.get('pageSize') ?? 100))
        const from = Number(call.query.get('pageToken') ?? 0)
        const all = [...account.names.values()]
        const next = from + size < all.length ? [link('next', `domain-names?pageSize=${size}&pageToken=${from + size}`)] : []
        return jsonReply({ items: all.slice(from, from + size).map(domainView), links: [link('self', 'domain-names'), ...next] })
      }
      case 'GET /v3/domains/domain-names/{domain}': {
        const held = account.names.get(last)
        return held === undefined ? notFound(true, last) : jsonReply(domainView(held))
      }
      case 'PUT /v3/domains/domain-names/{domain}/nameservers':
        return this.#once(account, call, () => {
          const servers = parseJson(call.body)
          if (!account.names.has(last)) return notFound(true, last)
          if (!Array.isArray(servers) || servers.length < 2)
            return refuse(422, 'INVALID_NAME_SERVERS', 'At least two name servers are required')
          this.#market.setNameServers(account, last, servers.map(String))
          return this.#begun(this.#begin('UPDATE', last), {})
        })
      case 'POST /v3/domains/check-availability': {
        const names = (body['domains'] as unknown[] | undefined)?.map(String) ?? []
        if (names.length === 0 || names.length > MOST_CHECKED)
          return refuse(422, 'INVALID_LENGTH', 'domains: 1 to 25 are checked in one call')
        return jsonReply({ items: names.map((name) => this.#checked(account, name)) })
      }
      case 'POST /v3/domains/registration-quotes':
        return this.#quote(account, body, call.nowMs)
      case 'POST /v3/domains/registrations':
        return this.#once(account, call, () => this.#register(account, body, call.nowMs))
      case 'GET /v3/domains/operations/{id}': {
        const operation = this.#operations.get(last)
        if (operation === undefined) return refuse(404, 'NOT_FOUND', 'No such operation')
        operation.polls += 1
        return jsonReply(this.#view(operation))
      }
      default:
        return refuse(404, 'NOT_FOUND', `No route for ${call.method} ${template}`)
    }
  }

  /** The key is checked first: the stored response is sent again for any body. */
  #once(account: MarketAccount, call: SimulatorCall, work: () => SimulatorReply): SimulatorReply {
    const key = call.headers['idempotency-key']
    if (typeof key !== 'string' || key.length < 16 || key.length > 64)
      return refuse(400, 'MISSING_HEADER', 'Idempotency-Key of 16 to 64 characters is required')
    const own = `${this.#market.accounts.indexOf(account)} ${key}`
    const before = this.#replays.get(own)
    if (before !== undefined) return before
    const reply = work()
    if (reply.status < 400) this.#replays.set(own, reply)
    return reply
  }

  #begin(type: Operation['type'], name: string, failed = false): Operation {
    const operation = { id: uuid((this.#serial += 1)), type, name, failed, polls: 0 }
    this.#operations.set(operation.id, operation)
    return operation
  }

  #statusOf({ name, polls, failed, type }: Operation): string {
    if (polls === 0) return 'CONFIRMED'
    if (failed) return 'FAILED'
    return type === 'REGISTER' && this.#market.isPending(name) ? 'EXECUTING' : 'COMPLETED'
  }

  #view(operation: Operation): object {
    const { id: operationId, type, name } = operation
    const status = this.#statusOf(operation)
    const sold = this.#market.ledger.findLast((entry) => entry.name === name && entry.kind === 'register')
    return {
      operationId,
      type,
      domain: name,
      status,
      ...(status === 'COMPLETED' && type === 'REGISTER'
        ? { result: { orderId: sold?.orderId, expiresAt: stamp(this.#market.now()) } }
        : {}),
      ...(status === 'FAILED'
        ? { error: { name: 'REGISTRY_REJECTED', correlationId: operationId, message: 'The registry rejected the registration' } }
        : {}),
      links: [link('self', `operations/${operationId}`)],
    }
  }

  #begun(operation: Operation, more: object): SimulatorReply {
    return jsonReply({ ...this.#view(operation), ...more }, 202)
  }

  /** For the whole term: the price, which for premium names is mostly a fee. */
  #priceOf(account: MarketAccount, name: string, years: number) {
    const minor = this.#market.cost(account, name, years) ?? 0
    const feeMinor = this.#market.isPremium(name) ? Math.round(minor * PREMIUM_FEE) : 0
    const money = (value: number) => ({ currencyCode: account.currency, value })
    const fees = feeMinor === 0 ? [] : [{ type: 'ONE_TIME_PREMIUM_DOMAIN_PURCHASE', fee: money(feeMinor) }]
    return {
      minor,
      price: money(minor - feeMinor),
      fees,
      renewalPrice: money((this.#market.price(account, name)?.renewMinor ?? 0) * years),
    }
  }

  #inventoryOf(name: string): string {
    return this.#market.isPremium(name) ? 'REGISTRY_PREMIUM' : 'REGISTRY'
  }

  #checked(account: MarketAccount, name: string): object {
    if (!this.#market.isSold(name) || isExcluded(name)) {
      return { domain: name, error: { name: 'UNSUPPORTED_TLD', correlationId: uuid(0), message: 'The tld is not supported' } }
    }
    if (this.#market.isTaken(name)) return { domain: name, available: false, definitive: false }
    const terms = Array.from(
      { length: this.#market.longest(name) - this.#market.shortest(name) + 1 },
      (_, more) => this.#market.shortest(name) + more,
    )
    const prices = terms.map((period) => {
      const { price, fees, renewalPrice } = this.#priceOf(account, name, period)
      return { term: 'YEAR', period, price, renewalPrice, ...(fees.length === 0 ? {} : { fees }) }
    })
    return {
      domain: name,
      available: true,
      definitive: false,
      inventory: this.#inventoryOf(name),
      ...(this.#market.hidesPrices ? {} : { prices }),
    }
  }

  #quote(account: MarketAccount, body: Body, nowMs: number): SimulatorReply {
    const { domain: name, period: years = 1, profile } = body as { domain?: unknown; period?: number; profile?: Profile }
    if (typeof name !== 'string') return refuse(400, 'MISSING_FIELD', 'domain is required')
    const wrong = faultOf(profile)
    if (wrong !== null) return refuse(422, 'MISSING_CONTACT', wrong)
    if (!this.#market.isSold(name) || isExcluded(name)) return refuse(422, 'UNSUPPORTED_TLD', 'The tld is not supported')
    if (this.#market.isTaken(name)) return jsonReply({ domain: name, available: false })
    if (years < this.#market.shortest(name) || years > this.#market.longest(name)) {
      return refuse(422, 'INVALID_PERIOD', `period ${years} is not currently supported; maximum is ${this.#market.longest(name)} years`)
    }
    const { minor, price, fees, renewalPrice } = this.#priceOf(account, name, years)
    const quoteToken = uuid((this.#serial += 1))
    const agreements = profile?.privacy === true ? ['API_DPA', 'DNPA'] : ['API_DPA']
    this.#quotes.set(quoteToken, { account, name, years, minor, profile, agreements, fees, expiresAtMs: nowMs + QUOTE_MS, used: false })
    return jsonReply({
      domain: name,
      available: true,
      quoteToken,
      expiresAt: stamp(nowMs + QUOTE_MS),
      period: years,
      ...(this.#market.hidesPrices ? {} : { price }),
      ...(fees.length === 0 ? {} : { fees }),
      renewalPrice,
      inventory: this.#inventoryOf(name),
      requiredAgreements: agreements.map((agreementType) => ({
        agreementType,
        title: agreementType,
        url: 'https://example.com/agreement',
      })),
      irreversible: true,
    })
  }

  #register(account: MarketAccount, body: Body, nowMs: number): SimulatorReply {
    const {
      domain: name,
      period,
      quoteToken,
      profile,
      consent,
    } = body as {
      domain?: unknown
      period?: unknown
      quoteToken?: string
      profile?: Profile
      consent?: { agreementTypes?: unknown; agreedAt?: unknown; acknowledgedFees?: unknown }
    }
    if (typeof name !== 'string') return refuse(400, 'MISSING_FIELD', 'domain is required')
    const quoted = this.#quotes.get(quoteToken ?? '')
    if (quoted === undefined || quoted.account !== account || quoted.expiresAtMs < nowMs)
      return refuse(409, 'QUOTE_EXPIRED', 'The quote is not valid any more')
    if (quoted.used) return refuse(409, 'QUOTE_CONSUMED', 'The quote was used')
    if (quoted.name !== name || quoted.years !== period || !isDeepStrictEqual(profile, quoted.profile))
      return refuse(422, 'QUOTE_MISMATCH', 'domain, period and profile must equal the quote')
    if (!isDeepStrictEqual(consent?.acknowledgedFees ?? [], quoted.fees))
      return refuse(422, 'QUOTE_MISMATCH', 'acknowledgedFees must equal the fees of the quote')
    if (!isDeepStrictEqual(consent?.agreementTypes, quoted.agreements) || typeof consent?.agreedAt !== 'string')
      return refuse(422, 'INVALID_AGREEMENT_KEYS', 'agreementTypes must equal the agreements of the quote')
    const more = { registrationId: uuid((this.#serial += 1)), period, price: { currencyCode: account.currency, value: quoted.minor } }
    if (name.includes('fails')) {
      quoted.used = true
      return this.#begun(this.#begin('REGISTER', name, true), more)
    }
    const entry = this.#market.register(account, {
      name,
      years: quoted.years,
      ...(profile?.nameServers === undefined ? {} : { nameServers: profile.nameServers }),
      autoRenew: profile?.autoRenew ?? true,
      privacy: profile?.privacy ?? false,
    })
    if (entry === 'money') return refuse(422, 'INVALID_PAYMENT_INFO', 'Unable to authorize credit based on specified payment information')
    if (typeof entry === 'string') return refuse(409, 'DOMAIN_ALREADY_EXISTS', `${name} is not available for purchase`)
    quoted.used = true
    return this.#begun(this.#begin('REGISTER', name), more)
  }
}

type Profile = {
  readonly contacts?: { readonly registrant?: Readonly<Record<string, unknown>> }
  readonly privacy?: boolean
  readonly autoRenew?: boolean
  readonly nameServers?: readonly string[]
}

/** Features missing at launch. */
const isExcluded = (name: string): boolean => /\.(us|ca|eu)$/.test(name)

/** Missing contact fields, which are required by v3 only. */
function faultOf(profile: Profile | undefined): string | null {
  const registrant = profile?.contacts?.registrant
  if (registrant === undefined) return 'profile.contacts.registrant is required'
  const { phone, address } = registrant as { phone?: Body; address?: Body }
  const missing = [
    ...['firstName', 'lastName', 'email'].filter((field) => typeof registrant[field] !== 'string' || registrant[field] === ''),
    ...(/^\d{1,3}$/.test(textOf(phone?.['countryCode'])) && /^\d{1,14}$/.test(textOf(phone?.['nationalNumber'])) ? [] : ['phone']),
    ...['line1', 'city', 'countryCode'].filter((field) => textOf(address?.[field]) === ''),
  ]
  return missing.length === 0 ? null : `registrant: ${missing.join(', ')}`
}

const domainView = (held: MarketName) => ({
  domain: held.name,
  status: 'ACTIVE',
  expiresAt: stamp(held.expiresAtMs),
  createdAt: stamp(held.createdAtMs),
  updatedAt: stamp(held.createdAtMs),
  autoRenew: held.autoRenew,
  transferLock: held.locked,
  privacy: held.privacy,
  nameServers: serversOf(held),
})
