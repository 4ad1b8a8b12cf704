import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { Repeat } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from '#server/integrations/registrars/registrar-context.ts'
import { hundredthsOf, moneyOf } from '#server/integrations/registrars/money.ts'
import { createGate } from '#server/platform/gate.ts'
import type {
  Availability,
  Money,
  ReadinessCheck,
  RegisteredName,
  RegistrarAccess,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import { toContacts } from './contacts.ts'
import { accepted, codeOf, passed } from './map-error.ts'
import { currencyOf, forYears, priceOf, termsOf } from './prices.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.REGRU
const zonesWithoutPremium = /\.(ru|su|xn--p1ai)$/
const ownServers = ['ns1.reg.ru', 'ns2.reg.ru']
/** Pauses before an order is sent again that met another one of the account; it was not taken. */
const lockPausesMs = [1_000, 3_000, 8_000]

/** REG.RU, by its API 2; what is known of it, and what is not, is in the README beside. */
export function connectRegru({ client, baseUrl, clock }: RegistrarContext, { credential }: RegistrarAccess): RegistrarConnection {
  const { login = '', password = '' } = credential
  // One billing operation of an account at a time; those of this process wait here for each other.
  const oneByOne = createGate(1)

  const ask = <S extends z.ZodType>(
    action: string,
    schema: S,
    call: RegistrarCall,
    input: object = {},
    repeat: Repeat = 'read',
  ): Promise<z.output<S>> =>
    client.call(
      {
        method: 'POST',
        url: `${baseUrl}/${action}`,
        template: action,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          username: login,
          password,
          io_encoding: 'utf8',
          lang: 'en',
          input_format: 'json',
          output_format: 'json',
          input_data: JSON.stringify(input),
        }).toString(),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )

  /** An order or a renewal: one at a time, and again where another process was faster. */
  const bill = (action: 'domain/create' | 'service/renew', call: RegistrarCall, input: object) =>
    oneByOne(async () => {
      for (const pauseMs of lockPausesMs) {
        try {
          return await ask(action, wire.bill, call, input, 'once')
        } catch (error) {
          if (!(error instanceof AppError) || error.provider?.code !== 'BILLING_LOCK') throw error
        }
        await clock.sleep(pauseMs, call.signal)
      }
      return ask(action, wire.bill, call, input, 'once')
    })

  const listServices = async (call: RegistrarCall): Promise<readonly wire.Service[]> => {
    const { services } = await ask('service/get_list', wire.services, call, { servtype: 'domain' })
    return services.filter(({ servtype }) => servtype === null || servtype === undefined || servtype === 'domain')
  }
  const findService = async (name: string, call: RegistrarCall): Promise<wire.Service> => {
    const found = (await listServices(call)).find(({ dname }) => asciiName(dname) === name)
    if (found === undefined) throw new AppError('registrar_not_found')
    return found
  }
  const readPrices = (call: RegistrarCall) => ask('domain/get_prices', wire.prices, call, { currency: 'RUR', show_renew_data: 1 })
  const readBalance = async (call: RegistrarCall): Promise<Money> => {
    const { prepay, currency } = await ask('user/get_balance', wire.balance, call, { currency: 'RUR' })
    // An account may be in debt.
    const minor = hundredthsOf(prepay.replace('-', '')) ?? 0
    return { minor: prepay.startsWith('-') ? -minor : minor, currency: currencyOf(currency) }
  }
  const checkAll = (names: readonly string[], call: RegistrarCall, more: object = {}) =>
    ask('domain/check', wire.checks, call, { domains: names.map((dname) => ({ dname })), currency: 'RUR', ...more })
  /** Of one name; null for customers who are no partners: they may order and not ask. */
  const checkOne = async (name: string, call: RegistrarCall, more: object = {}): Promise<wire.Checked | null> => {
    try {
      return (await checkAll([name], call, more)).domains[0] ?? null
    } catch (error) {
      if (error instanceof AppError && error.provider?.code === 'RESELLER_AUTH_FAILED') return null
      throw error
    }
  }

  return {
    examine: async (call) => {
      try {
        await ask('nop', wire.login, call)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const id = error.code === 'registrar_address' ? 'address' : error.code === 'registrar_forbidden' ? 'access' : 'credentials'
        return [finding(id, error.code === 'registrar_auth' || id !== 'credentials' ? 'failed' : 'unknown', error)]
      }
      const findings = [finding('credentials', 'ok'), finding('address', 'ok')]
      try {
        const balance = await readBalance(call)
        findings.push(finding('access', 'ok'), finding('balance', balance.minor > 0 ? 'ok' : 'warning'))
        await ask('reseller_nop', wire.login, call)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // Names are checked for partners only; everything else is open to all.
        const partnersOnly = error.provider?.code === 'RESELLER_AUTH_FAILED'
        findings.push(partnersOnly ? finding('purchase', 'warning', error) : finding('access', 'failed', error))
      }
      return findings
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const { prices, currency } = await readPrices(call)
      const entries = Object.entries(prices).flatMap(([zone, { renew_price }]) => {
        const price = moneyOf(renew_price, currencyOf(currency))
        const [, below] = /^__idn\.(.+)$/.exec(zone) ?? []
        return price === null ? [] : [[below === undefined ? asciiName(zone) : `xn--.${asciiName(below)}`, price] as const]
      })
      return new Map(entries)
    },
    // One call has them all; no paging is known.
    listNames: async (_cursor, call) => {
      const names = (await listServices(call)).map(toName)
      return { names, next: null, total: names.length }
    },
    getName: async (name, call) => toName(await findService(name, call)),
    check: async (names, call) => {
      if (names.length === 0) return []
      const found: wire.Checked[] = []
      for (let from = 0; from < names.length; from += checkAtOnce) {
        found.push(...(await checkAll(names.slice(from, from + checkAtOnce), call)).domains)
      }
      const byName = new Map(found.map((each) => [asciiName(each.dname), each]))
      const { prices, currency } = await readPrices(call)
      return names.map((name) => toAvailability(name, byName.get(name), priceOf(prices, name), currencyOf(currency)))
    },
    quote: async ({ name, years }, call) => {
      // A premium name that was not asked for as such is refused by the order.
      const found = await checkOne(name, call)
      passed(found)
      if (found !== null && isPremium(found)) {
        // Its price is of a year; what more years of such a name cost is shown nowhere.
        return { name, years: 1, total: forYears(found.price, 1, currencyOf(found.currency)), premium: true, reference: null }
      }
      const { prices, currency } = await readPrices(call)
      const price = priceOf(prices, name)
      const terms = price === undefined ? [] : termsOf(price, currencyOf(currency))
      if (terms.length > 0 && !terms.some((term) => term.years === years)) throw new AppError('registrar_term')
      return { name, years, total: terms.find((term) => term.years === years)?.price ?? null, premium: false, reference: null }
    },
    register: async (order, { quote }, call) => {
      const { bill_id, payment, currency, domains } = await bill('domain/create', call, {
        domain_name: order.name,
        period: order.years,
        enduser_ip: order.endUserIp,
        contacts: toContacts(order.name, order.contact),
        nss: toServers(order.nameServers.length === 0 ? ownServers : order.nameServers),
        ...(quote.premium ? { reg_premium: 1 } : {}),
        pay_type: 'prepay',
      })
      passed(domains?.find(({ dname }) => asciiName(dname) === order.name))
      return { name: order.name, orderId: bill_id ?? null, charged: moneyOf(payment, currencyOf(currency)), complete: true }
    },
    followUp: null,
    quoteRenewal: async ({ name, years }, call) => {
      const unknown = { name, years, total: null, premium: false, reference: null }
      // The list has ordinary names only. Premium ones that are registered are recognised by this flag; these zones have none.
      const found = zonesWithoutPremium.test(name) ? undefined : await checkOne(name, call, { premium_as_taken: 1 })
      if (found === null || isPremium(found)) return unknown
      const { prices, currency } = await readPrices(call)
      const price = priceOf(prices, name)
      if (price === undefined) return unknown
      const { renew_price, renew_min_period, renew_max_period, reg_min_period } = price
      const shortest = renew_min_period ?? reg_min_period
      if (shortest === null || shortest === undefined) return unknown
      if (years < shortest || years > (renew_max_period ?? shortest)) throw new AppError('registrar_term')
      return { name, years, total: forYears(renew_price, years, currencyOf(currency)), premium: false, reference: null }
    },
    renew: async ({ name, years }, _confirmation, call) => {
      const { service_id } = await findService(name, call)
      if (service_id === null || service_id === undefined) throw new AppError('registrar_not_found')
      const { bill_id, payment, currency, status, services } = await bill('service/renew', call, {
        service_id,
        period: years,
        pay_type: 'prepay',
      })
      passed(services?.[0])
      // The name is not renewed until somebody pays the bill.
      if (status === 'only_bill_created') throw new AppError('registrar_unpaid', { provider: { code: status, message: bill_id ?? '' } })
      return { name, orderId: bill_id ?? null, charged: moneyOf(payment, currencyOf(currency)), complete: true }
    },
    getNameServers: async (name, call) => {
      const [only] = (await ask('domain/get_nss', wire.nameServers, call, { domains: [{ dname: name }] })).domains
      passed(only)
      return (only?.nss ?? []).map(({ ns }) => ns.toLowerCase().replace(/\.$/, '')).toSorted()
    },
    setNameServers: async (name, nameServers, call) => {
      const input = { domains: [{ dname: name }], nss: toServers(nameServers) }
      passed((await ask('domain/update_nss', wire.changed, call, input, 'idempotent')).domains[0])
    },
    setAutoRenew: async (name, enabled, call) => {
      const { service_id } = await findService(name, call)
      if (service_id === null || service_id === undefined) throw new AppError('registrar_not_found')
      await ask('service/set_autorenew_flag', wire.nothing, call, { service_id, flag_value: enabled ? 1 : 0 }, 'idempotent')
    },
  }
}

const finding = (id: ReadinessCheck['id'], state: ReadinessCheck['state'], error: AppError | null = null): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: [],
})

const isPremium = (found: wire.Checked | undefined): boolean => Number(found?.is_premium ?? 0) > 0

/** Names and zones come in their own letters or in Punycode. */
const asciiName = (name: string): string => domainToASCII(name.toLowerCase()) || name.toLowerCase()

/** Days as Moscow has them; the hour is not told. */
const toDate = (day: string | null | undefined): Date | null => {
  const date = new Date(`${day ?? ''}T00:00:00+03:00`)
  return Number.isNaN(date.getTime()) ? null : date
}

const toName = (service: wire.Service): RegisteredName => ({
  name: asciiName(service.dname),
  status: service.state === 'A' ? 'active' : (service.state?.toLowerCase() ?? null),
  createdAt: toDate(service.creation_date),
  expiresAt: toDate(service.expiration_date),
  autoRenew: null,
  locked: null,
  privacy: null,
  nameServers: null,
})

function toAvailability(name: string, found: wire.Checked | undefined, price: wire.Price | undefined, currency: string): Availability {
  if (found === undefined) return { name, state: 'unknown', code: null, message: null }
  if (found.result !== 'Available') {
    const { error_code: reason, error_text: text, result } = found
    const code = codeOf(reason)
    if (code === 'registrar_name_taken') return { name, state: 'taken' }
    return { name, state: code === 'registrar_not_sold' ? 'unsupported' : 'unknown', code: reason ?? null, message: text ?? result ?? null }
  }
  if (isPremium(found)) {
    const of = (perYear: string | null | undefined) => forYears(perYear, 1, currencyOf(found.currency))
    return { name, state: 'available', price: of(found.price), renewal: of(found.renew_price), years: 1, longer: [], premium: true }
  }
  const [shortest, ...longer] = price === undefined ? [] : termsOf(price, currency)
  return {
    name,
    state: 'available',
    price: shortest?.price ?? null,
    renewal: forYears(price?.renew_price, 1, currency),
    years: shortest?.years ?? 1,
    longer,
    premium: false,
  }
}

const toServers = (servers: readonly string[]): Record<string, string> =>
  Object.fromEntries(servers.map((server, index) => [`ns${index}`, server]))
