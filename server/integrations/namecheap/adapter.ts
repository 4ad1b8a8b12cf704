import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { finding, inParts, quoteOf, refusedFinding, toServers } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import { hundredthsOf, moneyOf } from '#server/integrations/registrars/money.ts'
import type {
  HeldNames,
  Money,
  NameSale,
  Quote,
  RegistrarAccess,
  RegistrarAccount,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { contacts, idnCodeOf } from './contacts.ts'
import { hasEapFee, partsOf, toAvailability, toHeld, toListed, zoneOf } from './from-wire.ts'
import { premiumPrice, priceFor } from './prices.ts'
import type { TermsByZone } from './prices.ts'
import * as wire from './wire.ts'

const { namesPerCheck } = registrarCatalog.NAMECHEAP
const namesPerPage = 100
const currency = 'USD'

/** Namecheap, XML API; known and unknown facts are in the README of this folder. */
export function connectNamecheap(context: RegistrarContext, access: RegistrarAccess): RegistrarConnection {
  const client = createClient(context, access)
  return { ...account(client, access.credential.clientIp ?? ''), ...heldNames(client), ...sale(client) }
}

function account({ ask, prices }: Client, clientIp: string): RegistrarAccount {
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
        return [refusedFinding(error, [clientIp])]
      }
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const entries = [...(await prices('RENEW', call))].flatMap(([zone, terms]) => {
        const price = priceFor(terms, 1)
        return price === null ? [] : [[zone, price] as const]
      })
      return new Map(entries)
    },
  }
}

function heldNames({ ask, info }: Client): HeldNames {
  return {
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
    getName: async (name, call) => toHeld(await info(name, call)),
    getNameServers: async (name, call) =>
      toServers((await ask('domains.dns.getList', wire.nameServers, call, partsOf(name))).DomainDNSGetListResult.Nameserver ?? []),
    setNameServers: async (name, nameServers, call) => {
      const fields = { ...partsOf(name), Nameservers: nameServers.join(',') }
      const { DomainDNSSetCustomResult } = await ask('domains.dns.setCustom', wire.updated, call, fields, 'idempotent')
      if (DomainDNSSetCustomResult.Updated === false) throw new AppError('registrar_rejected')
    },
    // `domains.setAutoRenew` is undocumented, and reported to return success without changing anything.
    setAutoRenew: null,
    dsRecords: null,
  }
}

function sale({ ask, info, check, prices }: Client): NameSale {
  /** For an ordinary name: read for every order, because the order itself names no price. */
  const ordinaryQuote = async (action: 'REGISTER' | 'RENEW', name: string, years: number, call: RegistrarCall): Promise<Quote> => {
    const zone = zoneOf(name)
    const terms = (await prices(action, call, zone)).get(zone) ?? []
    const term = terms.find((each) => each.years === years)
    if (terms.length > 0 && term === undefined) throw new AppError('registrar_term')
    return term === undefined || term.price === null
      ? quoteOf({ name, years })
      : { ...quoteOf({ name, years }, term.price), fees: term.fees }
  }

  return {
    check: async (names, call) => {
      if (names.length === 0) return []
      const found = new Map(
        (await inParts(names, namesPerCheck, (part) => check(part, call))).map((each) => [each.Domain.toLowerCase(), each]),
      )
      const ordinary = [...found.values()].some((each) => each.Available === true && each.IsPremiumName !== true)
      const none: TermsByZone = new Map()
      const register = ordinary ? await prices('REGISTER', call) : none
      const renew = ordinary ? await prices('RENEW', call) : none
      return names.map((name) =>
        toAvailability(name, found.get(name), register.get(zoneOf(name)) ?? [], priceFor(renew.get(zoneOf(name)), 1)),
      )
    },
    quote: async ({ name, years, contact }, call) => {
      idnCodeOf(name, contact)
      const [found] = await check([name], call)
      const answer = toAvailability(name, found, [], null)
      if (answer.state === 'taken') throw new AppError('registrar_name_taken')
      if (answer.state === 'unsupported') throw new AppError('registrar_not_sold')
      if (found === undefined || answer.state !== 'available') return quoteOf({ name, years })
      if (!answer.premium) {
        // Fees of an early access phase are in no price list.
        return hasEapFee(found) ? quoteOf({ name, years }) : ordinaryQuote('REGISTER', name, years, call)
      }
      const reference: wire.Quoted = {
        premiumPrice: found.PremiumRegistrationPrice ?? '',
        eapFee: hasEapFee(found) ? (found.EapFee ?? null) : null,
      }
      return quoteOf({ name, years: 1 }, answer.price, true, reference)
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
      const { IsPremium } = await info(name, call)
      if (IsPremium !== true) return ordinaryQuote('RENEW', name, years, call)
      const [found] = await check([name], call)
      const total = premiumPrice(found?.PremiumRenewalPrice, found?.IcannFee)
      const reference: wire.Quoted = { premiumPrice: found?.PremiumRenewalPrice ?? '', eapFee: null }
      return quoteOf({ name, years: 1 }, total, true, reference)
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
  }
}

/** A success without a result is ambiguous: a look-up shows the result of the order. */
function requireSaid(done: boolean | null): void {
  if (done !== true) throw new AppError(done === false ? 'registrar_rejected' : 'registrar_unreadable')
}

function premiumFields({ premium, reference }: Quote): Record<string, string> {
  if (!premium) return {}
  const { premiumPrice: PremiumPrice, eapFee } = wire.quoted.parse(JSON.parse(reference ?? 'null'))
  return { IsPremiumDomain: 'True', PremiumPrice, ...(eapFee === null ? {} : { EapFee: eapFee }) }
}
