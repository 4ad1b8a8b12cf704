import { createRateWindows } from '../rate-window.ts'
import { serveSimulator } from '../serve.ts'
import type { SimulatorCall, SimulatorReply, ProviderSimulator } from '../serve.ts'
import type { Market, MarketAccount, MarketName, RegistrarOptions } from './market.ts'

type NamecheapSimulatorOptions = RegistrarOptions & {
  /** Calls per minute; null: no limit. Default 20. */
  readonly perMinute?: number | null
}

type Asked = {
  readonly market: Market
  readonly account: MarketAccount
  readonly form: URLSearchParams
  /** `DomainName`. */
  readonly name: string
}

const NAMES_PER_CHECK = 50
const CONTACT_FIELDS = ['FirstName', 'LastName', 'Address1', 'City', 'StateProvince', 'PostalCode', 'Country', 'Phone', 'EmailAddress']

/** Namecheap's API: form requests, XML responses, errors with HTTP 200, throttling as HTTP 405. */
export function startNamecheapSimulator({
  market,
  port,
  latencyMs,
  perMinute = 20,
}: NamecheapSimulatorOptions): Promise<ProviderSimulator> {
  const take = createRateWindows(perMinute, 60_000)

  function handle(call: SimulatorCall): SimulatorReply {
    const form = new URLSearchParams(call.method === 'POST' ? call.body : call.query.toString())
    const command = form.get('Command')
    const missing: readonly (readonly [field: string, number: string])[] = [
      ['ApiUser', '1010101'],
      ['ApiKey', '1010102'],
      ['Command', '1010104'],
      ['ClientIp', '1010105'],
    ]
    for (const [field, number] of missing) {
      if ((form.get(field) ?? '') === '') return failure(number, `Parameter ${field} is missing`)
    }
    const account = market.find('NAMECHEAP', { username: form.get('ApiUser') ?? '', apiKey: form.get('ApiKey') ?? '' })
    if (account === null) return failure('1011102', 'Parameter APIKey is invalid')
    if (!account.apiOpen) return failure('1011102', 'API Key is invalid or API access has not been enabled')
    if (account.allowedAddresses !== null && !account.allowedAddresses.includes(form.get('ClientIp') ?? '')) {
      return failure('1011150', 'Invalid request IP: ' + (form.get('ClientIp') ?? ''))
    }
    if (!take(account, call.nowMs).allowed) return throttled()
    const known = (command ?? '').toLowerCase()
    const answer = answers.get(known)
    if (answer === undefined) return failure('500000', `Command ${known} not found`)
    const content = answer({ market, account, form, name: form.get('DomainName') ?? '' })
    return typeof content === 'string' ? success(known, content) : content
  }

  return serveSimulator({
    base: '/xml.response',
    port,
    latencyMs,
    now: market.now,
    nameOf: (call) => formOf(call).get('Command') ?? '(none)',
    onCall: (call) => {
      const form = formOf(call)
      if (form.get('Command') !== 'namecheap.domains.create') return
      market.received.push({ provider: 'NAMECHEAP', name: form.get('DomainName') ?? '', key: null })
    },
    refusals: {
      'rate-limited': throttled,
      'server-error': () => failure('5019169', 'Unknown exceptions'),
      forbidden: () => failure('4011103', 'Provider denied access'),
      'revoked-key': () => failure('1011102', 'API Key is invalid or API access has not been enabled'),
      'success-false': () => failure('2030166', 'Domain is invalid'),
    },
    handle,
  })
}

const answers = new Map<string, (asked: Asked) => string | SimulatorReply>([
  ['namecheap.users.getbalances', getBalances],
  ['namecheap.domains.getlist', getList],
  ['namecheap.domains.getinfo', getInfo],
  ['namecheap.domains.check', check],
  ['namecheap.users.getpricing', getPricing],
  ['namecheap.domains.create', create],
  ['namecheap.domains.renew', renew],
  ['namecheap.domains.dns.setcustom', setCustom],
  ['namecheap.domains.dns.getlist', getServers],
])

function getBalances({ account }: Asked): string | SimulatorReply {
  return `<UserGetBalancesResult Currency="${account.currency}" AvailableBalance="${money(account.balanceMinor)}" AccountBalance="${money(account.balanceMinor)}" EarnedAmount="0.00" WithdrawableAmount="0.00" FundsRequiredForAutoRenew="0.00" />`
}

function getList({ account, form }: Asked): string | SimulatorReply {
  const size = Math.min(100, Math.max(10, Number(form.get('PageSize') ?? 20)))
  const page = Number(form.get('Page') ?? 1)
  const wanted = form.get('SearchTerm') ?? ''
  const all = [...account.names.values()].filter((each) => each.name.includes(wanted))
  const items = all.slice((page - 1) * size, page * size).map((each, index) => listed(each, index, account))
  return `<DomainGetListResult>${items.join('')}</DomainGetListResult><Paging><TotalItems>${all.length}</TotalItems><CurrentPage>${page}</CurrentPage><PageSize>${size}</PageSize></Paging>`
}

function getInfo({ market, account, name }: Asked): string | SimulatorReply {
  const held = account.names.get(name)
  if (held === undefined) return failure('2019166', `Domain ${name} doesn't exist`)
  return `<DomainGetInfoResult Status="Ok" ID="1" DomainName="${name}" OwnerName="${account.credential['username'] ?? ''}" IsOwner="true" IsPremium="${market.isPremium(name)}"><DomainDetails><CreatedDate>${date(held.createdAtMs)}</CreatedDate><ExpiredDate>${date(held.expiresAtMs)}</ExpiredDate><NumYears>0</NumYears></DomainDetails><Whoisguard Enabled="${held.privacy ? 'True' : 'False'}" /><DnsDetails ProviderType="${held.nameServers.length === 0 ? 'FREE' : 'CUSTOM'}" IsUsingOurDNS="${held.nameServers.length === 0}">${serversOf(held)}</DnsDetails></DomainGetInfoResult>`
}

function check(asked: Asked): string | SimulatorReply {
  const names = listOf(asked.form.get('DomainList'))
  if (names.length > NAMES_PER_CHECK) return failure('2011169', 'Only 50 domains are allowed in a single check command')
  return names.map((each) => checked(asked, each)).join('')
}

function getPricing({ market, account, form }: Asked): string | SimulatorReply {
  const tld = form.get('ProductName') ?? ''
  const action = (form.get('ActionName') ?? 'REGISTER').toLowerCase()
  const zones = market.zones.filter((zone) => tld === '' || zone === tld.toLowerCase())
  const products = zones.map((zone) => {
    const name = `ordinary-name.${zone}`
    const rows = Array.from({ length: market.longest(name) }, (_, index) => {
      const years = index + 1
      const whole = action === 'renew' ? (market.price(account, name)?.renewMinor ?? 0) * years : (market.cost(account, name, years) ?? 0)
      const fee = market.icannFee(name)
      const shown = (minor: number) => (market.hidesPrices ? '' : money(minor))
      // A price of type MULTIPLE is per year, of type ABSOLUTE per term; the fee is per year. The spelling is Namecheap's.
      const [own, type] = action === 'renew' ? [whole / years - fee, 'MULTIPLE'] : [whole - fee * years, 'ABSOLUTE']
      return `<Price Duration="${years}" DurationType="YEAR" Price="${shown(own)}" PricingType="${type}" AdditionalCost="${money(fee)}" RegularPrice="${shown(whole * 2)}" RegularPriceType="MULTIPLE" YourPrice="${shown(own + 500)}" YourPriceType="${type}" YourAdditonalCost="${money(fee)}" YourAdditonalCostType="MULTIPLE" PromotionPrice="0.0" Currency="${account.currency}" />`
    })
    return `<Product Name="${zone}">${rows.slice(market.shortest(name) - 1).join('')}</Product>`
  })
  return `<UserGetPricingResult><ProductType Name="domains"><ProductCategory Name="${action}">${products.join('')}</ProductCategory></ProductType></UserGetPricingResult>`
}

function create({ market, account, form, name }: Asked): string | SimulatorReply {
  for (const role of ['Registrant', 'Tech', 'Admin', 'AuxBilling']) {
    const absent = CONTACT_FIELDS.find((field) => (form.get(role + field) ?? '') === '')
    if (absent !== undefined) return failure('2010324', `Parameter ${role}${absent} is missing`)
  }
  if (!/^\+\d{1,3}\.\d+$/.test(form.get('RegistrantPhone') ?? ''))
    return failure('2015182', 'The contact phone is invalid. The phone number format is +NNN.NNNNNNNNNN')
  const servers = listOf(form.get('Nameservers'))
  const years = Number(form.get('Years') ?? 1)
  if (name.startsWith('xn--') && (form.get('IdnCode') ?? '') === '') return failure('2011322', 'Extended Attributes are not valid: IdnCode')
  if (market.isPremium(name) !== (form.get('IsPremiumDomain') === 'True'))
    return failure('2515623', 'Domain is premium while considered regular or is regular while considered premium')
  if (market.isPremium(name) && form.get('PremiumPrice') !== premiumOf(market, account, name).price)
    return failure('2515610', 'Prices do not match')
  const entry = market.register(account, { name, years, ...(servers.length === 0 ? {} : { nameServers: servers }) })
  if (entry === 'taken') return failure('3019166', `Domain ${name} not available`)
  if (entry === 'unsupported') return failure('2030280', 'TLD is not supported in API')
  if (entry === 'term') return failure('2015167', 'Years are not valid')
  if (entry === 'money') return failure('2528166', 'Order creation failed: insufficient funds')
  if (entry === 'price') return failure('2515610', 'Prices do not match')
  return `<DomainCreateResult Domain="${name}" Registered="true" ChargedAmount="${(entry.amountMinor / 100).toFixed(4)}" DomainID="9007" OrderID="${entry.orderId}" TransactionID="4242" WhoisguardEnable="true" NonRealTimeDomain="${market.isPending(name)}" />`
}

function renew({ market, account, form, name }: Asked): string | SimulatorReply {
  const held = account.names.get(name)
  if (held !== undefined && held.expiresAtMs < market.now()) return failure('2020166', 'Domain has expired. Please reactivate your domain.')
  if (held !== undefined && market.isPremium(name) !== (form.get('IsPremiumDomain') === 'True'))
    return failure('2515623', 'Domain is premium while considered regular or is regular while considered premium')
  if (market.isPremium(name) && form.get('PremiumPrice') !== premiumOf(market, account, name).renewal)
    return failure('2515610', 'Prices do not match')
  const entry = market.renew(account, name, Number(form.get('Years') ?? 1))
  if (entry === 'money') return failure('2528166', 'Order creation failed: insufficient funds')
  if (typeof entry === 'string') return failure('2019166', `Domain ${name} not found`)
  return `<DomainRenewResult DomainName="${name}" DomainID="9007" Renew="true" OrderID="${entry.orderId}" TransactionID="4243" ChargedAmount="${(entry.amountMinor / 100).toFixed(4)}" />`
}

function setCustom({ market, account, form }: Asked): string | SimulatorReply {
  const whole = `${form.get('SLD') ?? ''}.${form.get('TLD') ?? ''}`
  const servers = listOf(form.get('Nameservers'))
  if (servers.length < 2) return failure('2010168', 'Parameter NameServers is invalid')
  if (!market.setNameServers(account, whole, servers)) return failure('2019166', `Domain ${whole} not found`)
  return `<DomainDNSSetCustomResult Domain="${whole}" Updated="true" />`
}

function getServers({ account, form }: Asked): string | SimulatorReply {
  const whole = `${form.get('SLD') ?? ''}.${form.get('TLD') ?? ''}`
  const found = account.names.get(whole)
  if (found === undefined) return failure('2019166', `Domain ${whole} not found`)
  return `<DomainDNSGetListResult Domain="${whole}" IsUsingOurDNS="${found.nameServers.length === 0}">${serversOf(found)}</DomainDNSGetListResult>`
}

function checked({ market, account }: Asked, name: string): string {
  const price = market.price(account, name)
  if (price === null)
    return `<DomainCheckResult Domain="${name}" Available="false" ErrorNo="2030280" Description="TLD is not supported in API" IsPremiumName="false" PremiumRegistrationPrice="0" PremiumRenewalPrice="0" IcannFee="0" EapFee="0.0" />`
  const premium = market.isPremium(name)
  const own = premiumOf(market, account, name)
  return `<DomainCheckResult Domain="${name}" Available="${!market.isTaken(name)}" ErrorNo="0" Description="" IsPremiumName="${premium}" PremiumRegistrationPrice="${premium && !market.hidesPrices ? own.price : '0'}" PremiumRenewalPrice="${premium && !market.hidesPrices ? own.renewal : '0'}" PremiumRestorePrice="0" PremiumTransferPrice="0" IcannFee="${premium ? money(market.icannFee(name)) : '0'}" EapFee="${name.includes('-eap') ? '100.00' : '0.0'}" />`
}

/** Without the fee displayed beside it. */
function premiumOf(market: Market, account: MarketAccount, name: string): { readonly price: string; readonly renewal: string } {
  const { registerMinor = 0, renewMinor = 0 } = market.price(account, name) ?? {}
  return { price: money(registerMinor - market.icannFee(name)), renewal: money(renewMinor - market.icannFee(name)) }
}

const listOf = (text: string | null): string[] => (text ?? '').split(',').filter((each) => each !== '')
const formOf = ({ body, query }: SimulatorCall) => new URLSearchParams(body === '' ? query.toString() : body)
const money = (minor: number): string => (minor / 100).toFixed(2)
/** MM/DD/YYYY. */
const date = (ms: number): string => {
  const [year, month, day] = new Date(ms).toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}
const serversOf = ({ nameServers }: MarketName): string => {
  const servers = nameServers.length === 0 ? ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'] : nameServers
  return servers.map((server) => `<Nameserver>${server}</Nameserver>`).join('')
}

const listed = (held: MarketName, index: number, account: MarketAccount): string =>
  `<Domain ID="${index + 1}" Name="${held.name}" User="${account.credential['username'] ?? ''}" Created="${date(held.createdAtMs)}" Expires="${date(held.expiresAtMs)}" IsExpired="false" IsLocked="${held.locked}" AutoRenew="${held.autoRenew}" WhoisGuard="${held.privacy ? 'ENABLED' : 'NOTPRESENT'}" IsPremium="false" IsOurDNS="${held.nameServers.length === 0}" />`

const throttled = (): SimulatorReply => ({ status: 405, contentType: 'text/html', body: '<html><body>Too many requests</body></html>' })
const escape = (text: string): string => text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`)
const success = (command: string, content: string): SimulatorReply =>
  xml(
    `<ApiResponse Status="OK" xmlns="http://api.namecheap.com/xml.response"><Errors /><Warnings /><RequestedCommand>${command}</RequestedCommand><CommandResponse Type="${command}">${content}</CommandResponse><Server>PHX01</Server><ExecutionTime>0.1</ExecutionTime></ApiResponse>`,
  )
const failure = (number: string, message: string): SimulatorReply =>
  xml(
    `<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response"><Errors><Error Number="${number}">${escape(message)}</Error></Errors><Warnings /><RequestedCommand /><Server>PHX01</Server><ExecutionTime>0</ExecutionTime></ApiResponse>`,
  )
const xml = (body: string): SimulatorReply => ({
  status: 200,
  contentType: 'text/xml; charset=utf-8',
  body: `<?xml version="1.0" encoding="utf-8"?>\n${body}`,
})
