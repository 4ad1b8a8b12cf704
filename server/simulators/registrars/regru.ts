import { createRateWindow } from '../rate-window.ts'
import type { RateWindow } from '../rate-window.ts'
import type { Market, MarketAccount, MarketName } from './market.ts'
import { serveVendor } from '../serve.ts'
import type { VendorCallIn, VendorReply, VendorSimulator } from '../serve.ts'

export type RegruSimulatorOptions = {
  readonly market: Market
  readonly port?: number
  readonly latencyMs?: number
  /** Calls an account may make in an hour; null: no limit. Default 1200. */
  readonly perHour?: number | null
}

type Input = Readonly<Record<string, unknown>>

/** REG.RU's API 2: POST with a form, HTTP 200 for every refusal, and refusals of single names inside a success. */
export function startRegruSimulator(options: RegruSimulatorOptions): Promise<VendorSimulator> {
  const { market } = options
  const windows = new Map<MarketAccount, RateWindow>()

  function handle(call: VendorCallIn): VendorReply {
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
    if (options.perHour !== null) {
      const window = windows.get(account) ?? createRateWindow(options.perHour ?? 1_200, 3_600_000, 0)
      windows.set(account, window)
      if (!window.take(call.nowMs).allowed) {
        return failure('ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE', 'Your account has exceeded the allowed connection rate')
      }
    }
    const input = parse(form.get('input_data'))
    if (input === null) return failure('PARAMETER_INCORRECT', 'input_data is not JSON')
    return answer(account, call.path.slice(1), input)
  }

  function answer(account: MarketAccount, action: string, input: Input): VendorReply {
    switch (action) {
      case 'nop':
        return success({ login: account.credential['login'], user_id: 1_234_567 })
      case 'user/get_balance':
        return success({ currency: 'RUR', prepay: rubles(account.balanceMinor), credit: '0.00' })
      case 'service/get_list':
        return success({ services: [...account.names.values()].map((held, index) => service(held, index)) })
      case 'domain/check':
        return success({ domains: namesOf(input).map((name) => checked(name)) })
      case 'domain/get_prices':
        return success({ currency: 'RUR', price_group: 'retail', prices: prices(account) })
      case 'domain/create': {
        const name = textOf(input['domain_name'])
        const years = Number(input['period'] ?? 1)
        const contacts = input['contacts'] as Input | undefined
        if (contacts === undefined || Object.keys(contacts).length === 0) return failure('PARAMETER_MISSING', 'contacts are missing')
        const entry = market.register(account, { name, years, nameServers: serversOf(input) })
        if (entry === 'taken') return failure('DOMAIN_ALREADY_EXISTS', `Domain ${name} already exists`)
        if (entry === 'unsupported') return failure('INVALID_DOMAIN_NAME_FORMAT', `Domain ${name} cannot be registered here`)
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
      case 'service/renew': {
        const name = textOf(input['dname'])
        const entry = market.renew(account, name, Number(input['period'] ?? 1))
        if (entry === 'money') return failure('NOT_ENOUGH_MONEY', 'Not enough money at account for this operation')
        if (typeof entry === 'string') return failure('NO_DOMAIN', `domain ${name} not found or not owned by You`)
        return success({ bill_id: Number(entry.orderId), payment: rubles(entry.amountMinor), currency: 'RUR', period: entry.years })
      }
      case 'domain/get_nss':
        return success({
          domains: namesOf(input).map((name) => {
            const held = account.names.get(name)
            if (held === undefined) return missing(name)
            const servers = held.nameServers.length === 0 ? ['ns1.reg.ru', 'ns2.reg.ru'] : held.nameServers
            return { dname: name, result: 'success', service_id: serviceId(name), nss: servers.map((ns) => ({ ns })) }
          }),
        })
      case 'domain/update_nss': {
        const servers = serversOf(input)
        if (servers.length < 2) return failure('PARAMETER_MISSING', 'nss are missing')
        return success({
          domains: namesOf(input).map((name) =>
            market.setNameServers(account, name, servers) ? { dname: name, result: 'success', service_id: serviceId(name) } : missing(name),
          ),
        })
      }
      default:
        return failure('NO_SUCH_COMMAND', `Command ${action} does not exist`)
    }
  }

  function checked(name: string): object {
    if (!market.isSold(name))
      return { dname: name, result: 'error', error_code: 'INVALID_DOMAIN_NAME_FORMAT', error_text: 'Zone is not supported' }
    if (market.isTaken(name))
      return { dname: name, result: 'error', error_code: 'DOMAIN_ALREADY_EXISTS', error_text: 'Domain already exists' }
    return { dname: name, result: 'Available', ...(market.isPremium(name) ? { is_premium: 1 } : {}) }
  }

  function prices(account: MarketAccount): object {
    const zones = market.zones.map((zone) => {
      const price = market.price(account, `ordinary.${zone}`)
      return [
        zone,
        {
          reg_price: rubles(price?.registerMinor ?? 0),
          renew_price: rubles(price?.renewMinor ?? 0),
          reg_min_period: 1,
          reg_max_period: market.longest(`ordinary.${zone}`),
        },
      ] as const
    })
    return Object.fromEntries(zones)
  }

  return serveVendor({
    base: '/api/regru2',
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
    now: market.now,
    nameOf: ({ path }) => path.slice(1),
    onCall: ({ path, body }) => {
      if (path !== '/domain/create') return
      const input = parse(new URLSearchParams(body).get('input_data'))
      market.received.push({ provider: 'REGRU', name: textOf(input?.['domain_name']), key: null })
    },
    refusal: (effect) => {
      switch (effect) {
        case 'rate-limited':
          return failure('IP_EXCEEDED_ALLOWED_CONNECTION_RATE', 'Your IP has exceeded the allowed connection rate')
        case 'server-error':
          return { status: 502, contentType: 'text/html', body: '<html><body>502 Bad Gateway</body></html>' }
        case 'forbidden':
          return failure('ACCESS_DENIED', 'Access denied')
        case 'revoked-key':
          return failure('PASSWORD_AUTH_FAILED', 'Username/password Incorrect')
        case 'success-false':
          return failure('INTERNAL_API_ERROR', 'Internal API error')
      }
    },
    handle,
  })
}

const rubles = (minor: number): string => (minor / 100).toFixed(2)
const serviceId = (name: string): number => 10_000_000 + Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1_000_000, 7)
/** As Moscow has it. */
const day = (ms: number): string => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 10)

/** Numbers come as numbers and as texts. */
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

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

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

function parse(text: string | null): Input | null {
  if (text === null) return {}
  try {
    return JSON.parse(text) as Input
  } catch {
    return null
  }
}

const success = (content: object): VendorReply => reply({ result: 'success', answer: content, charset: 'utf-8', messagestore: null })
const failure = (code: string, message: string): VendorReply =>
  reply({ result: 'error', error_code: code, error_text: message, error_params: {}, charset: 'utf-8', messagestore: null })
const reply = (content: object): VendorReply => ({
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(content),
})
