import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { confirmPrice } from '#server/integrations/registrars/confirm-price.ts'
import { refused } from '#server/integrations/http/vendor-door.ts'
import type { Repeat, VendorDoor } from '#server/integrations/http/vendor-door.ts'
import { reckonTerms } from '#server/integrations/registrars/terms.ts'
import type {
  Availability,
  Money,
  ReadinessCheck,
  RegisteredName,
  RegistrantContact,
  RegistrarAccess,
  RegistrarCall,
  RegistrarConnection,
  Term,
} from '#server/ports/registrar.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.REGRU
const currency = 'RUB'

const codes: Readonly<Record<string, ErrorCode>> = {
  NO_USERNAME: 'registrar_auth',
  NO_AUTH: 'registrar_auth',
  PASSWORD_AUTH_FAILED: 'registrar_auth',
  USER_AUTHENTICATION_FAILED: 'registrar_auth',
  RESELLER_AUTH_FAILED: 'registrar_auth',
  MORE_THAN_ONE_ACCOUNT_WITH_THE_SAME_EMAIL: 'registrar_auth',
  ACCESS_DENIED_FROM_IP: 'registrar_address',
  ACCESS_DENIED: 'registrar_forbidden',
  ACCOUNT_BLOCKED: 'registrar_forbidden',
  PURCHASES_DISABLED: 'registrar_forbidden',
  ACCOUNT_EXCEEDED_ALLOWED_CONNECTION_RATE: 'registrar_rate_limited',
  IP_EXCEEDED_ALLOWED_CONNECTION_RATE: 'registrar_rate_limited',
  NOT_ENOUGH_MONEY: 'registrar_money',
  NO_DOMAIN: 'registrar_not_found',
  DOMAIN_NOT_FOUND: 'registrar_not_found',
  INVALID_SERVICE_ID: 'registrar_not_found',
  DOMAIN_ALREADY_EXISTS: 'registrar_name_taken',
  INVALID_DOMAIN_NAME_FORMAT: 'registrar_not_sold',
  INTERNAL_API_ERROR: 'registrar_unavailable',
}
/** Of a limit by the hour: it is not worth asking sooner. */
const rateWaitSeconds = 300

/** REG.RU, by its API 2; what is known of it, and what is not, is in docs/providers.md. */
export function connectRegru(door: VendorDoor, baseUrl: string, { credential }: RegistrarAccess): RegistrarConnection {
  const { login = '', password = '' } = credential

  const ask = <S extends z.ZodType>(
    action: string,
    schema: S,
    call: RegistrarCall,
    input: object = {},
    repeat: Repeat = 'read',
  ): Promise<z.output<S>> =>
    door.call(
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

  const listAll = async (call: RegistrarCall): Promise<readonly RegisteredName[]> => {
    const { services } = await ask('service/get_list', wire.services, call, { servtype: 'domain' })
    return services.filter(({ servtype }) => servtype === null || servtype === undefined || servtype === 'domain').map(toName)
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
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        findings.push(finding('access', 'failed', error))
      }
      return findings
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const entries = Object.entries(await readPrices(call)).flatMap(([zone, { renew_price }]) => {
        const price = toMoney(renew_price)
        return price === null ? [] : [[zone.toLowerCase(), price] as const]
      })
      return new Map(entries)
    },
    // One call has them all; no paging is known.
    listNames: async (_cursor, call) => {
      const names = await listAll(call)
      return { names, next: null, total: names.length }
    },
    getName: async (name, call) => {
      const found = (await listAll(call)).find((each) => each.name === name)
      if (found === undefined) throw new AppError('registrar_not_found')
      return found
    },
    check: async (names, call) => {
      const found: wire.Named[] = []
      for (let from = 0; from < names.length; from += checkAtOnce) {
        const domains = names.slice(from, from + checkAtOnce).map((dname) => ({ dname }))
        found.push(...(await ask('domain/check', wire.checks, call, { domains })).domains)
      }
      const byName = new Map(found.map((each) => [each.dname, each]))
      const prices = names.length === 0 ? {} : await readPrices(call)
      return names.map((name) => toAvailability(name, byName.get(name), prices[zoneOf(name, (zone) => zone in prices)]))
    },
    register: async (order, call) => {
      await confirmPrice(
        door,
        order,
        (prices) => zoneOf(order.name, (zone) => prices.has(zone)),
        async () => new Map(Object.entries(await readPrices(call)).map(([zone, price]) => [zone, termsOf(price)])),
      )
      const { bill_id, payment, domains } = await ask(
        'domain/create',
        wire.bill,
        call,
        {
          domain_name: order.name,
          period: order.years,
          enduser_ip: order.endUserIp,
          contacts: toContacts(order.name, order.contact),
          nss: toServers(order.nameServers),
          pay_type: 'prepay',
          ok_if_no_money: 0,
        },
        'once',
      )
      passed(domains?.find(({ dname }) => dname === order.name))
      return { name: order.name, orderId: bill_id ?? null, charged: toMoney(payment), complete: true }
    },
    renew: async ({ name, years }, call) => {
      const { bill_id, payment } = await ask('service/renew', wire.bill, call, { dname: name, servtype: 'domain', period: years }, 'once')
      return { name, orderId: bill_id ?? null, charged: toMoney(payment), complete: true }
    },
    getNameServers: async (name, call) => {
      const [only] = (await ask('domain/get_nss', wire.nameServers, call, { domains: [{ dname: name }] })).domains
      passed(only)
      return (only?.nss ?? []).map(({ ns }) => ns.toLowerCase().replace(/\.$/, '')).toSorted()
    },
    setNameServers: async (name, nameServers, call) => {
      const input = { domains: [{ dname: name }], nss: toServers(nameServers) }
      passed((await ask('domain/update_nss', wire.changed, call, input, 'harmless')).domains[0])
    },
  }

  async function readPrices(call: RegistrarCall) {
    return (await ask('domain/get_prices', wire.prices, call, { currency: 'RUR', show_renew_data: 1 })).prices
  }

  async function readBalance(call: RegistrarCall): Promise<Money> {
    const { prepay } = await ask('user/get_balance', wire.balance, call, { currency: 'RUR' })
    return { minor: Math.round(prepay * 100), currency }
  }
}

/** The content of a success: every refusal comes with HTTP 200. */
function accepted(answer: HttpAnswer): unknown {
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const { result, answer: content, error_code: code, error_text: text } = wire.envelope.parse(JSON.parse(answer.text))
  if (result === 'success') return content
  throw refusal(code, text)
}

const refusal = (code: string | null | undefined, text: string | null | undefined): Error => {
  const known = codes[code ?? ''] ?? 'registrar_rejected'
  return refused({
    code: known,
    providerCode: code ?? null,
    message: text ?? '',
    ...(known === 'registrar_rate_limited' ? { retryAfterSeconds: rateWaitSeconds } : {}),
  })
}

/** A name may be refused inside a success. @throws AppError */
function passed(named: wire.Named | undefined): void {
  if (named === undefined || (named.error_code ?? '') === '') return
  throw new AppError(codes[named.error_code ?? ''] ?? 'registrar_rejected', {
    provider: { code: named.error_code ?? '', message: named.error_text ?? '' },
  })
}

const finding = (id: ReadinessCheck['id'], state: ReadinessCheck['state'], error: AppError | null = null): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: [],
})

/** Days as Moscow has them; the hour is not told. */
const toDate = (day: string | null | undefined): Date | null => {
  const date = new Date(`${day ?? ''}T00:00:00+03:00`)
  return Number.isNaN(date.getTime()) ? null : date
}

const toName = (service: z.infer<typeof wire.services>['services'][number]): RegisteredName => ({
  name: service.dname.toLowerCase(),
  status: service.state === 'A' ? 'active' : (service.state?.toLowerCase() ?? null),
  createdAt: toDate(service.creation_date),
  expiresAt: toDate(service.expiration_date),
  autoRenew: null,
  locked: null,
  privacy: null,
  nameServers: null,
})

const toMoney = (amount: number | null | undefined): Money | null =>
  amount === null || amount === undefined ? null : { minor: Math.round(amount * 100), currency }

/** The longest zone that has a price: `co.uk` before `uk`. */
const zoneOf = (name: string, hasPrice: (zone: string) => boolean): string => {
  const labels = name.split('.')
  const zones = labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'))
  return zones.find(hasPrice) ?? ''
}

type Price = z.infer<typeof wire.prices>['prices'][string]

/** The list has the shortest term only; what is charged for longer ones is told by the bill. */
function termsOf({ reg_price, renew_price, reg_min_period, reg_max_period }: Price): readonly Term[] {
  const price = toMoney(reg_price)
  return price === null
    ? []
    : reckonTerms({ years: reg_min_period ?? 1, price }, toMoney(renew_price), reg_max_period === null ? undefined : reg_max_period)
}

function toAvailability(
  name: string,
  found: (wire.Named & { readonly is_premium?: string | number | null | undefined }) | undefined,
  price: Price | undefined,
): Availability {
  if (found === undefined) return { name, state: 'unknown', code: null, message: null }
  if (found.result !== 'Available') {
    if (found.error_code === 'DOMAIN_ALREADY_EXISTS') return { name, state: 'taken' }
    const state = codes[found.error_code ?? ''] === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code: found.error_code ?? null, message: found.error_text ?? null }
  }
  const premium = Number(found.is_premium ?? 0) > 0
  // The list of prices knows ordinary names only.
  const [shortest, ...longer] = premium || price === undefined ? [] : termsOf(price)
  return {
    name,
    state: 'available',
    price: shortest?.price ?? null,
    renewal: premium ? null : toMoney(price?.renew_price),
    years: price?.reg_min_period ?? 1,
    longer,
    longerTold: false,
    premium,
  }
}

const toServers = (servers: readonly string[]): Record<string, string> =>
  Object.fromEntries(servers.map((server, index) => [`ns${index}`, server]))

/** Zones under `.ru` and `.рф` ask for a person, the others for four roles; what a zone asks for beyond comes with `extra`. */
function toContacts(name: string, contact: RegistrantContact): Record<string, string> {
  const person = `${contact.firstName} ${contact.lastName}`
  if (/\.(ru|su|xn--p1ai)$/.test(name)) {
    return {
      person,
      country: contact.country,
      e_mail: contact.email,
      phone: contact.phone,
      p_addr: [contact.postalCode, contact.city, contact.address, person].join(', '),
      ...contact.extra,
    }
  }
  const roles = ['o', 'a', 't', 'b'].map((role) => [
    [`${role}_company`, contact.organization ?? 'Private Person'],
    [`${role}_first_name`, contact.firstName],
    [`${role}_last_name`, contact.lastName],
    [`${role}_email`, contact.email],
    [`${role}_phone`, contact.phone],
    [`${role}_addr`, contact.address],
    [`${role}_city`, contact.city],
    [`${role}_state`, contact.region],
    [`${role}_postcode`, contact.postalCode],
    [`${role}_country_code`, contact.country],
  ])
  return { ...(Object.fromEntries(roles.flat()) as Record<string, string>), ...contact.extra }
}
