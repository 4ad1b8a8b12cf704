import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { RegistrarContext } from '#server/integrations/registrars/registrar-context.ts'
import { hundredthsOf, moneyOf } from '#server/integrations/registrars/money.ts'
import type { Repeat } from '#server/integrations/http/provider-client.ts'
import type { Money, Quote, ReadinessCheck, RegistrarAccess, RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { hasEapFee, partsOf, toAvailability, toHeld, toListed, toServers, zoneOf } from './answers.ts'
import { contacts, idnCodeOf } from './contacts.ts'
import { accepted } from './map-error.ts'
import { premiumPrice, priceFor, termsOf } from './prices.ts'
import type { TermsByZone } from './prices.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.NAMECHEAP
const namesPerPage = 100
const currency = 'USD'

/** Namecheap, by its XML API; what is known of it, and what is not, is in the README beside. */
export function connectNamecheap({ client, baseUrl }: RegistrarContext, { credential }: RegistrarAccess): RegistrarConnection {
  const { username = '', apiKey = '', clientIp = '' } = credential

  const ask = <S extends z.ZodType>(
    command: string,
    schema: S,
    call: RegistrarCall,
    fields: Readonly<Record<string, string>> = {},
    repeat: Repeat = 'read',
  ): Promise<z.output<S>> =>
    client.call(
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

  /** Of all zones, or of one. */
  const pricesOf = async (action: 'REGISTER' | 'RENEW', call: RegistrarCall, zone?: string): Promise<TermsByZone> => {
    const fields = { ProductType: 'DOMAIN', ProductCategory: 'DOMAINS', ActionName: action }
    return termsOf(
      await ask('users.getPricing', wire.pricing, call, zone === undefined ? fields : { ...fields, ProductName: zone.toUpperCase() }),
      action,
    )
  }
  /** Of an ordinary name: read for every order, because the order itself names no price. */
  const ordinaryQuote = async (action: 'REGISTER' | 'RENEW', name: string, years: number, call: RegistrarCall): Promise<Quote> => {
    const zone = zoneOf(name)
    const terms = (await pricesOf(action, call, zone)).get(zone) ?? []
    const term = terms.find((each) => each.years === years)
    if (terms.length > 0 && term === undefined) throw new AppError('registrar_term')
    if (term === undefined || term.price === null) return { name, years, total: null, premium: false, reference: null }
    return { name, years, total: term.price, premium: false, fees: term.fees, reference: null }
  }

  const getInfo = async (name: string, call: RegistrarCall) =>
    (await ask('domains.getInfo', wire.info, call, { DomainName: name })).DomainGetInfoResult
  const checkPart = async (names: readonly string[], call: RegistrarCall): Promise<readonly wire.Checked[]> =>
    (await ask('domains.check', wire.check, call, { DomainList: names.join(',') })).DomainCheckResult

  async function readBalance(call: RegistrarCall): Promise<Money> {
    const { UserGetBalancesResult: balances } = await ask('users.getBalances', wire.balances, call)
    return { minor: hundredthsOf(balances.AvailableBalance) ?? 0, currency: balances.Currency ?? currency }
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
        return price === null ? [] : [[zone, price] as const]
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
      const names = (answer.DomainGetListResult?.Domain ?? []).map(toListed)
      const total = answer.Paging?.TotalItems ?? null
      const more = total === null ? names.length === namesPerPage : page * namesPerPage < total
      return { names, next: more && names.length > 0 ? String(page + 1) : null, total }
    },
    getName: async (name, call) => toHeld(await getInfo(name, call)),
    check: async (names, call) => {
      if (names.length === 0) return []
      const found = new Map<string, wire.Checked>()
      for (let from = 0; from < names.length; from += checkAtOnce) {
        for (const each of await checkPart(names.slice(from, from + checkAtOnce), call)) found.set(each.Domain.toLowerCase(), each)
      }
      const ordinary = [...found.values()].some((each) => each.Available === true && each.IsPremiumName !== true)
      const none: TermsByZone = new Map()
      const register = ordinary ? await pricesOf('REGISTER', call) : none
      const renew = ordinary ? await pricesOf('RENEW', call) : none
      return names.map((name) =>
        toAvailability(name, found.get(name), register.get(zoneOf(name)) ?? [], priceFor(renew.get(zoneOf(name)), 1)),
      )
    },
    quote: async ({ name, years, contact }, call) => {
      idnCodeOf(name, contact)
      const [found] = await checkPart([name], call)
      const answer = toAvailability(name, found, [], null)
      if (answer.state === 'taken') throw new AppError('registrar_name_taken')
      if (answer.state === 'unsupported') throw new AppError('registrar_not_sold')
      if (found === undefined || answer.state !== 'available') return { name, years, total: null, premium: false, reference: null }
      if (!answer.premium) {
        // A fee of an early access phase stands in no list of prices.
        return hasEapFee(found)
          ? { name, years, total: null, premium: false, reference: null }
          : ordinaryQuote('REGISTER', name, years, call)
      }
      const reference: z.infer<typeof wire.quoted> = {
        premiumPrice: found.PremiumRegistrationPrice ?? '',
        eapFee: hasEapFee(found) ? (found.EapFee ?? null) : null,
      }
      return { name, years: 1, total: answer.price, premium: true, reference: JSON.stringify(reference) }
    },
    register: async (order, { quote }, call) => {
      const { DomainCreateResult: result } = await ask(
        'domains.create',
        wire.created,
        call,
        {
          DomainName: order.name,
          Years: String(order.years),
          ...contacts(order.contact),
          ...idnCodeOf(order.name, order.contact),
          ...(order.nameServers.length === 0 ? {} : { Nameservers: order.nameServers.join(',') }),
          AddFreeWhoisguard: order.privacy ? 'yes' : 'no',
          WGEnabled: order.privacy ? 'yes' : 'no',
          ...premiumFields(quote),
        },
        'once',
      )
      requireSaid(result.Registered)
      return {
        name: order.name,
        orderId: result.OrderID ?? null,
        charged: moneyOf(result.ChargedAmount, currency),
        complete: result.NonRealTimeDomain !== true,
      }
    },
    followUp: null,
    quoteRenewal: async ({ name, years }, call) => {
      const { IsPremium } = await getInfo(name, call)
      if (IsPremium !== true) return ordinaryQuote('RENEW', name, years, call)
      const [found] = await checkPart([name], call)
      const total = premiumPrice(found?.PremiumRenewalPrice, found?.IcannFee)
      const reference: z.infer<typeof wire.quoted> = { premiumPrice: found?.PremiumRenewalPrice ?? '', eapFee: null }
      return { name, years: 1, total, premium: true, reference: JSON.stringify(reference) }
    },
    renew: async ({ name, years }, { quote }, call) => {
      const { DomainRenewResult: result } = await ask(
        'domains.renew',
        wire.renewed,
        call,
        { DomainName: name, Years: String(years), ...premiumFields(quote) },
        'once',
      )
      requireSaid(result.Renew)
      return { name, orderId: result.OrderID ?? null, charged: moneyOf(result.ChargedAmount, currency), complete: true }
    },
    getNameServers: async (name, call) =>
      toServers((await ask('domains.dns.getList', wire.nameServers, call, partsOf(name))).DomainDNSGetListResult.Nameserver ?? []),
    setNameServers: async (name, nameServers, call) => {
      const fields = { ...partsOf(name), Nameservers: nameServers.join(',') }
      const { DomainDNSSetCustomResult } = await ask('domains.dns.setCustom', wire.updated, call, fields, 'idempotent')
      if (DomainDNSSetCustomResult.Updated === false) throw new AppError('registrar_rejected')
    },
    // `domains.setAutoRenew` is in no documentation, and is reported to answer success while it changes nothing.
    setAutoRenew: null,
  }
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

/** A success that does not say whether it was done is no answer: what became of the order is seen by looking. */
function requireSaid(done: boolean | null): void {
  if (done !== true) throw new AppError(done === false ? 'registrar_rejected' : 'registrar_unreadable')
}

function premiumFields({ premium, reference }: Quote): Record<string, string> {
  if (!premium) return {}
  const { premiumPrice: PremiumPrice, eapFee } = wire.quoted.parse(JSON.parse(reference ?? 'null'))
  return { IsPremiumDomain: 'True', PremiumPrice, ...(eapFee === null ? {} : { EapFee: eapFee }) }
}
