import { createRateWindows } from '../rate-window.ts'
import { jsonReply, parseJson, serveSimulator, textOf } from '../serve.ts'
import type { SimulatorCall, SimulatorReply, ProviderSimulator } from '../serve.ts'
import { failure, notFound, serversOf, stamp, VersionThree } from './godaddy-v3.ts'
import type { Market, MarketAccount, MarketName, RegistrarOptions } from './market.ts'

type GodaddySimulatorOptions = RegistrarOptions & {
  /** Calls per minute and endpoint; null: no limit. Default 60. */
  readonly perMinute?: number | null
}

type Asked = {
  readonly market: Market
  readonly account: MarketAccount
  readonly call: SimulatorCall
  readonly body: unknown
  /** Of the path. */
  readonly name: string
}

const MICRO = 10_000
/** The number of names required to manage them with v1, and to look up others. */
const TO_MANAGE = 10
const TO_CHECK = 50

/** GoDaddy's API: v1 with a key and a secret, v3 with a personal access token. */
export function startGodaddySimulator({ market, port, latencyMs, perMinute = 60 }: GodaddySimulatorOptions): Promise<ProviderSimulator> {
  const take = createRateWindows(perMinute, 60_000)
  const third = new VersionThree(market)

  function handle(call: SimulatorCall): SimulatorReply {
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
    const template = templateOf(call)
    const decision = take(`${market.accounts.indexOf(account)} ${v3 ? 'v3' : template}`, call.nowMs)
    if (!decision.allowed) return tooMany(Math.ceil(decision.resetMs / 1000))
    if (v3) return third.handle(account, call, template)
    const route = `${call.method} ${template}`
    const asked = { market, account, call, body: parseJson(call.body), name: call.path.split('/')[3] ?? '' }
    return first.get(route)?.(asked) ?? failure(false, 404, 'NOT_FOUND', `No route for ${route}`)
  }

  return serveSimulator({
    base: '',
    port,
    latencyMs,
    now: market.now,
    nameOf: templateOf,
    onCall: ({ path, body, headers }) => {
      if (path !== '/v3/domains/registrations') return
      const order = parseJson(body) as { domain?: unknown } | null
      const key = textOf(headers['idempotency-key'])
      market.received.push({ provider: 'GODADDY', name: textOf(order?.domain), key: key === '' ? null : key })
    },
    refusals: {
      'rate-limited': () => tooMany(1),
      'server-error': () => failure(true, 500, 'ERROR_INTERNAL', 'Internal server error'),
      forbidden: () => failure(true, 403, 'ACCESS_DENIED', 'Authenticated user is not allowed access'),
      'revoked-key': () => failure(true, 401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret'),
      'success-false': () => failure(true, 422, 'UNPROCESSABLE', 'The request could not be carried out'),
    },
    handle,
  })
}

/** Of v1. */
const first = new Map<string, (asked: Asked) => SimulatorReply>([
  ['GET /v1/domains', listDomains],
  ['POST /v1/domains/available', check],
  ['GET /v1/domains/{domain}', getDomain],
  ['PATCH /v1/domains/{domain}', change],
])

function listDomains({ account, call }: Asked): SimulatorReply {
  const limit = Math.min(Number(call.query.get('limit') ?? 100), 1_000)
  const marker = call.query.get('marker')
  const all = [...account.names.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const from = marker === null ? 0 : all.findIndex((held) => held.name === marker) + 1
  return jsonReply(all.slice(from, from + limit).map((held) => domain(held)))
}

function check({ market, account, body }: Asked): SimulatorReply {
  if (!Array.isArray(body)) return failure(false, 400, 'INVALID_BODY', 'Request body doesn’t fulfill schema')
  const names = body.map(String)
  if (names.length > 500) return failure(false, 422, 'MAX_SIZE', 'At most 500 domains in one call')
  const sold = names.filter((each) => market.isSold(each))
  const errors = names
    .filter((each) => !market.isSold(each))
    .map((each) => ({ code: 'UNSUPPORTED_TLD', domain: each, message: 'The tld is not supported', path: 'domains', status: 422 }))
  return jsonReply(
    { domains: sold.map((each) => available(market, account, each)), ...(errors.length === 0 ? {} : { errors }) },
    errors.length === 0 ? 200 : 203,
  )
}

function getDomain({ account, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  return held === undefined
    ? notFound(false, name)
    : jsonReply({ ...domain(held), nameServers: serversOf(held), createdAt: stamp(held.createdAtMs) })
}

function change({ market, account, body, name }: Asked): SimulatorReply {
  const { nameServers, renewAuto } = (body ?? {}) as { nameServers?: string[]; renewAuto?: boolean }
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

/** The price lacks taxes and fees. */
function available(market: Market, account: MarketAccount, name: string): object {
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

const tooMany = (retryAfterSec: number): SimulatorReply => ({
  ...jsonReply(
    { code: 'TOO_MANY_REQUESTS', name: 'TOO_MANY_REQUESTS', message: 'Too many requests received within interval', retryAfterSec },
    429,
  ),
  headers: { 'retry-after': String(retryAfterSec) },
})

/** The path without names and ids. */
function templateOf({ path }: SimulatorCall): string {
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
