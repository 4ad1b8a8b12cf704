import { createRateWindow } from '../rate-window.ts'
import type { RateWindow } from '../rate-window.ts'
import type { Market, MarketAccount, MarketName } from './market.ts'
import { serveVendor } from '../serve.ts'
import type { VendorCallIn, VendorReply, VendorSimulator } from '../serve.ts'

export type GodaddySimulatorOptions = {
  readonly market: Market
  readonly port?: number
  readonly latencyMs?: number
  /** Calls a minute for each endpoint; null: no limit. Default 60. */
  readonly perMinute?: number | null
}

const MICRO = 10_000

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** GoDaddy's API: v1 with a key and a secret, v3 with a personal access token. */
export function startGodaddySimulator(options: GodaddySimulatorOptions): Promise<VendorSimulator> {
  const { market } = options
  const windows = new Map<string, RateWindow>()
  const quotes = new Map<
    string,
    { readonly account: MarketAccount; readonly name: string; readonly years: number; readonly minor: number; used: boolean }
  >()
  const replays = new Map<string, VendorReply>()
  let quoteNumber = 0

  function handle(call: VendorCallIn): VendorReply {
    const authorization = call.headers.authorization ?? ''
    const [, key = '', secret = ''] = /^sso-key ([^:]+):(.+)$/.exec(authorization) ?? []
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? []
    if (authorization === '') return failure(401, 'MISSING_CREDENTIALS', 'Unauthorized : Credentials must be specified')
    const account = token === '' ? market.find('GODADDY', { apiKey: key, apiSecret: secret }) : market.find('GODADDY', { apiToken: token })
    if (account === null) return failure(401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret')
    if (account.allowedAddresses !== null && !account.allowedAddresses.includes(call.address)) {
      return failure(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access from this address')
    }
    const v3 = call.path.startsWith('/v3/')
    if (!account.apiOpen && !v3) return failure(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
    if (v3 && token === '') return failure(401, 'UNABLE_TO_AUTHENTICATE', 'A personal access token is required')
    if (options.perMinute !== null) {
      const limitKey = `${market.accounts.indexOf(account)} ${v3 ? 'v3' : templateOf(call)}`
      const window = windows.get(limitKey) ?? createRateWindow(options.perMinute ?? 60, 60_000, 0)
      windows.set(limitKey, window)
      const decision = window.take(call.nowMs)
      if (!decision.allowed) {
        return json(429, {
          code: 'TOO_MANY_REQUESTS',
          message: 'Too many requests received within interval',
          retryAfterSec: Math.ceil(decision.resetMs / 1000),
        })
      }
    }
    return v3 ? third(account, call) : first(account, call)
  }

  function first(account: MarketAccount, call: VendorCallIn): VendorReply {
    const [, , , name = '', action] = call.path.split('/')
    const body = parse(call.body)
    const route = `${call.method} ${templateOf(call)}`
    switch (route) {
      case 'GET /v1/domains': {
        const limit = Math.min(Number(call.query.get('limit') ?? 100), 1_000)
        const marker = call.query.get('marker')
        const all = [...account.names.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
        const from = marker === null ? 0 : all.findIndex((held) => held.name === marker) + 1
        return json(
          200,
          all.slice(from, from + limit).map((held) => domain(held)),
        )
      }
      case 'GET /v1/domains/available':
        return json(200, available(account, call.query.get('domain') ?? ''))
      case 'POST /v1/domains/available': {
        if (!Array.isArray(body)) return failure(400, 'INVALID_BODY', 'Request body doesn’t fulfill schema')
        const names = body.map(String)
        if (names.length > 500) return failure(422, 'MAX_SIZE', 'At most 500 domains at once')
        const sold = names.filter((name) => market.isSold(name))
        const errors = names
          .filter((name) => !market.isSold(name))
          .map((name) => ({ code: 'UNSUPPORTED_TLD', domain: name, message: 'The tld is not supported', path: 'domains', status: 422 }))
        return json(errors.length === 0 ? 200 : 203, {
          domains: sold.map((name) => available(account, name)),
          ...(errors.length === 0 ? {} : { errors }),
        })
      }
      case 'GET /v1/domains/agreements':
        return json(200, [
          { agreementKey: 'DNRA', title: 'Domain Name Registration Agreement', url: 'https://example.com/dnra', content: '' },
        ])
      case 'POST /v1/domains/purchase': {
        const order = body as {
          domain?: string
          period?: number
          consent?: { agreementKeys?: string[] }
          contactRegistrant?: object
          nameServers?: string[]
          renewAuto?: boolean
          privacy?: boolean
        }
        if (!order.consent?.agreementKeys?.includes('DNRA')) return failure(422, 'INVALID_AGREEMENT_KEYS', 'Agreement keys are missing')
        if (order.contactRegistrant === undefined) return failure(422, 'MISSING_CONTACT', 'contactRegistrant is required')
        return sell(account, order.domain ?? '', order.period ?? 1, undefined, order)
      }
      case 'GET /v1/domains/{domain}': {
        const held = account.names.get(name)
        return held === undefined
          ? notFound(name)
          : json(200, { ...domain(held), nameServers: serversOf(held), createdAt: stamp(held.createdAtMs) })
      }
      case 'PATCH /v1/domains/{domain}': {
        const { nameServers } = body as { nameServers?: string[] }
        if (!account.names.has(name)) return notFound(name)
        if (nameServers === undefined || nameServers.length < 2)
          return failure(422, 'INVALID_NAME_SERVERS', 'At least two name servers are required')
        market.setNameServers(account, name, nameServers)
        return { status: 204, contentType: 'application/json', body: '' }
      }
      case 'POST /v1/domains/{domain}/renew': {
        const entry = market.renew(account, name, (body as { period?: number }).period ?? 1)
        if (entry === 'money')
          return failure(402, 'INVALID_PAYMENT_INFO', 'Unable to authorize credit based on specified payment information')
        if (typeof entry === 'string') return notFound(name)
        return json(200, { orderId: Number(entry.orderId), itemCount: 1, total: entry.amountMinor * MICRO, currency: entry.currency })
      }
      default:
        return failure(404, 'NOT_FOUND', `No route for ${route} ${action ?? ''}`)
    }
  }

  function third(account: MarketAccount, call: VendorCallIn): VendorReply {
    const body = parse(call.body) as Record<string, unknown>
    const [, , , , name = ''] = call.path.split('/')
    switch (`${call.method} ${templateOf(call)}`) {
      case 'GET /v3/domains/domain-names': {
        const limit = 100
        const page = Number(call.query.get('page') ?? 1)
        const all = [...account.names.values()]
        const items = all.slice((page - 1) * limit, page * limit)
        const next = page * limit < all.length ? [{ rel: 'next', href: `/v3/domains/domain-names?page=${page + 1}` }] : []
        return json(200, { items: items.map((held) => ({ ...domain(held), domain: undefined, domainName: held.name })), links: next })
      }
      case 'GET /v3/domains/domain-names/{domain}': {
        const held = account.names.get(name)
        return held === undefined
          ? notFound(name)
          : json(200, { ...domain(held), domain: undefined, domainName: held.name, nameServers: serversOf(held) })
      }
      case 'PUT /v3/domains/domain-names/{domain}/nameservers': {
        const servers = parse(call.body)
        if (!account.names.has(name)) return notFound(name)
        if (!Array.isArray(servers) || servers.length < 2)
          return failure(422, 'INVALID_NAME_SERVERS', 'At least two name servers are required')
        market.setNameServers(account, name, servers.map(String))
        return { status: 204, contentType: 'application/json', body: '' }
      }
      case 'POST /v3/domains/check-availability': {
        const names = (body['domains'] as unknown[] | undefined)?.map(String) ?? []
        return json(200, {
          items: names.map((each) => {
            const price = market.price(account, each)
            if (price === null)
              return { domain: each, available: false, error: { code: 'UNSUPPORTED_TLD', message: 'The tld is not supported' } }
            const taken = market.isTaken(each)
            return {
              domain: each,
              available: !taken,
              inventory: market.isPremium(each) ? 'PREMIUM' : 'STANDARD',
              ...(taken
                ? {}
                : {
                    prices: Array.from({ length: market.longest(each) }, (_, index) => ({
                      period: index + 1,
                      price: { currencyCode: account.currency, value: market.cost(account, each, index + 1) },
                      renewalPrice: { currencyCode: account.currency, value: price.renewMinor },
                    })),
                  }),
            }
          }),
        })
      }
      case 'POST /v3/domains/registration-quotes': {
        const wanted = textOf(body['domain'])
        const years = Number(body['period'] ?? 1)
        const minor = market.cost(account, wanted, years)
        if (minor === null) return failure(422, 'UNSUPPORTED_TLD', 'The tld is not supported')
        if (market.isTaken(wanted))
          return failure(409, 'UNAVAILABLE_DOMAIN', `The specified domain (${wanted}) isn't available for purchase`)
        quoteNumber += 1
        const quoteToken = `quote-${quoteNumber}`
        quotes.set(quoteToken, { account, name: wanted, years, minor, used: false })
        return json(200, { quoteToken, domain: wanted, total: { currencyCode: account.currency, value: minor } })
      }
      case 'POST /v3/domains/registrations': {
        const key = `${market.accounts.indexOf(account)} ${String(call.headers['idempotency-key'] ?? '')}`
        const before = replays.get(key)
        if (before !== undefined) return before
        const quote = quotes.get(textOf(body['quoteToken']))
        if (quote === undefined || quote.used || quote.account !== account)
          return failure(409, 'QUOTE_MISMATCH', 'The quote is not valid any more')
        const reply = sell(account, quote.name, quote.years, quote.minor, body)
        if (reply.status < 400) {
          quote.used = true
          replays.set(key, reply)
        }
        return reply
      }
      default:
        return failure(404, 'NOT_FOUND', 'No such route')
    }
  }

  function sell(
    account: MarketAccount,
    name: string,
    years: number,
    expectedMinor: number | undefined,
    order: { nameServers?: string[]; renewAuto?: boolean; privacy?: boolean },
  ): VendorReply {
    const entry = market.register(account, {
      name,
      years,
      ...(expectedMinor === undefined ? {} : { expectedMinor }),
      ...(order.nameServers === undefined ? {} : { nameServers: order.nameServers }),
      autoRenew: order.renewAuto ?? true,
      privacy: order.privacy ?? false,
    })
    switch (entry) {
      case 'taken':
        return failure(422, 'UNAVAILABLE_DOMAIN', `The specified domain (${name}) isn't available for purchase`)
      case 'unsupported':
        return failure(422, 'UNSUPPORTED_TLD', 'The tld is not supported')
      case 'money':
        return failure(402, 'INVALID_PAYMENT_INFO', 'Unable to authorize credit based on specified payment information')
      case 'price':
        return failure(409, 'QUOTE_MISMATCH', 'The price has changed')
      default:
        return json(200, { orderId: Number(entry.orderId), itemCount: 1, total: entry.amountMinor * MICRO, currency: entry.currency })
    }
  }

  function available(account: MarketAccount, name: string): object {
    const price = market.price(account, name)
    if (price === null) return { domain: name, available: false, definitive: true }
    const taken = market.isTaken(name)
    return {
      domain: name,
      available: !taken,
      definitive: true,
      ...(taken ? {} : { price: price.registerMinor * MICRO, currency: account.currency, period: 1 }),
    }
  }

  return serveVendor({
    base: '',
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
    now: market.now,
    nameOf: templateOf,
    onCall: (call) => {
      const body = parse(call.body) as Record<string, unknown>
      if (call.path === '/v1/domains/purchase') market.received.push({ provider: 'GODADDY', name: textOf(body['domain']), key: null })
      if (call.path !== '/v3/domains/registrations') return
      const name = quotes.get(textOf(body['quoteToken']))?.name ?? ''
      market.received.push({ provider: 'GODADDY', name, key: textOf(call.headers['idempotency-key']) || null })
    },
    refusal: (effect) => {
      switch (effect) {
        case 'rate-limited':
          return json(429, { code: 'TOO_MANY_REQUESTS', message: 'Too many requests received within interval', retryAfterSec: 1 })
        case 'server-error':
          return failure(500, 'ERROR_INTERNAL', 'Internal server error')
        case 'forbidden':
          return failure(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
        case 'revoked-key':
          return failure(401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret')
        case 'success-false':
          return failure(422, 'UNPROCESSABLE', 'The request could not be carried out')
      }
    },
    handle,
  })
}

function templateOf({ path }: VendorCallIn): string {
  const parts = path.split('/')
  const at = parts[1] === 'v3' ? 4 : 3
  const fixed = new Set(['available', 'agreements', 'purchase'])
  if (parts[at] !== undefined && parts[2] === 'domains' && (parts[1] === 'v3' ? parts[3] === 'domain-names' : !fixed.has(parts[at])))
    parts[at] = '{domain}'
  return parts.join('/')
}

const domain = (held: MarketName) => ({
  domain: held.name,
  domainId: 1,
  status: 'ACTIVE',
  expires: stamp(held.expiresAtMs),
  createdAt: stamp(held.createdAtMs),
  locked: held.locked,
  privacy: held.privacy,
  renewAuto: held.autoRenew,
  expirationProtected: false,
  nameServers: null as readonly string[] | null,
})
const serversOf = (held: MarketName): readonly string[] =>
  held.nameServers.length === 0 ? ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'] : held.nameServers
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '.000Z')
const notFound = (name: string) =>
  failure(404, 'UNKNOWN_DOMAIN', `The given domain (${name}) is not registered, or does not have a zone file`)
const failure = (status: number, code: string, message: string): VendorReply => json(status, { code, message })
const json = (status: number, content: unknown): VendorReply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(content),
})

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return {}
  }
}
