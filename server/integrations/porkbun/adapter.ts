import type { z } from 'zod'
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
import type { Clock } from '#server/platform/clock.ts'
import type {
  Availability,
  Confirmation,
  HeldNames,
  Money,
  NameSale,
  Quote,
  RegisteredName,
  RegistrarAccess,
  RegistrarAccount,
  RegistrarCall,
  RegistrarConnection,
  RegistrarDsRecords,
} from '#server/ports/registrar.ts'
import { createClient } from './client.ts'
import type { Ask } from './client.ts'
import * as wire from './wire.ts'

const { namesPerCheck } = registrarCatalog.PORKBUN
const namesPerPage = 1_000
const currency = 'USD'
/** Sold and renewed on the website only. */
const websiteOnly = new Set(['us', 'ca', 'eu', 'au'])
/** The earliest renewal after the previous one or the registration. */
const renewalPauseMs = 30 * 24 * 3_600_000

/** Porkbun, JSON API v3; known and unknown facts are in the README of this folder. */
export function connectPorkbun(context: RegistrarContext, access: RegistrarAccess): RegistrarConnection {
  const ask = createClient(context, access)
  return { ...account(ask), ...heldNames(ask), ...sale(ask, context.clock) }
}

function account(ask: Ask): RegistrarAccount {
  const readBalance = async (call: RegistrarCall): Promise<Money> => {
    const { balance, currency: named } = await ask('/account/balance', wire.balance, call, { method: 'GET' })
    return { minor: Math.round(balance), currency: named ?? currency }
  }
  return {
    examine: async (call) => {
      const findings = [finding('credentials', 'ok')]
      try {
        const { yourIp } = await ask('/ping', wire.ping, call)
        findings.push(finding('address', 'ok', null, [yourIp]))
      } catch (error) {
        return [refusedFinding(error)]
      }
      try {
        const { domains } = await ask('/domain/listAll', wire.domains, call, { body: { start: '0' } })
        const closed = domains.filter(({ apiAccess }) => apiAccess === false).map(({ domain }) => domain)
        findings.push(finding('access', 'ok'), finding('domains', closed.length === 0 ? 'ok' : 'warning', null, closed.slice(0, 50)))
        const money = await readBalance(call)
        findings.push(finding('balance', money.minor > 0 ? 'ok' : 'warning'))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        findings.push(finding('access', 'failed', error))
      }
      return findings
    },
    balance: readBalance,
    renewalPrices: async (call) => {
      const { pricing } = await ask('/pricing/get', wire.pricing, call)
      const entries = Object.entries(pricing).flatMap(([zone, { renewal }]) => {
        const price = moneyOf(renewal, currency)
        return price === null ? [] : [[zone.toLowerCase(), price] as const]
      })
      return new Map(entries)
    },
  }
}

const getName = async (ask: Ask, name: string, call: RegistrarCall): Promise<RegisteredName> =>
  toName(await ask(`/domain/get/${name}`, wire.oneDomain, call, { method: 'GET' }))

function heldNames(ask: Ask): HeldNames {
  return {
    listNames: async (cursor, call) => {
      const start = cursor === null ? 0 : Number(cursor)
      const { domains } = await ask('/domain/listAll', wire.domains, call, { body: { start: String(start) } })
      return { names: domains.map(toName), next: domains.length < namesPerPage ? null : String(start + domains.length), total: null }
    },
    getName: (name, call) => getName(ask, name, call),
    getNameServers: async (name, call) => toServers((await ask(`/domain/getNs/${name}`, wire.nameServers, call)).ns),
    setNameServers: async (name, nameServers, call) => {
      await ask(`/domain/updateNs/${name}`, wire.envelope, call, { body: { ns: nameServers }, repeat: 'idempotent' })
    },
    dsRecords: dsRecords(ask),
    setAutoRenew: async (name, enabled, call) => {
      const body = { status: enabled ? 'on' : 'off' }
      const { results } = await ask(`/domain/updateAutoRenew/${name}`, wire.autoRenew, call, { body, repeat: 'idempotent' })
      const result = results?.[name]
      if (result !== undefined && result.status !== 'SUCCESS')
        throw new AppError('registrar_rejected', { provider: { code: result.status, message: result.message ?? '' } })
    },
  }
}

function dsRecords(ask: Ask): RegistrarDsRecords {
  const list: RegistrarDsRecords['list'] = async (name, call) => {
    const { records } = await ask(`/dns/getDnssecRecords/${name}`, wire.dsRecords, call)
    return Object.values(records ?? {}).map(({ keyTag, alg: algorithm, digestType, digest }) => ({
      keyTag,
      algorithm,
      digestType,
      digest: digest.toUpperCase(),
    }))
  }
  return {
    list,
    add: async (name, { keyTag, algorithm, digestType, digest }, call) => {
      const body = { keyTag: String(keyTag), alg: String(algorithm), digestType: String(digestType), digest }
      await ask(`/dns/createDnssecRecord/${name}`, wire.envelope, call, { body, repeat: 'once' })
    },
    remove: async (name, { keyTag }, call) => {
      await ask(`/dns/deleteDnssecRecord/${name}/${keyTag}`, wire.envelope, call, { repeat: 'once' })
    },
  }
}

function sale(ask: Ask, clock: Clock): NameSale {
  const checkOne = async (name: string, call: RegistrarCall, body: object = {}): Promise<wire.Checked> =>
    (await ask(`/domain/checkDomain/${name}`, wire.check, call, { body, through: 'check' })).response
  /** Always for the zone's shortest term: the order has no field for years. */
  async function order(kind: 'create' | 'renew', name: string, body: object, { quote, idempotencyKey }: Confirmation, call: RegistrarCall) {
    const { cost } = wire.quoted.parse(JSON.parse(quote.reference ?? 'null'))
    const bought = await ask(`/domain/${kind}/${name}`, wire.order, call, {
      body: { cost, ...body },
      // With the key a retry gets the first response.
      repeat: 'idempotent',
      idempotencyKey,
      through: kind,
    })
    return toPurchase(name, bought)
  }

  return {
    check: async (names, call) => {
      const sold = names.filter((name) => !isWebsiteOnly(name))
      const answers = await inParts(sold, namesPerCheck, async (part) => {
        const { domains, unresolved, invalid } = await ask('/domain/checkDomain', wire.checks, call, {
          body: { domains: part },
          through: 'check',
        })
        return part.map((name): Availability => {
          if (invalid?.includes(name) === true) return { name, state: 'unsupported', code: 'invalid', message: null }
          return unresolved?.includes(name) === true ? unavailable(name, 'unresolved') : toAvailability(name, domains[name])
        })
      })
      const found = new Map(answers.map((answer) => [answer.name, answer]))
      return names.map((name) => found.get(name) ?? onWebsite(name))
    },
    quote: async ({ name }, call) => {
      if (isWebsiteOnly(name)) throw new AppError('registrar_website_only')
      const found = await checkOne(name, call)
      if (found.premium === true) throw new AppError('registrar_website_only')
      if (found.avail === 'no') throw new AppError('registrar_name_taken')
      return toQuote(name, found.avail === 'yes' ? found : undefined)
    },
    register: ({ name, privacy }, confirmation, call) =>
      order('create', name, { agreeToTerms: 'yes', whoisPrivacy: privacy ? 'yes' : 'no' }, confirmation, call),
    followUp: null,
    quoteRenewal: async ({ name }, call) => {
      if (isWebsiteOnly(name)) throw new AppError('registrar_website_only')
      const { createdAt } = await getName(ask, name, call)
      if (createdAt !== null && clock.now() - createdAt.getTime() < renewalPauseMs) throw new AppError('registrar_renewal_early')
      const found = await checkOne(name, call, { priceType: 'renewal' })
      if (found.premium === true) throw new AppError('registrar_website_only')
      return toQuote(name, found.type === 'renewal' ? found : (found.additional?.renewal ?? undefined), found.minDuration)
    },
    renew: ({ name }, confirmation, call) => order('renew', name, {}, confirmation, call),
  }
}

const isWebsiteOnly = (name: string): boolean => websiteOnly.has(name.slice(name.lastIndexOf('.') + 1))
const onWebsite = (name: string): Availability => ({ name, state: 'unsupported', code: null, message: null, onWebsite: true })

/** `2027-01-31 12:00:00`, in UTC. */
const timeOf = (text: string | null | undefined): Date | null => toDate(`${(text ?? '').replace(' ', 'T')}Z`)

const toName = (held: z.infer<typeof wire.domain>): RegisteredName => ({
  name: held.domain.toLowerCase(),
  status: held.status?.toLowerCase() ?? null,
  createdAt: timeOf(held.createDate),
  expiresAt: timeOf(held.expireDate),
  autoRenew: held.autoRenew,
  locked: held.securityLock,
  privacy: held.whoisPrivacy,
  nameServers: null,
})

/** The cost of the shortest term, in cents: `cost`, an integer of cents or an amount of dollars; otherwise `price`, which is per year. */
function costOf({ cost, price }: wire.Offered, years: number): number | null {
  if (typeof cost === 'number') return Number.isInteger(cost) && cost > 0 ? cost : null
  if (typeof cost === 'string') return cost.includes('.') ? hundredthsOf(cost) : null
  const perYear = hundredthsOf(price)
  return perYear === null || perYear === 0 ? null : perYear * years
}

function toQuote(name: string, offered: wire.Offered | undefined, shortest: number | null = null): Quote {
  const years = offered?.minDuration ?? shortest ?? 1
  const cost = offered === undefined ? null : costOf(offered, years)
  const ordered = { name, years }
  return cost === null ? quoteOf(ordered) : quoteOf(ordered, { minor: cost, currency }, false, { cost } satisfies wire.Quoted)
}

function toAvailability(name: string, found: wire.Checked | undefined): Availability {
  if (found === undefined) return unavailable(name)
  if (found.error !== null && found.error !== undefined) return { name, state: 'unsupported', code: null, message: found.error }
  if (found.avail !== 'yes') {
    if (found.avail === 'no') return { name, state: 'taken' }
    return unavailable(name, found.avail, found.message)
  }
  if (found.premium === true) return onWebsite(name)
  const { total, years } = toQuote(name, found)
  // The order has no field for the years.
  return offered(name, [{ years, price: total }], moneyOf(found.additional?.renewal?.price, currency))
}

const toPurchase = (name: string, { orderId, cost }: z.infer<typeof wire.order>) => ({
  name,
  orderId: orderId === null || orderId === undefined ? null : String(orderId),
  charged: cost === null || cost === undefined ? null : { minor: cost, currency },
  complete: true,
})
