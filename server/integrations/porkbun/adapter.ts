import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { Repeat, ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from '#server/integrations/registrars/registrar-context.ts'
import { hundredthsOf, moneyOf } from '#server/integrations/registrars/money.ts'
import type {
  Availability,
  Confirmation,
  Money,
  Quote,
  ReadinessCheck,
  RegisteredName,
  RegistrarAccess,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import { accepted } from './map-error.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.PORKBUN
const namesPerPage = 1_000
const currency = 'USD'
/** Sold and renewed on the website only. */
const websiteOnly = new Set(['us', 'ca', 'eu', 'au'])
const ofHeld = /^\/domain\/(?:get|getNs|updateNs|updateAutoRenew|renew)\//
/** A renewal is taken at the earliest so long after the last one, or after the registration. */
const renewalPauseMs = 30 * 24 * 3_600_000
/** Each of these kinds of calls has a window of its own. */
const oncePerTenSeconds = { limit: 1, windowMs: 10_000 } as const

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly body?: object
  readonly repeat?: Repeat
  readonly idempotencyKey?: string
  readonly through?: ProviderClient
}

/** Porkbun, by its JSON API v3; what is known of it, and what is not, is in the README beside. */
export function connectPorkbun(
  { client, baseUrl, limited, clock }: RegistrarContext,
  { credential }: RegistrarAccess,
): RegistrarConnection {
  const { apiKey = '', apiSecret = '' } = credential
  const checks = () => limited('check', oncePerTenSeconds)

  const ask = <S extends z.ZodType>(path: string, schema: S, call: RegistrarCall, sent: Sent = {}): Promise<z.output<S>> => {
    const { method = 'POST', body = {}, repeat = 'read', idempotencyKey, through = client } = sent
    return through.call(
      {
        method,
        url: `${baseUrl}${path}`,
        template: path.split('/').slice(0, 3).join('/'),
        headers: {
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          'x-api-key': apiKey,
          'x-secret-api-key': apiSecret,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer, ofHeld.test(path))),
    )
  }

  const getName = async (name: string, call: RegistrarCall): Promise<RegisteredName> =>
    toName(await ask(`/domain/get/${name}`, wire.oneDomain, call, { method: 'GET' }))
  const checkOne = async (name: string, call: RegistrarCall, body: object = {}): Promise<wire.Checked> =>
    (await ask(`/domain/checkDomain/${name}`, wire.check, call, { body, through: checks() })).response
  const readBalance = async (call: RegistrarCall): Promise<Money> => {
    const { balance, currency: named } = await ask('/account/balance', wire.balance, call, { method: 'GET' })
    return { minor: Math.round(balance), currency: named ?? currency }
  }
  /** Always for the shortest term of the zone: the order has no field for years. */
  async function order(kind: 'create' | 'renew', name: string, body: object, { quote, idempotencyKey }: Confirmation, call: RegistrarCall) {
    const { cost } = wire.quoted.parse(JSON.parse(quote.reference ?? 'null'))
    const bought = await ask(`/domain/${kind}/${name}`, wire.order, call, {
      body: { cost, ...body },
      // With the key a repetition is answered with the first answer.
      repeat: 'idempotent',
      idempotencyKey,
      through: limited(kind, oncePerTenSeconds),
    })
    return toPurchase(name, bought)
  }

  return {
    examine: async (call) => {
      const findings: ReadinessCheck[] = []
      try {
        const { yourIp } = await ask('/ping', wire.ping, call)
        findings.push(finding('credentials', 'ok'), finding('address', 'ok', null, yourIp === null || yourIp === undefined ? [] : [yourIp]))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const about = error.code === 'registrar_address' ? 'address' : error.code === 'registrar_forbidden' ? 'access' : 'credentials'
        return [...findings, finding(about, error.code === 'registrar_auth' || about !== 'credentials' ? 'failed' : 'unknown', error)]
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
    listNames: async (cursor, call) => {
      const start = cursor === null ? 0 : Number(cursor)
      const { domains } = await ask('/domain/listAll', wire.domains, call, { body: { start: String(start) } })
      return { names: domains.map(toName), next: domains.length < namesPerPage ? null : String(start + domains.length), total: null }
    },
    getName,
    check: async (names, call) => {
      const found = new Map<string, Availability>()
      const sold = names.filter((name) => !isWebsiteOnly(name))
      for (let from = 0; from < sold.length; from += checkAtOnce) {
        const part = sold.slice(from, from + checkAtOnce)
        const { domains, unresolved, invalid } = await ask('/domain/checkDomain', wire.checks, call, {
          body: { domains: part },
          through: checks(),
        })
        for (const name of part) found.set(name, toAvailability(name, domains[name]))
        for (const name of unresolved ?? []) found.set(name, { name, state: 'unknown', code: 'unresolved', message: null })
        for (const name of invalid ?? []) found.set(name, { name, state: 'unsupported', code: 'invalid', message: null })
      }
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
      const { createdAt } = await getName(name, call)
      if (createdAt !== null && clock.now() - createdAt.getTime() < renewalPauseMs) throw new AppError('registrar_renewal_early')
      const found = await checkOne(name, call, { priceType: 'renewal' })
      if (found.premium === true) throw new AppError('registrar_website_only')
      return toQuote(name, found.type === 'renewal' ? found : (found.additional?.renewal ?? undefined), found.minDuration)
    },
    renew: ({ name }, confirmation, call) => order('renew', name, {}, confirmation, call),
    getNameServers: async (name, call) => toServers((await ask(`/domain/getNs/${name}`, wire.nameServers, call)).ns),
    setNameServers: async (name, nameServers, call) => {
      await ask(`/domain/updateNs/${name}`, wire.envelope, call, { body: { ns: nameServers }, repeat: 'idempotent' })
    },
    setAutoRenew: async (name, enabled, call) => {
      const body = { status: enabled ? 'on' : 'off' }
      const { results } = await ask(`/domain/updateAutoRenew/${name}`, wire.autoRenew, call, { body, repeat: 'idempotent' })
      const result = results?.[name]
      if (result !== undefined && result.status !== 'SUCCESS')
        throw new AppError('registrar_rejected', { provider: { code: result.status, message: result.message ?? '' } })
    },
  }
}

const isWebsiteOnly = (name: string): boolean => websiteOnly.has(name.slice(name.lastIndexOf('.') + 1))
const onWebsite = (name: string): Availability => ({ name, state: 'unsupported', code: null, message: null, onWebsite: true })

const finding = (
  id: ReadinessCheck['id'],
  state: ReadinessCheck['state'],
  error: AppError | null = null,
  details: readonly string[] = [],
): ReadinessCheck => ({ id, state, code: error?.provider?.code ?? null, message: error?.provider?.message ?? null, details })

/** `2027-01-31 12:00:00`, in UTC. */
const toDate = (text: string | null | undefined): Date | null => {
  const date = new Date(`${(text ?? '').replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

const toServers = (servers: readonly string[]): readonly string[] =>
  servers.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted()

const toName = (held: z.infer<typeof wire.domain>): RegisteredName => ({
  name: held.domain.toLowerCase(),
  status: held.status?.toLowerCase() ?? null,
  createdAt: toDate(held.createDate),
  expiresAt: toDate(held.expireDate),
  autoRenew: held.autoRenew,
  locked: held.securityLock,
  privacy: held.whoisPrivacy,
  nameServers: null,
})

/** What the shortest term costs, in cents: `cost`, a number of cents or an amount of dollars; where there is none `price`, which is of a year. */
function costOf({ cost, price }: wire.Offered, years: number): number | null {
  if (typeof cost === 'number') return Number.isInteger(cost) && cost > 0 ? cost : null
  if (typeof cost === 'string') return cost.includes('.') ? hundredthsOf(cost) : null
  const perYear = hundredthsOf(price)
  return perYear === null || perYear === 0 ? null : perYear * years
}

function toQuote(name: string, offered: wire.Offered | undefined, shortest: number | null = null): Quote {
  const years = offered?.minDuration ?? shortest ?? 1
  const cost = offered === undefined ? null : costOf(offered, years)
  return {
    name,
    years,
    total: cost === null ? null : { minor: cost, currency },
    premium: false,
    reference: cost === null ? null : JSON.stringify({ cost } satisfies z.infer<typeof wire.quoted>),
  }
}

function toAvailability(name: string, found: wire.Checked | undefined): Availability {
  if (found === undefined) return { name, state: 'unknown', code: null, message: null }
  if (found.error !== null && found.error !== undefined) return { name, state: 'unsupported', code: null, message: found.error }
  if (found.avail !== 'yes') {
    if (found.avail === 'no') return { name, state: 'taken' }
    return { name, state: 'unknown', code: found.avail ?? null, message: found.message ?? null }
  }
  if (found.premium === true) return onWebsite(name)
  const { total, years } = toQuote(name, found)
  return {
    name,
    state: 'available',
    price: total,
    renewal: moneyOf(found.additional?.renewal?.price, currency),
    years,
    // Its order has no field for the years.
    longer: [],
    premium: false,
  }
}

const toPurchase = (name: string, { orderId, cost }: z.infer<typeof wire.order>) => ({
  name,
  orderId: orderId === null || orderId === undefined ? null : String(orderId),
  charged: cost === null || cost === undefined ? null : { minor: cost, currency },
  complete: true,
})
