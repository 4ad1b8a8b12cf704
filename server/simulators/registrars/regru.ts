import { domainToUnicode } from 'node:url'
import { createRateWindows } from '../rate-window.ts'
import { jsonReply, parseJson, serveSimulator, textOf } from '../serve.ts'
import type { SimulatorCall, SimulatorReply, ProviderSimulator } from '../serve.ts'
import { IDN_FACTOR } from './market.ts'
import type { Market, MarketAccount, MarketName, RegistrarOptions } from './market.ts'

type RegruSimulatorOptions = RegistrarOptions & {
  /** Calls per account and hour; null: no limit. Default 1200. */
  readonly perHour?: number | null
}

type Input = Readonly<Record<string, unknown>>
type Asked = { readonly market: Market; readonly account: MarketAccount; readonly input: Input }

/** REG.RU's API 2: form requests, HTTP 200 for every error, and errors of single names within a success. */
export function startRegruSimulator({ market, port, latencyMs, perHour = 1_200 }: RegruSimulatorOptions): Promise<ProviderSimulator> {
  const take = createRateWindows(perHour, 3_600_000)
  /** A billing operation locks its account until it is answered. */
  const billing = new Map<MarketAccount, number>()

  function lock(account: MarketAccount, nowMs: number): SimulatorReply | null {
    if ((billing.get(account) ?? 0) > nowMs)
      return failure('BILLING_LOCK', 'You have another active connection for billing operation to Reg.API')
    billing.set(account, nowMs + (latencyMs ?? 0))
    return null
  }

  function handle(call: SimulatorCall): SimulatorReply {
    if (call.method !== 'POST') return failure('ONLY_POST_ALLOWED', 'Only POST is allowed')
    if ([...call.query.keys()].length > 0) return failure('QUERY_PARAMS_DISALLOWED', 'Query parameters are not allowed')
    const form = new URLSearchParams(call.body)
    const username = form.get('username')
    const password = form.get('password')
    if (username === null) return failure('NO_USERNAME', 'No username given')
    if (password === null) return failure('NO_AUTH', 'No authorization mechanism selected')
    const account = market.find('REGRU', { login: username, password })
    if (account === null) return failure('PASSWORD_AUTH_FAILED', 'Username/password Incorrect')
    if (account.allowedAddresses !== null && !account.allowedAddresses.includes(call.address)) {
      return failure('ACCESS_DENIED_FROM_IP', `Access denied from your IP ${call.address}`)
    }
    if (!take(account, call.nowMs).allowed)
      return failure('ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE', 'Your account has exceeded the allowed connection rate')
    const input = parse(form.get('input_data'))
    if (input === null) return failure('PARAMETER_INCORRECT', 'input_data is not JSON')
    const action = call.path.slice(1)
    const locked = action === 'domain/create' || action === 'service/renew' ? lock(account, call.nowMs) : null
    const answer = answers.get(action)
    return locked ?? answer?.({ market, account, input }) ?? failure('NO_SUCH_COMMAND', `Command ${action} does not exist`)
  }

  return serveSimulator({
    base: '/api/regru2',
    port,
    latencyMs,
    now: market.now,
    nameOf: ({ path }) => path.slice(1),
    onCall: ({ path, body }) => {
      if (path !== '/domain/create') return
      const input = parse(new URLSearchParams(body).get('input_data'))
      market.received.push({ provider: 'REGRU', name: textOf(input?.['domain_name']), key: null })
    },
    refusals: {
      'rate-limited': () => failure('IP_EXCEEDED_ALLOWED_CONNECTION_RATE', 'Your IP has exceeded the allowed connection rate'),
      'server-error': () => ({ status: 502, contentType: 'text/html', body: '<html><body>502 Bad Gateway</body></html>' }),
      forbidden: () => failure('ACCESS_DENIED', 'Access denied'),
      'revoked-key': () => failure('PASSWORD_AUTH_FAILED', 'Username/password Incorrect'),
      'success-false': () => failure('INTERNAL_API_ERROR', 'Internal API error'),
    },
    handle,
  })
}

const answers = new Map<string, (asked: Asked) => SimulatorReply>([
  ['nop', signedIn],
  ['reseller_nop', (asked) => (asked.account.partner ? signedIn(asked) : partnersOnly())],
  ['user/get_balance', ({ account }) => success({ currency: 'RUR', prepay: rubles(account.balanceMinor), credit: '0.00' })],
  ['service/get_list', ({ account }) => success({ services: [...account.names.values()].map((held, index) => service(held, index)) })],
  ['domain/check', check],
  ['domain/get_prices', (asked) => success({ currency: 'RUR', price_group: 'retail', prices: prices(asked) })],
  ['domain/create', create],
  ['service/renew', renew],
  ['domain/get_nss', getServers],
  ['domain/update_nss', setServers],
  ['service/set_autorenew_flag', setAutoRenew],
])

function signedIn({ account }: Asked): SimulatorReply {
  return success({ login: account.credential['login'], user_id: 1_234_567 })
}

function check(asked: Asked): SimulatorReply {
  if (!asked.account.partner) return partnersOnly()
  const premiumAsTaken = Number(asked.input['premium_as_taken'] ?? 0) === 1
  return success({ domains: namesOf(asked.input).map((name) => checked(asked, name, premiumAsTaken)) })
}

function create({ market, account, input }: Asked): SimulatorReply {
  const name = textOf(input['domain_name'])
  const years = Number(input['period'] ?? 1)
  const contacts = input['contacts'] as Input | undefined
  const wrong = faultOf(name, contacts ?? {})
  if (wrong !== null) return failure('PARAMETER_INCORRECT', `${wrong} has incorrect format or data`)
  if (serversOf(input).length < 2) return failure('PARAMETER_MISSING', 'nss are missing')
  if (name.includes('unpaid')) return failure('DOUBLE_ORDER', `You already have not payed order on ${name} domain`)
  if (market.isPremium(name) && Number(input['reg_premium'] ?? 0) !== 1)
    return failure(
      'DOMAIN_BAD_NAME',
      `Domain ${name} is reserved or disallowed by the registry, or is a premium domain offered by special price`,
    )
  const entry = market.register(account, { name, years, nameServers: serversOf(input) })
  if (entry === 'taken') return failure('DOMAIN_ALREADY_EXISTS', `Domain ${name} already exists`)
  if (entry === 'unsupported') return failure('INVALID_DOMAIN_NAME_FORMAT', `${name} is invalid or unsupported zone`)
  if (entry === 'term') return failure('PARAMETER_INCORRECT', 'period has incorrect format or data')
  if (entry === 'money') return failure('NOT_ENOUGH_MONEY', 'Not enough money at account for this operation')
  if (entry === 'price') return failure('PARAMETER_INCORRECT', 'price')
  return success({
    bill_id: Number(entry.orderId),
    dname: name,
    payment: rubles(entry.amountMinor),
    currency: 'RUR',
    pay_type: 'prepay',
    pay_notes: 'Amount successfully charged',
    domains: [{ dname: name, result: 'success', service_id: serviceId(name) }],
  })
}

function renew({ market, account, input }: Asked): SimulatorReply {
  const id = input['service_id']
  const wanted = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  const name = [...account.names.keys()].find((each) => String(serviceId(each)) === wanted) ?? ''
  if (name.includes('unpaid')) {
    return success({ bill_id: 4711, payment: '0.00', currency: 'RUR', period: 1, status: 'only_bill_created', dname: name })
  }
  const entry = market.renew(account, name, Number(input['period'] ?? 1))
  if (entry === 'money') return failure('NOT_ENOUGH_MONEY', 'Not enough money at account for this operation')
  if (typeof entry === 'string') return failure('SERVICE_ID_NOT_FOUND', `Service ${wanted} not found or not owned by You`)
  return success({
    bill_id: Number(entry.orderId),
    payment: rubles(entry.amountMinor),
    currency: 'RUR',
    period: entry.years,
    status: 'renew_success',
    dname: name,
  })
}

function getServers({ account, input }: Asked): SimulatorReply {
  return success({
    domains: namesOf(input).map((name) => {
      const held = account.names.get(name)
      if (held === undefined) return missing(name)
      const servers = held.nameServers.length === 0 ? ['ns1.reg.ru', 'ns2.reg.ru'] : held.nameServers
      return { dname: name, result: 'success', service_id: serviceId(name), nss: servers.map((ns) => ({ ns })) }
    }),
  })
}

function setServers({ market, account, input }: Asked): SimulatorReply {
  const servers = serversOf(input)
  if (servers.length < 2) return failure('PARAMETER_MISSING', 'nss are missing')
  return success({
    domains: namesOf(input).map((name) =>
      market.setNameServers(account, name, servers) ? { dname: name, result: 'success', service_id: serviceId(name) } : missing(name),
    ),
  })
}

function setAutoRenew({ account, input }: Asked): SimulatorReply {
  const held = [...account.names.values()].find(({ name }) => String(serviceId(name)) === String(input['service_id']))
  if (held === undefined) return failure('INVALID_SERVICE_ID', 'service_id is invalid or not found')
  if (![0, 1, '0', '1'].includes(input['flag_value'] as string | number)) return failure('PARAMETER_MISSING', 'flag_value is missing')
  held.autoRenew = Number(input['flag_value']) === 1
  return success({})
}

/** The error text is in `result`. */
function checked({ market, account }: Asked, name: string, premiumAsTaken: boolean): object {
  if (!market.isSold(name))
    return { dname: name, result: 'domain_name is invalid or unsupported zone', error_code: 'INVALID_DOMAIN_NAME_FORMAT' }
  if (market.isTaken(name) || (premiumAsTaken && market.isPremium(name))) {
    const premium = premiumAsTaken && market.isPremium(name) ? { is_premium: '1' } : {}
    return { dname: name, result: 'Domain already exists, use whois service', error_code: 'DOMAIN_ALREADY_EXISTS', ...premium }
  }
  if (!market.isPremium(name)) return { dname: name, result: 'Available' }
  const { registerMinor = 0, renewMinor = 0 } = market.price(account, name) ?? {}
  return {
    dname: name,
    result: 'Available',
    is_premium: '1',
    ...(market.hidesPrices ? {} : { price: rubles(registerMinor), renew_price: rubles(renewMinor) }),
    currency: 'RUR',
  }
}

/** Per year, by zones in Unicode; `com` has another entry for internationalized names. Numbers are strings. */
function prices({ market, account }: Asked): object {
  const zones = market.zones.flatMap((zone) => {
    const name = `ordinary-name.${zone}`
    const price = market.price(account, name)
    const [shortest, longest] = [String(market.shortest(name)), String(market.longest(name))]
    const shown = (minor = 0) => (market.hidesPrices ? 'on request' : rubles(minor))
    const entry = (factor: number) => ({
      reg_price: shown((price?.registerMinor ?? 0) * factor),
      renew_price: shown((price?.renewMinor ?? 0) * factor),
      reg_min_period: shortest,
      reg_max_period: longest,
      renew_min_period: shortest,
      renew_max_period: longest,
    })
    return [[domainToUnicode(zone), entry(1)] as const, ...(zone === 'com' ? [[`__idn.${zone}`, entry(IDN_FACTOR)] as const] : [])]
  })
  return Object.fromEntries(zones)
}

const rubles = (minor: number): string => (minor / 100).toFixed(2)
const serviceId = (name: string): number => 10_000_000 + Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1_000_000, 7)
/** In Moscow time. */
const day = (ms: number): string => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 10)

/** Numbers are mixed with numeric strings. */
const service = (held: MarketName, index: number) => ({
  dname: held.name,
  service_id: index % 2 === 0 ? serviceId(held.name) : String(serviceId(held.name)),
  servtype: 'domain',
  subtype: '',
  state: 'A',
  creation_date: day(held.createdAtMs),
  expiration_date: day(held.expiresAtMs),
  uplink_service_id: 0,
})

const missing = (name: string) => ({
  dname: name,
  result: 'error',
  error_code: 'DOMAIN_NOT_FOUND',
  error_text: `Domain ${name} not found or not owned by You`,
})

const RU_FIELDS = ['person', 'country', 'e_mail', 'phone', 'p_addr_zip', 'p_addr_area', 'p_addr_city', 'p_addr_addr', 'p_addr_recipient']
const ROLE_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'addr', 'city', 'state', 'postcode', 'country_code']

/** The first field that is missing or not in the zone's format. */
function faultOf(name: string, contacts: Input): string | null {
  const ru = /\.(ru|su|xn--p1ai)$/.test(name)
  const fields = ru ? RU_FIELDS : ['o', 'a', 't', 'b'].flatMap((role) => ROLE_FIELDS.map((field) => `${role}_${field}`))
  const phone = ru ? /^\+\d{1,3} \d{2,5} \d{5,8}$/ : /^\+\d{1,3}\.\d{4,14}$/
  return fields.find((field) => textOf(contacts[field]) === '' || (field.endsWith('phone') && !phone.test(textOf(contacts[field])))) ?? null
}
const partnersOnly = () => failure('RESELLER_AUTH_FAILED', 'Only resellers can access to this function')

const namesOf = (input: Input): readonly string[] => {
  const { domains, domain_name: one } = input
  if (Array.isArray(domains)) return domains.map((each: { readonly dname?: unknown }) => textOf(each.dname))
  return one === undefined ? [] : [textOf(one)]
}

const serversOf = ({ nss }: Input): readonly string[] =>
  Object.entries((nss as Input | undefined) ?? {})
    .filter(([field]) => /^ns\d+$/.test(field))
    .toSorted(([one], [other]) => Number(one.slice(2)) - Number(other.slice(2)))
    .map(([, server]) => String(server))

const parse = (text: string | null): Input | null => (text === null ? {} : (parseJson(text) as Input | null))

const success = (content: object): SimulatorReply => reply({ result: 'success', answer: content, charset: 'utf-8', messagestore: null })
const failure = (code: string, message: string): SimulatorReply =>
  reply({ result: 'error', error_code: code, error_text: message, error_params: {}, charset: 'utf-8', messagestore: null })
const reply = (content: object): SimulatorReply => ({ ...jsonReply(content), contentType: 'application/json; charset=utf-8' })
