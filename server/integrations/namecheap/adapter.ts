import { parse as parseName } from 'tldts'
import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { confirmPrice } from '#server/integrations/registrars/confirm-price.ts'
import { phoneOf } from '#server/integrations/registrars/phone.ts'
import { refused } from '#server/integrations/http/vendor-door.ts'
import type { Repeat, VendorDoor } from '#server/integrations/http/vendor-door.ts'
import { priceFor } from '#server/integrations/registrars/terms.ts'
import type { TermsByZone } from '#server/integrations/registrars/terms.ts'
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

const { checkAtOnce } = registrarCatalog.NAMECHEAP
const namesPerPage = 100
const currency = 'USD'
/** Throttling comes as HTTP 405 and says no more. */
const throttledSeconds = 60

const codes: Readonly<Record<string, ErrorCode>> = {
  '1010101': 'registrar_auth',
  '1010102': 'registrar_auth',
  '1011102': 'registrar_auth',
  '1016103': 'registrar_auth',
  '1017103': 'registrar_auth',
  '1019103': 'registrar_auth',
  '1017101': 'registrar_forbidden',
  '1017410': 'registrar_forbidden',
  '1017411': 'registrar_forbidden',
  '4011103': 'registrar_forbidden',
  '1010105': 'registrar_address',
  '1011105': 'registrar_address',
  '1011150': 'registrar_address',
  '1017150': 'registrar_address',
  '2019166': 'registrar_not_found',
  '2016166': 'registrar_not_found',
  '2528166': 'registrar_money',
  '3019166': 'registrar_name_taken',
  '2030280': 'registrar_not_sold',
  '2010324': 'registrar_contact',
  '2015182': 'registrar_contact',
  '3050900': 'registrar_unavailable',
  '5019169': 'registrar_unavailable',
  '5050169': 'registrar_unavailable',
  '5050900': 'registrar_unavailable',
}

/** Namecheap, by its XML API; what is known of it, and what is not, is in docs/providers.md. */
export function connectNamecheap(door: VendorDoor, baseUrl: string, { credential }: RegistrarAccess): RegistrarConnection {
  const { username = '', apiKey = '', clientIp = '' } = credential

  const ask = <S extends z.ZodType>(
    command: string,
    schema: S,
    call: RegistrarCall,
    fields: Readonly<Record<string, string>> = {},
    repeat: Repeat = 'read',
  ): Promise<z.output<S>> =>
    door.call(
      {
        method: 'POST',
        // As a form, so that the key stands in no address and no log.
        url: baseUrl,
        template: command,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ApiUser: username,
          ApiKey: apiKey,
          UserName: username,
          ClientIp: clientIp,
          Command: `namecheap.${command}`,
          ...fields,
        }).toString(),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )

  async function pricesOf(action: 'REGISTER' | 'RENEW', call: RegistrarCall): Promise<TermsByZone> {
    const { UserGetPricingResult } = await ask('users.getPricing', wire.pricing, call, {
      ProductType: 'DOMAIN',
      ProductCategory: 'DOMAINS',
      ActionName: action,
    })
    const found = new Map<string, readonly Term[]>()
    for (const { ProductCategory } of UserGetPricingResult.ProductType) {
      for (const { Name, Product } of ProductCategory) {
        if (Name.toUpperCase() !== action) continue
        for (const { Name: zone, Price } of Product ?? []) {
          const terms = Price.flatMap(({ Duration: years, YourPrice, Price: list, Currency }) => {
            const amount = YourPrice ?? list
            if (years === null || amount === null || amount === undefined) return []
            return [{ years, price: { minor: Math.round(amount * 100), currency: Currency ?? currency } }]
          })
          found.set(
            zone.toLowerCase(),
            terms.toSorted((one, other) => one.years - other.years),
          )
        }
      }
    }
    return found
  }

  const getInfo = async (name: string, call: RegistrarCall): Promise<RegisteredName> => {
    const { DomainGetInfoResult: info } = await ask('domains.getInfo', wire.info, call, { DomainName: name })
    return {
      name: info.DomainName.toLowerCase(),
      status: info.Status?.toLowerCase() ?? null,
      createdAt: toDate(info.DomainDetails?.CreatedDate),
      expiresAt: toDate(info.DomainDetails?.ExpiredDate),
      autoRenew: null,
      locked: null,
      privacy: info.Whoisguard?.Enabled ?? null,
      nameServers: toServers(info.DnsDetails?.Nameserver ?? []),
    }
  }

  async function checkAll(names: readonly string[], call: RegistrarCall): Promise<ReadonlyMap<string, wire.Checked>> {
    const found = new Map<string, wire.Checked>()
    for (let from = 0; from < names.length; from += checkAtOnce) {
      const { DomainCheckResult } = await ask('domains.check', wire.check, call, {
        DomainList: names.slice(from, from + checkAtOnce).join(','),
      })
      for (const each of DomainCheckResult) found.set(each.Domain.toLowerCase(), each)
    }
    return found
  }

  async function readBalance(call: RegistrarCall): Promise<Money> {
    const { UserGetBalancesResult: balances } = await ask('users.getBalances', wire.balances, call)
    return { minor: Math.round((balances.AvailableBalance ?? 0) * 100), currency: balances.Currency ?? currency }
  }

  return {
    examine: async (call) => {
      try {
        const balance = await readBalance(call)
        return [
          finding('credentials', 'ok'),
          finding('address', 'ok', null, [clientIp]),
          finding('access', 'ok'),
          finding('balance', balance.minor > 0 ? 'ok' : 'warning'),
        ]
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'registrar_address') return [finding('address', 'failed', error, [clientIp])]
        if (error.code === 'registrar_forbidden') return [finding('access', 'failed', error)]
        return [finding('credentials', error.code === 'registrar_auth' ? 'failed' : 'unknown', error)]
      }
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const entries = [...(await pricesOf('RENEW', call))].flatMap(([zone, terms]) => {
        const price = priceFor(terms, 1)
        return price === undefined ? [] : [[zone, price] as const]
      })
      return new Map(entries)
    },
    listNames: async (cursor, call) => {
      const page = cursor === null ? 1 : Number(cursor)
      const answer = await ask('domains.getList', wire.list, call, {
        ListType: 'ALL',
        PageSize: String(namesPerPage),
        Page: String(page),
        SortBy: 'NAME',
      })
      const names = (answer.DomainGetListResult?.Domain ?? []).map(toName)
      const total = answer.Paging?.TotalItems ?? null
      const more = total === null ? names.length === namesPerPage : page * namesPerPage < total
      return { names, next: more && names.length > 0 ? String(page + 1) : null, total }
    },
    getName: getInfo,
    check: async (names, call) => {
      if (names.length === 0) return []
      const found = await checkAll(names, call)
      const ordinary = [...found.values()].some((each) => each.Available === true && each.IsPremiumName !== true)
      const none: TermsByZone = new Map()
      const register = ordinary ? await pricesOf('REGISTER', call) : none
      const renew = ordinary ? await pricesOf('RENEW', call) : none
      return names.map((name) =>
        toAvailability(name, found.get(name), register.get(zoneOf(name)) ?? [], priceFor(renew.get(zoneOf(name)), 1) ?? null),
      )
    },
    register: async (order, call) => {
      // Only an order of a premium name says for how much.
      if (!order.premium) {
        await confirmPrice(
          door,
          order,
          () => zoneOf(order.name),
          () => pricesOf('REGISTER', call),
        )
      }
      const { DomainCreateResult: result } = await ask(
        'domains.create',
        wire.created,
        call,
        {
          DomainName: order.name,
          Years: String(order.years),
          ...contacts(order.contact),
          ...(order.nameServers.length === 0 ? {} : { Nameservers: order.nameServers.join(',') }),
          AddFreeWhoisguard: order.privacy ? 'yes' : 'no',
          WGEnabled: order.privacy ? 'yes' : 'no',
          ...(order.premium ? { IsPremiumDomain: 'True', PremiumPrice: (order.price.minor / 100).toFixed(2) } : {}),
        },
        'once',
      )
      if (result.Registered === false) throw new AppError('registrar_rejected')
      return {
        name: order.name,
        orderId: result.OrderID ?? null,
        charged: toMoney(result.ChargedAmount),
        complete: result.NonRealTimeDomain !== true,
      }
    },
    renew: async ({ name, years }, call) => {
      const { DomainRenewResult: result } = await ask(
        'domains.renew',
        wire.renewed,
        call,
        { DomainName: name, Years: String(years) },
        'once',
      )
      if (result.Renew === false) throw new AppError('registrar_rejected')
      return { name, orderId: result.OrderID ?? null, charged: toMoney(result.ChargedAmount), complete: true }
    },
    getNameServers: async (name, call) =>
      toServers((await ask('domains.dns.getList', wire.nameServers, call, partsOf(name))).DomainDNSGetListResult.Nameserver ?? []),
    setNameServers: async (name, nameServers, call) => {
      const fields = { ...partsOf(name), Nameservers: nameServers.join(',') }
      const { DomainDNSSetCustomResult } = await ask('domains.dns.setCustom', wire.updated, call, fields, 'harmless')
      if (DomainDNSSetCustomResult.Updated === false) throw new AppError('registrar_rejected')
    },
  }
}

/** The content of a success: refusals come with HTTP 200. */
function accepted(answer: HttpAnswer): unknown {
  if (answer.status === 405 || answer.status === 429) {
    throw refused({ code: 'registrar_rate_limited', providerCode: String(answer.status), message: '', retryAfterSeconds: throttledSeconds })
  }
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const { ApiResponse } = wire.envelope.parse(wire.parseXml(answer.text))
  if (ApiResponse.Status.toUpperCase() === 'OK') return ApiResponse.CommandResponse
  const errors = ApiResponse.Errors?.Error ?? []
  const number = errors[0]?.Number ?? ''
  throw refused({
    code: codes[number] ?? 'registrar_rejected',
    providerCode: number === '' ? null : number,
    message: errors.map(({ text }) => text ?? '').join('; '),
  })
}

const finding = (
  id: ReadinessCheck['id'],
  state: ReadinessCheck['state'],
  error: AppError | null = null,
  details: readonly string[] = [],
): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: details.filter((each) => each !== ''),
})

/** MM/DD/YYYY, a day without an hour; some answers carry the hour behind it. */
const toDate = (text: string | null | undefined): Date | null => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text ?? '') ?? []
  return month === undefined || day === undefined || year === undefined
    ? null
    : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

const toServers = (servers: readonly string[]): readonly string[] =>
  servers.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted()
const toMoney = (amount: number | null): Money | null => (amount === null ? null : { minor: Math.round(amount * 100), currency })

const toName = (listed: wire.Listed): RegisteredName => ({
  name: listed.Name.toLowerCase(),
  status: listed.IsExpired === null ? null : listed.IsExpired ? 'expired' : 'active',
  createdAt: toDate(listed.Created),
  expiresAt: toDate(listed.Expires),
  autoRenew: listed.AutoRenew,
  locked: listed.IsLocked,
  privacy: listed.WhoisGuard === null || listed.WhoisGuard === undefined ? null : listed.WhoisGuard.toUpperCase() === 'ENABLED',
  nameServers: null,
})

const zoneOf = (name: string): string => parseName(name).publicSuffix ?? name.slice(name.indexOf('.') + 1)

/** `example.co.uk` is `example` and `co.uk`. */
const partsOf = (name: string): { SLD: string; TLD: string } => {
  const TLD = zoneOf(name)
  return { SLD: name.slice(0, -TLD.length - 1), TLD }
}

function toAvailability(name: string, found: wire.Checked | undefined, terms: readonly Term[], renewal: Money | null): Availability {
  if (found === undefined) return { name, state: 'unknown', code: null, message: null }
  if ((found.ErrorNo ?? '0') !== '0') {
    const state = codes[found.ErrorNo ?? ''] === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code: found.ErrorNo ?? null, message: found.Description ?? null }
  }
  if (found.Available !== true) return { name, state: 'taken' }
  if (found.IsPremiumName === true) {
    const [price, later] = [toMoney(found.PremiumRegistrationPrice), toMoney(found.PremiumRenewalPrice)]
    // What more years of such a name cost is told nowhere.
    return { name, state: 'available', price, renewal: later, years: 1, longer: [], longerTold: true, premium: true }
  }
  const [shortest, ...longer] = terms
  return {
    name,
    state: 'available',
    price: shortest?.price ?? null,
    renewal,
    years: shortest?.years ?? 1,
    longer,
    longerTold: true,
    premium: false,
  }
}

/** The same person in all four roles; the phone as +NNN.NNNNNNN. */
function contacts(contact: RegistrantContact): Record<string, string> {
  const fields = {
    FirstName: contact.firstName,
    LastName: contact.lastName,
    ...(contact.organization === null ? {} : { OrganizationName: contact.organization }),
    Address1: contact.address,
    City: contact.city,
    StateProvince: contact.region,
    PostalCode: contact.postalCode,
    Country: contact.country,
    Phone: phoneOf(contact.phone),
    EmailAddress: contact.email,
  }
  const roles = ['Registrant', 'Tech', 'Admin', 'AuxBilling'].flatMap((role) =>
    Object.entries(fields).map(([field, value]) => [role + field, value]),
  )
  return { ...(Object.fromEntries(roles) as Record<string, string>), ...contact.extra }
}
