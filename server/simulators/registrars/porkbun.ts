import { createRateWindows } from '../rate-window.ts'
import { jsonReply, parseJson, serveSimulator } from '../serve.ts'
import type { SimulatorCall, SimulatorReply, ProviderSimulator } from '../serve.ts'
import type { Market, MarketAccount, MarketName, RegistrarOptions } from './market.ts'

type PorkbunSimulatorOptions = RegistrarOptions & {
  /** Calls per credential and second; null: no limit, including checks and orders. Default 1. */
  readonly perSecond?: number | null
}

type Asked = {
  readonly market: Market
  readonly account: MarketAccount
  readonly call: SimulatorCall
  readonly body: Record<string, unknown>
  /** Of the path. */
  readonly name: string
}

const PER_CALL = 1_000
const BULK_CHECK = 25
/** Each of these kinds of calls is permitted once in ten seconds. */
const SLOW = new Set(['domain/checkDomain', 'domain/create', 'domain/renew'])
const SLOW_MS = 10_000
/** A name registered or renewed recently cannot be renewed. */
const RENEWAL_PAUSE_MS = 30 * 86_400_000
/** Not available through the API. */
const WEBSITE_ONLY = new Set(['us', 'ca', 'eu', 'au'])
/** `account/balance` and `domain/get` use GET. */
const ONLY_GET = new Set(['account/balance', 'domain/get'])

/** Porkbun's API v3: POST with JSON, errors with HTTP 200 as well as 400, types that mix `'1'`, 1 and `'yes'`. */
export function startPorkbunSimulator({ market, port, latencyMs, perSecond = 1 }: PorkbunSimulatorOptions): Promise<ProviderSimulator> {
  const take = createRateWindows(perSecond, 1_000)
  const takeSlow = createRateWindows(perSecond === null ? null : 1, SLOW_MS)
  const replays = new Map<string, { readonly request: string; readonly reply: SimulatorReply }>()

  function handle(call: SimulatorCall): SimulatorReply {
    const body = parse(call.body)
    if (call.path === '/pricing/get') return success({ pricing: pricing(market) })
    const apiKey = text(call.headers['x-api-key']) ?? text(body['apikey'])
    const secret = text(call.headers['x-secret-api-key']) ?? text(body['secretapikey'])
    if (apiKey === undefined) return failure(400, 'API_KEY_REQUIRED', 'API key required.')
    if (secret === undefined) return failure(400, 'MISSING_SECRETAPIKEY', 'Secret API key required.')
    const account = market.find('PORKBUN', { apiKey, apiSecret: secret })
    if (account === null) return failure(400, 'INVALID_API_KEYS_001', 'Invalid API key. (001)')
    if (account.allowedAddresses !== null && !account.allowedAddresses.includes(call.address)) {
      return failure(403, 'IP_NOT_ALLOWED', `Your IP address ${call.address} is not allowed to use this API key.`)
    }
    if (!account.apiOpen) return failure(403, 'API_ACCESS_DISABLED', 'API access is disabled for this account.')
    const decision = take(account, call.nowMs)
    if (!decision.allowed) return tooMany(decision.resetMs, call.nowMs)
    const kind = call.path.split('/').slice(1, 3).join('/')
    if (SLOW.has(kind)) {
      const taken = takeSlow(`${apiKey} ${kind}`, call.nowMs)
      if (!taken.allowed) return tooMany(taken.resetMs, call.nowMs)
    }
    if (ONLY_GET.has(kind) !== (call.method === 'GET')) {
      return failure(400, 'METHOD_NOT_ALLOWED', `HTTP method ${call.method} is not allowed for this endpoint.`)
    }
    const key = text(call.headers['idempotency-key'])
    if (key === undefined) return answer({ market, account, call, body, name: call.path.split('/')[3] ?? '' })
    const request = `${call.path} ${call.body}`
    const before = replays.get(`${apiKey} ${key}`)
    if (before !== undefined) {
      return before.request === request
        ? before.reply
        : failure(409, 'IDEMPOTENCY_KEY_MISMATCH', 'This idempotency key was used with another request.')
    }
    const reply = answer({ market, account, call, body, name: call.path.split('/')[3] ?? '' })
    if (reply.status < 400) replays.set(`${apiKey} ${key}`, { request, reply })
    return reply
  }

  return serveSimulator({
    base: '/api/json/v3',
    port,
    latencyMs,
    now: market.now,
    nameOf: ({ path }) => path.split('/').slice(0, 3).join('/'),
    onCall: ({ path, headers }) => {
      const [, group, action, name = ''] = path.split('/')
      if (group === 'domain' && action === 'create')
        market.received.push({ provider: 'PORKBUN', name, key: text(headers['idempotency-key']) ?? null })
    },
    refusals: {
      'rate-limited': () => tooMany(1_000, market.now()),
      'server-error': () => ({ status: 503, contentType: 'text/html', body: '<html><body>Service Unavailable</body></html>' }),
      forbidden: () => failure(403, 'API_ACCESS_DISABLED', 'API access is disabled for this account.'),
      'revoked-key': () => failure(400, 'INVALID_API_KEYS_002', 'Invalid API key. (002)'),
      'success-false': () => failure(200, 'INTERNAL', 'Something went wrong, we were unable to complete your request.'),
    },
    handle,
  })
}

const answers = new Map<string, (asked: Asked) => SimulatorReply>([
  ['ping', ({ call }) => success({ yourIp: call.address, credentialsValid: true })],
  ['account/balance', ({ account }) => success({ balance: account.balanceMinor, currency: account.currency })],
  ['domain/listAll', listAll],
  ['domain/get', get],
  ['domain/checkDomain', check],
  ['domain/create', create],
  ['domain/renew', renew],
  ['domain/updateAutoRenew', setAutoRenew],
  ['domain/getNs', getServers],
  ['domain/updateNs', setServers],
  ['dns/getDnssecRecords', getDsRecords],
  ['dns/createDnssecRecord', createDsRecord],
  ['dns/deleteDnssecRecord', deleteDsRecord],
])

function answer(asked: Asked): SimulatorReply {
  const found = answers.get(asked.call.path.split('/').slice(1, 3).join('/'))
  return found?.(asked) ?? { status: 404, contentType: 'text/html', body: '<html><body>Not found</body></html>' }
}

function pricing(market: Market) {
  const entries = market.zones.flatMap((zone) => {
    const price = market.price({ provider: 'PORKBUN', currency: 'USD' }, `ordinary-name.${zone}`)
    const { registerMinor = 0, renewMinor = 0 } = price ?? {}
    return price === null
      ? []
      : [[zone, { registration: inDollars(registerMinor), renewal: inDollars(renewMinor), transfer: inDollars(renewMinor) }]]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

function listAll({ market, account, body }: Asked): SimulatorReply {
  const start = Number(body['start'] ?? 0)
  const page = [...account.names.values()].slice(account.unlisted).slice(start, start + PER_CALL)
  return success({ domains: page.map((each, index) => listed(market, each, start + index)) })
}

function get({ market, account, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  if (held === undefined) return failure(404, 'DOMAIN_NOT_FOUND', 'Domain not found in this account.')
  return success({ domain: { ...listed(market, held, 0), apiAccess: held.apiAccess ? 1 : 0 } })
}

function check({ market, account, body, name }: Asked): SimulatorReply {
  const names = name === '' ? (body['domains'] as unknown[] | undefined)?.map(String) : [name]
  if (names === undefined || names.length === 0) return failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  if (names.length > BULK_CHECK) return failure(400, 'INVALID_DOMAIN', `At most ${BULK_CHECK} domains at once.`)
  const found = names.map((each) => [each, checked(market, account, each)] as const)
  if (name !== '') {
    const [only] = found
    return only?.[1] === null || only === undefined
      ? failure(400, 'INVALID_DOMAIN', 'TLD is not supported.')
      : success({ response: only[1], limits: { TTL: '10', limit: '1', used: 1 } })
  }
  const isSlow = (each: string) => each.includes('unresolved')
  return success({
    domains: Object.fromEntries(found.filter(([each, one]) => one !== null && !isSlow(each))),
    unresolved: names.filter(isSlow),
    invalid: found.flatMap(([each, one]) => (one === null ? [each] : [])),
  })
}

function create({ market, account, body, name }: Asked): SimulatorReply {
  if (body['agreeToTerms'] !== 'yes') return failure(400, 'TERMS_REQUIRED', 'You must agree to the terms.')
  if (!Number.isInteger(body['cost'])) return failure(400, 'INVALID_COST', 'cost must be a whole number of cents.')
  if (WEBSITE_ONLY.has(market.tldOf(name)) || market.isPremium(name)) return failure(400, 'INVALID_DOMAIN', 'Not registerable via API.')
  const entry = market.register(account, {
    name,
    years: market.shortest(name),
    expectedMinor: Number(body['cost']),
    privacy: body['whoisPrivacy'] !== 'no',
  })
  switch (entry) {
    case 'taken':
      return failure(400, 'DOMAIN_NOT_AVAILABLE', 'Domain is not available for registration.')
    case 'unsupported':
    case 'term':
      return failure(400, 'INVALID_DOMAIN', 'TLD is not supported.')
    case 'money':
      return failure(400, 'INSUFFICIENT_FUNDS', 'Insufficient funds in your account balance.')
    case 'price':
      return failure(400, 'COST_MISMATCH', 'The cost does not match the current price.')
    default:
      return success({ domain: name, orderId: Number(entry.orderId), cost: entry.amountMinor, balance: account.balanceMinor })
  }
}

function renew({ market, account, call, body, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  if (!Number.isInteger(body['cost'])) return failure(400, 'INVALID_COST', 'cost must be a whole number of cents.')
  if (WEBSITE_ONLY.has(market.tldOf(name)) || market.isPremium(name)) return failure(400, 'INVALID_DOMAIN', 'Not renewable via API.')
  if (held !== undefined && call.nowMs - Math.max(held.createdAtMs, held.renewedAtMs ?? 0) < RENEWAL_PAUSE_MS) {
    return failure(400, 'RENEWAL_TOO_SOON', 'The domain was registered or renewed within the last 30 days.')
  }
  const entry = market.renew(account, name, market.shortest(name), Number(body['cost']))
  if (entry === 'price') return failure(400, 'COST_MISMATCH', 'The cost does not match the current price.')
  if (entry === 'money') return failure(400, 'INSUFFICIENT_FUNDS', 'Insufficient funds in your account balance.')
  if (typeof entry === 'string') return failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  return success({ domain: name, orderId: Number(entry.orderId), cost: entry.amountMinor })
}

function setAutoRenew({ account, body, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  if (held === undefined) return failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  const status = body['status']
  if (status !== 'on' && status !== 'off') return failure(400, 'INVALID_STATUS', 'status must be on or off.')
  if (!held.apiAccess) return success({ results: { [name]: { status: 'ERROR', message: 'Domain is not opted in to API access.' } } })
  held.autoRenew = status === 'on'
  return success({ results: { [name]: { status: 'SUCCESS', message: 'Auto renew updated.' } } })
}

/** Why a name's name servers cannot be changed. */
const refusalOf = (held: MarketName | undefined): SimulatorReply | null => {
  if (held === undefined) return failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  return held.apiAccess ? null : failure(400, 'DOMAIN_NOT_ALLOWED', 'Domain is not opted in to API access.')
}

function getServers({ account, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  const servers = (held?.nameServers ?? []).length === 0 ? OWN_SERVERS : (held?.nameServers ?? [])
  return refusalOf(held) ?? success({ ns: name.endsWith('.de') ? servers.map((server) => `${server}.`) : servers })
}

function setServers({ market, account, body, name }: Asked): SimulatorReply {
  const refusal = refusalOf(account.names.get(name))
  if (refusal !== null) return refusal
  const servers = body['ns']
  if (!Array.isArray(servers) || servers.length < 2) return failure(400, 'INVALID_NS', 'At least two name servers are required.')
  market.setNameServers(account, name, servers.map(String))
  return success({})
}

function getDsRecords({ account, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  const written = (held?.dsRecords ?? []).map(({ keyTag, algorithm, digestType, digest }) => [
    String(keyTag),
    { keyTag: String(keyTag), alg: String(algorithm), digestType: String(digestType), digest },
  ])
  return refusalOf(held) ?? success({ records: written.length === 0 ? null : (Object.fromEntries(written) as object) })
}

function createDsRecord({ market, account, body, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  const refusal = refusalOf(held)
  if (refusal !== null || held === undefined) return refusal ?? failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  const [keyTag, algorithm, digestType] = [body['keyTag'], body['alg'], body['digestType']].map(Number)
  const digest = text(body['digest'])
  if (keyTag === undefined || algorithm === undefined || digestType === undefined || digest === undefined || !(keyTag > 0)) {
    return failure(400, 'INVALID_DS', 'The DS record is incomplete.')
  }
  held.dsRecords = [...(held.dsRecords ?? []).filter((each) => each.keyTag !== keyTag), { keyTag, algorithm, digestType, digest }]
  market.noteDs(name, held.dsRecords)
  return success({})
}

function deleteDsRecord({ market, account, call, name }: Asked): SimulatorReply {
  const held = account.names.get(name)
  const refusal = refusalOf(held)
  if (refusal !== null || held === undefined) return refusal ?? failure(400, 'INVALID_DOMAIN', 'Invalid domain.')
  const keyTag = Number(call.path.split('/')[4])
  held.dsRecords = (held.dsRecords ?? []).filter((each) => each.keyTag !== keyTag)
  market.noteDs(name, held.dsRecords)
  return success({})
}

const OWN_SERVERS = ['curitiba.ns.porkbun.com', 'fortaleza.ns.porkbun.com', 'maceio.ns.porkbun.com', 'salvador.ns.porkbun.com']

/** One list mixes strings and numbers in the same field. */
function listed(market: Market, held: MarketName, index: number) {
  const odd = index % 2 === 1
  return {
    domain: held.name,
    status: 'ACTIVE',
    tld: market.tldOf(held.name),
    createDate: stamp(held.createdAtMs),
    expireDate: stamp(held.expiresAtMs),
    securityLock: odd ? Number(held.locked) : String(Number(held.locked)),
    whoisPrivacy: held.privacy ? 'yes' : 'no',
    autoRenew: odd ? String(Number(held.autoRenew)) : Number(held.autoRenew),
    notLocal: 0,
  }
}

/** `price` is per year, `cost` is the shortest term in cents. */
function checked(market: Market, account: MarketAccount, name: string) {
  const price = market.price(account, name)
  if (price === null) return null
  const shown = (minor: number) => (market.hidesPrices ? 'on request' : inDollars(minor))
  const minDuration = market.shortest(name)
  return {
    avail: market.isTaken(name) ? 'no' : 'yes',
    type: 'registration',
    price: shown(price.registerMinor),
    regularPrice: shown(price.renewMinor),
    ...(market.hidesPrices ? {} : { cost: market.cost(account, name, minDuration) }),
    firstYearPromo: price.registerMinor < price.renewMinor ? 'yes' : 'no',
    premium: market.isPremium(name) ? 'yes' : 'no',
    minDuration,
    additional: { renewal: { type: 'renewal', price: shown(price.renewMinor), minDuration } },
  }
}

/** 2,060.25 */
const inDollars = (minor: number): string => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
const tooMany = (resetMs: number, nowMs: number): SimulatorReply => ({
  ...reply(429, {
    status: 'ERROR',
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Rate limit exceeded.',
    ttlRemaining: Math.ceil(resetMs / 1000),
  }),
  headers: { 'x-ratelimit-reset': String(Math.ceil((nowMs + resetMs) / 1000)) },
})

const stamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
const success = (content: object): SimulatorReply => reply(200, { status: 'SUCCESS', ...content })
const failure = (status: number, code: string, message: string): SimulatorReply => reply(status, { status: 'ERROR', code, message })
const reply = (status: number, content: object): SimulatorReply => jsonReply(content, status)
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function parse(body: string): Record<string, unknown> {
  const value = parseJson(body)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
