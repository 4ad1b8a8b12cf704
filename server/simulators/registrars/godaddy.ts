import { createRateWindow } from '../rate-window.ts'
import type { RateWindow } from '../rate-window.ts'
import { serveVendor } from '../serve.ts'
import type { VendorCallIn, VendorReply, VendorSimulator } from '../serve.ts'
import { createThird } from './godaddy-v3.ts'
import { failure, json, notFound, parse, serversOf, stamp } from './godaddy-reply.ts'
import type { Market, MarketAccount, MarketName } from './market.ts'

export type GodaddySimulatorOptions = {
  readonly market: Market
  readonly port?: number
  readonly latencyMs?: number
  /** Calls a minute for each endpoint; null: no limit. Default 60. */
  readonly perMinute?: number | null
}

const MICRO = 10_000
/** So many names a customer needs for managing them by v1, and for looking up others. */
const TO_MANAGE = 10
const TO_CHECK = 50

/** GoDaddy's API: v1 with a key and a secret, v3 with a personal access token. */
export function startGodaddySimulator(options: GodaddySimulatorOptions): Promise<VendorSimulator> {
  const { market } = options
  const windows = new Map<string, RateWindow>()
  const third = createThird(market)

  function handle(call: VendorCallIn): VendorReply {
    const authorization = call.headers.authorization ?? ''
    const [, key = '', secret = ''] = /^sso-key ([^:]+):(.+)$/.exec(authorization) ?? []
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? []
    const v3 = call.path.startsWith('/v3/')
    const refuse = (status: number, name: string, message: string) => failure(v3, status, name, message)
    if (authorization === '') return refuse(401, 'MISSING_CREDENTIALS', 'Unauthorized : Credentials must be specified')
    const account = token === '' ? market.find('GODADDY', { apiKey: key, apiSecret: secret }) : market.find('GODADDY', { apiToken: token })
    if (account === null) return refuse(401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret')
    if (account.allowedAddresses !== null && !account.allowedAddresses.includes(call.address)) {
      return refuse(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access from this address')
    }
    const needed = call.path.startsWith('/v1/domains/available') ? TO_CHECK : TO_MANAGE
    if (!v3 && (!account.apiOpen || account.names.size < needed))
      return refuse(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
    if (v3 && token === '') return refuse(401, 'UNABLE_TO_AUTHENTICATE', 'A personal access token is required')
    if (options.perMinute !== null) {
      const limitKey = `${market.accounts.indexOf(account)} ${v3 ? 'v3' : templateOf(call)}`
      const window = windows.get(limitKey) ?? createRateWindow(options.perMinute ?? 60, 60_000, 0)
      windows.set(limitKey, window)
      const decision = window.take(call.nowMs)
      if (!decision.allowed) return tooMany(Math.ceil(decision.resetMs / 1000))
    }
    return v3 ? third.handle(account, call, templateOf(call)) : first(account, call)
  }

  function first(account: MarketAccount, call: VendorCallIn): VendorReply {
    const [, , , name = ''] = call.path.split('/')
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
      case 'POST /v1/domains/available': {
        if (!Array.isArray(body)) return failure(false, 400, 'INVALID_BODY', 'Request body doesn’t fulfill schema')
        const names = body.map(String)
        if (names.length > 500) return failure(false, 422, 'MAX_SIZE', 'At most 500 domains in one call')
        const sold = names.filter((each) => market.isSold(each))
        const errors = names
          .filter((each) => !market.isSold(each))
          .map((each) => ({ code: 'UNSUPPORTED_TLD', domain: each, message: 'The tld is not supported', path: 'domains', status: 422 }))
        return json(errors.length === 0 ? 200 : 203, {
          domains: sold.map((each) => available(account, each)),
          ...(errors.length === 0 ? {} : { errors }),
        })
      }
      case 'GET /v1/domains/{domain}': {
        const held = account.names.get(name)
        return held === undefined
          ? notFound(false, name)
          : json(200, { ...domain(held), nameServers: serversOf(held), createdAt: stamp(held.createdAtMs) })
      }
      case 'PATCH /v1/domains/{domain}': {
        const { nameServers, renewAuto } = body as { nameServers?: string[]; renewAuto?: boolean }
        const held = account.names.get(name)
        if (held === undefined) return notFound(false, name)
        if (typeof renewAuto === 'boolean') {
          held.autoRenew = renewAuto
          return { status: 204, contentType: 'application/json', body: '' }
        }
        if (nameServers === undefined || nameServers.length < 2)
          return failure(false, 422, 'INVALID_NAME_SERVERS', 'At least two name servers are required')
        market.setNameServers(account, name, nameServers)
        return { status: 204, contentType: 'application/json', body: '' }
      }
      default:
        return failure(false, 404, 'NOT_FOUND', `No route for ${route}`)
    }
  }

  /** The price leaves out taxes and fees. */
  function available(account: MarketAccount, name: string): object {
    const price = market.price(account, name)
    if (price === null) return { domain: name, available: false, definitive: true }
    const taken = market.isTaken(name)
    return {
      domain: name,
      available: !taken,
      definitive: true,
      ...(taken ? {} : { price: (price.registerMinor - market.icannFee(name)) * MICRO, currency: account.currency, period: 1 }),
    }
  }

  return serveVendor({
    base: '',
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
    now: market.now,
    nameOf: templateOf,
    onCall: (call) => {
      if (call.path !== '/v3/domains/registrations') return
      const { domain: name } = parse(call.body) as { domain?: unknown }
      const key = call.headers['idempotency-key']
      market.received.push({
        provider: 'GODADDY',
        name: typeof name === 'string' ? name : '',
        key: typeof key === 'string' && key !== '' ? key : null,
      })
    },
    refusal: (effect) => {
      switch (effect) {
        case 'rate-limited':
          return tooMany(1)
        case 'server-error':
          return failure(true, 500, 'ERROR_INTERNAL', 'Internal server error')
        case 'forbidden':
          return failure(true, 403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
        case 'revoked-key':
          return failure(true, 401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret')
        case 'success-false':
          return failure(true, 422, 'UNPROCESSABLE', 'The request could not be carried out')
      }
    },
    handle,
  })
}

const tooMany = (retryAfterSec: number): VendorReply => ({
  ...json(429, {
    code: 'TOO_MANY_REQUESTS',
    name: 'TOO_MANY_REQUESTS',
    message: 'Too many requests received within interval',
    retryAfterSec,
  }),
  headers: { 'retry-after': String(retryAfterSec) },
})

/** The path without names and ids. */
function templateOf({ path }: VendorCallIn): string {
  const parts = path.split('/')
  if (parts[1] === 'v1' && parts[3] !== undefined && parts[3] !== 'available') parts[3] = '{domain}'
  if (parts[1] === 'v3' && parts[4] !== undefined) parts[4] = parts[3] === 'domain-names' ? '{domain}' : '{id}'
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
