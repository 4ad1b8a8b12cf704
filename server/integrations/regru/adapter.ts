import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import {
  finding,
  inParts,
  offered,
  quoteOf,
  refusedFinding,
  toDate,
  toServers,
  unavailable,
} from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import { hundredthsOf, moneyOf } from '#server/integrations/registrars/money.ts'
import type {
  Availability,
  HeldNames,
  Money,
  NameSale,
  RegisteredName,
  RegistrarAccess,
  RegistrarAccount,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { toContacts } from './contacts.ts'
import { codeOf, passed } from './map-error.ts'
import { forYears, priceOf, termsOf } from './prices.ts'
import * as wire from './wire.ts'

const { namesPerCheck } = registrarCatalog.REGRU
const zonesWithoutPremium = /\.(ru|su|xn--p1ai)$/
const ownServers = ['ns1.reg.ru', 'ns2.reg.ru']

/** REG.RU, API 2; known and unknown facts are in the README of this folder. */
export function connectRegru(context: RegistrarContext, access: RegistrarAccess): RegistrarConnection {
  const client = createClient(context, access)
  return { ...account(client), ...heldNames(client), ...sale(client) }
}

function account({ ask, prices }: Client): RegistrarAccount {
  const readBalance = async (call: RegistrarCall): Promise<Money> => {
    const { prepay, currency } = await ask('user/get_balance', wire.balance, call, { currency: 'RUR' })
    // An account may have a negative balance.
    const minor = hundredthsOf(prepay.replace('-', '')) ?? 0
    return { minor: prepay.startsWith('-') ? -minor : minor, currency }
  }
  return {
    examine: async (call) => {
      try {
        await ask('nop', wire.login, call)
      } catch (error) {
        return [refusedFinding(error)]
      }
      const findings = [finding('credentials', 'ok'), finding('address', 'ok')]
      try {
        const balance = await readBalance(call)
        findings.push(finding('access', 'ok'), finding('balance', balance.minor > 0 ? 'ok' : 'warning'))
        await ask('reseller_nop', wire.login, call)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // Checking names requires a partner account; everything else is available to all.
        const partnersOnly = error.provider?.code === 'RESELLER_AUTH_FAILED'
        findings.push(partnersOnly ? finding('purchase', 'warning', error) : finding('access', 'failed', error))
      }
      return findings
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const { prices: ofZones, currency } = await prices(call)
      const entries = Object.entries(ofZones).flatMap(([zone, { renew_price }]) => {
        const price = moneyOf(renew_price, currency)
        const [, below] = /^__idn\.(.+)$/.exec(zone) ?? []
        return price === null ? [] : [[below === undefined ? wire.asciiName(zone) : `xn--.${wire.asciiName(below)}`, price] as const]
      })
      return new Map(entries)
    },
  }
}

function heldNames({ ask, services, service }: Client): HeldNames {
  return {
    // One call lists all; no paging is known.
    listNames: async (_cursor, call) => {
      const names = (await services(call)).map(toName)
      return { names, next: null, total: names.length }
    },
    getName: async (name, call) => toName(await service(name, call)),
    getNameServers: async (name, call) => {
      const [only] = (await ask('domain/get_nss', wire.nameServers, call, { domains: [{ dname: name }] })).domains
      passed(only)
      return toServers((only?.nss ?? []).map(({ ns }) => ns))
    },
    setNameServers: async (name, nameServers, call) => {
      const input = { domains: [{ dname: name }], nss: numbered(nameServers) }
      passed((await ask('domain/update_nss', wire.changed, call, input, 'idempotent')).domains[0])
    },
    // Unconfirmed.
    dsRecords: null,
    setAutoRenew: async (name, enabled, call) => {
      const service_id = idOf(await service(name, call))
      await ask('service/set_autorenew_flag', wire.nothing, call, { service_id, flag_value: enabled ? 1 : 0 }, 'idempotent')
    },
  }
}

function sale({ ask, bill, service, prices }: Client): NameSale {
  const checkAll = (names: readonly string[], call: RegistrarCall, more: object = {}) =>
    ask('domain/check', wire.checks, call, { domains: names.map((dname) => ({ dname })), currency: 'RUR', ...more })
  /** For one name; null for accounts without partner status, which may order but not check. */
  const checkOne = async (name: string, call: RegistrarCall, more: object = {}): Promise<wire.Checked | null> => {
    try {
      return (await checkAll([name], call, more)).domains[0] ?? null
    } catch (error) {
      if (error instanceof AppError && error.provider?.code === 'RESELLER_AUTH_FAILED') return null
      throw error
    }
  }

  return {
    check: async (names, call) => {
      if (names.length === 0) return []
      const found = await inParts(names, namesPerCheck, async (part) => (await checkAll(part, call)).domains)
      const byName = new Map(found.map((each) => [each.dname, each]))
      const { prices: ofZones, currency } = await prices(call)
      return names.map((name) => toAvailability(name, byName.get(name), priceOf(ofZones, name), currency))
    },
    quote: async ({ name, years }, call) => {
      // A premium name not requested as such is refused by the order.
      const found = await checkOne(name, call)
      passed(found)
      if (found !== null && isPremium(found)) {
        // The price is per year; the price of more years of such a name is not published.
        return quoteOf({ name, years: 1 }, forYears(found.price, 1, found.currency), true)
      }
      const { prices: ofZones, currency } = await prices(call)
      const price = priceOf(ofZones, name)
      const terms = price === undefined ? [] : termsOf(price, currency)
      if (terms.length > 0 && !terms.some((term) => term.years === years)) throw new AppError('registrar_term')
      return quoteOf({ name, years }, terms.find((term) => term.years === years)?.price)
    },
    register: async (order, { quote }, call) => {
      const { bill_id, payment, currency, domains } = await bill('domain/create', call, {
        domain_name: order.name,
        period: order.years,
        enduser_ip: order.endUserIp,
        contacts: toContacts(order.name, order.contact),
        nss: numbered(order.nameServers.length === 0 ? ownServers : order.nameServers),
        ...(quote.premium ? { reg_premium: 1 } : {}),
        pay_type: 'prepay',
      })
      passed(domains?.find(({ dname }) => dname === order.name))
      return { name: order.name, orderId: bill_id ?? null, charged: moneyOf(payment, currency), complete: true }
    },
    followUp: null,
    quoteRenewal: async ({ name, years }, call) => {
      const unknown = quoteOf({ name, years })
      // The list has ordinary names only. Registered premium names have this flag; these zones have none.
      const found = zonesWithoutPremium.test(name) ? undefined : await checkOne(name, call, { premium_as_taken: 1 })
      if (found === null || isPremium(found)) return unknown
      const { prices: ofZones, currency } = await prices(call)
      const price = priceOf(ofZones, name)
      if (price === undefined) return unknown
      const { renew_price, renew_min_period, renew_max_period, reg_min_period } = price
      const shortest = renew_min_period ?? reg_min_period
      if (shortest === null || shortest === undefined) return unknown
      if (years < shortest || years > (renew_max_period ?? shortest)) throw new AppError('registrar_term')
      return quoteOf({ name, years }, forYears(renew_price, years, currency))
    },
    renew: async ({ name, years }, _confirmation, call) => {
      const service_id = idOf(await service(name, call))
      const { bill_id, payment, currency, status, services } = await bill('service/renew', call, {
        service_id,
        period: years,
        pay_type: 'prepay',
      })
      passed(services?.[0])
      // The name is not renewed until the bill is paid.
      if (status === 'only_bill_created') throw new AppError('registrar_unpaid', { provider: { code: status, message: bill_id ?? '' } })
      return { name, orderId: bill_id ?? null, charged: moneyOf(payment, currency), complete: true }
    },
  }
}

function idOf({ service_id }: wire.Service): string {
  if (service_id === null || service_id === undefined) throw new AppError('registrar_not_found')
  return service_id
}

const isPremium = (found: wire.Checked | undefined): boolean => Number(found?.is_premium ?? 0) > 0

/** Dates in Moscow time; the hour is not reported. */
const dayOf = (day: string | null | undefined): Date | null => toDate(`${day ?? ''}T00:00:00+03:00`)

const toName = (service: wire.Service): RegisteredName => ({
  name: service.dname,
  status: service.state === 'A' ? 'active' : (service.state?.toLowerCase() ?? null),
  createdAt: dayOf(service.creation_date),
  expiresAt: dayOf(service.expiration_date),
  autoRenew: null,
  locked: null,
  privacy: null,
  nameServers: null,
})

function toAvailability(name: string, found: wire.Checked | undefined, price: wire.Price | undefined, currency: string): Availability {
  if (found === undefined) return unavailable(name)
  if (found.result !== 'Available') {
    const { error_code: reason, error_text: text, result } = found
    const code = codeOf(reason)
    if (code === 'registrar_name_taken') return { name, state: 'taken' }
    return { name, state: code === 'registrar_not_sold' ? 'unsupported' : 'unknown', code: reason ?? null, message: text ?? result ?? null }
  }
  if (isPremium(found)) {
    const of = (perYear: string | null | undefined) => forYears(perYear, 1, found.currency)
    return offered(name, [{ years: 1, price: of(found.price) }], of(found.renew_price), true)
  }
  return offered(name, price === undefined ? [] : termsOf(price, currency), forYears(price?.renew_price, 1, currency))
}

const numbered = (servers: readonly string[]): Record<string, string> =>
  Object.fromEntries(servers.map((server, index) => [`ns${index}`, server]))
