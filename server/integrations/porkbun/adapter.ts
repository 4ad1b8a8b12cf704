import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { refused } from '#server/integrations/http/vendor-door.ts'
import type { Repeat, VendorDoor } from '#server/integrations/http/vendor-door.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import type {
  Availability,
  Money,
  ReadinessCheck,
  RegisteredName,
  RegistrarAccess,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.PORKBUN
const namesPerPage = 1_000

const codes: Readonly<Record<string, ErrorCode>> = {
  API_KEY_REQUIRED: 'registrar_auth',
  MISSING_APIKEY: 'registrar_auth',
  MISSING_SECRETAPIKEY: 'registrar_auth',
  INVALID_API_KEYS_001: 'registrar_auth',
  INVALID_API_KEYS_002: 'registrar_auth',
  INVALID_TOKEN: 'registrar_auth',
  INVALID_USER: 'registrar_auth',
  IP_NOT_ALLOWED: 'registrar_address',
  API_ACCESS_DISABLED: 'registrar_forbidden',
  DOMAIN_NOT_ALLOWED: 'registrar_name_closed',
  DOMAIN_NOT_FOUND: 'registrar_not_found',
  RATE_LIMIT_EXCEEDED: 'registrar_rate_limited',
  IDEMPOTENCY_KEY_IN_USE: 'registrar_unavailable',
  DOMAIN_NOT_AVAILABLE: 'registrar_name_taken',
  INVALID_DOMAIN: 'registrar_not_sold',
  INSUFFICIENT_FUNDS: 'registrar_money',
  COST_MISMATCH: 'registrar_price_changed',
}

/** Porkbun, by its JSON API v3; what is known of it, and what is not, is in docs/providers.md. */
export function connectPorkbun(door: VendorDoor, baseUrl: string, { credential }: RegistrarAccess): RegistrarConnection {
  const { apiKey = '', apiSecret = '' } = credential

  const ask = <S extends z.ZodType>(
    path: string,
    schema: S,
    call: RegistrarCall,
    {
      body = {},
      repeat = 'read',
      idempotencyKey,
    }: { readonly body?: object; readonly repeat?: Repeat; readonly idempotencyKey?: string } = {},
  ): Promise<z.output<S>> =>
    door.call(
      {
        method: 'POST',
        url: `${baseUrl}${path}`,
        template: path.split('/').slice(0, 3).join('/'),
        headers: {
          'content-type': 'application/json',
          'x-api-key': apiKey,
          'x-secret-api-key': apiSecret,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )

  const getName = async (name: string, call: RegistrarCall): Promise<RegisteredName> =>
    toName(await ask(`/domain/get/${name}`, wire.oneDomain, call))

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
        const money = await readBalance(ask, call)
        findings.push(finding('balance', money.minor > 0 ? 'ok' : 'warning'))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        findings.push(finding('access', 'failed', error))
      }
      return findings
    },
    balance: (call) => readBalance(ask, call),
    renewalPrices: async (call) => {
      const { pricing } = await ask('/pricing/get', wire.pricing, call)
      const entries = Object.entries(pricing).flatMap(([zone, { renewal }]) => {
        const price = toMoney(renewal?.replaceAll(',', ''))
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
      const answers: Availability[] = []
      for (let from = 0; from < names.length; from += checkAtOnce) {
        const part = names.slice(from, from + checkAtOnce)
        const [only] = part
        if (part.length === 1 && only !== undefined) answers.push(await checkOne(only))
        else {
          const { results } = await ask('/domain/checkDomain', wire.checks, call, { body: { domains: part } })
          answers.push(...part.map((name) => toAvailability(name, results[name])))
        }
      }
      return answers

      async function checkOne(name: string): Promise<Availability> {
        try {
          return toAvailability(name, (await ask(`/domain/checkDomain/${name}`, wire.check, call)).response)
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'registrar_not_sold') throw error
          return { name, state: 'unsupported', code: error.provider?.code ?? null, message: error.provider?.message ?? null }
        }
      }
    },
    register: async (order, call) => {
      const bought = await ask(`/domain/create/${order.name}`, wire.order, call, {
        body: { cost: order.price.minor, agreeToTerms: 'yes', whoisPrivacy: order.privacy ? 'yes' : 'no' },
        // With the key a repetition is answered with the first answer.
        repeat: 'harmless',
        idempotencyKey: order.idempotencyKey,
      })
      return toPurchase(order.name, bought)
    },
    renew: async ({ name, price }, call) => {
      const bought = await ask(`/domain/renew/${name}`, wire.order, call, {
        body: price === null ? {} : { cost: price.minor },
        repeat: 'once',
      })
      return toPurchase(name, bought)
    },
    getNameServers: async (name, call) => toServers((await ask(`/domain/getNs/${name}`, wire.nameServers, call)).ns),
    setNameServers: async (name, nameServers, call) => {
      await ask(`/domain/updateNs/${name}`, wire.envelope, call, { body: { ns: nameServers }, repeat: 'harmless' })
    },
  }
}

/** The content of a success; errors come with any HTTP status, 200 among them. */
function accepted(answer: HttpAnswer): unknown {
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const content: unknown = JSON.parse(answer.text)
  const { status, code, message } = wire.envelope.parse(content)
  if (status === 'SUCCESS' && answer.status < 400) return content
  const known = code === null || code === undefined ? undefined : codes[String(code)]
  const retryAfter = Number(answer.headers['retry-after'])
  throw refused({
    code: answer.status === 429 ? 'registrar_rate_limited' : (known ?? 'registrar_rejected'),
    providerCode: code === null || code === undefined ? null : String(code),
    message: message ?? '',
    ...(answer.status === 429 ? { retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : 2 } : {}),
  })
}

async function readBalance(
  ask: (path: string, schema: typeof wire.balance, call: RegistrarCall) => Promise<z.output<typeof wire.balance>>,
  call: RegistrarCall,
): Promise<Money> {
  const { balance, currency } = await ask('/account/balance', wire.balance, call)
  return { minor: Math.round(balance), currency: currency ?? 'USD' }
}

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

const toMoney = (text: string | null | undefined): Money | null =>
  text === null || text === undefined || !/^\d+(\.\d{1,2})?$/.test(text) ? null : { minor: Math.round(Number(text) * 100), currency: 'USD' }

function toAvailability(name: string, found: wire.Checked | undefined): Availability {
  if (found === undefined) return { name, state: 'unknown', code: null, message: null }
  if (found.error !== null && found.error !== undefined) return { name, state: 'unsupported', code: null, message: found.error }
  if (found.avail !== 'yes') return { name, state: 'taken' }
  return {
    name,
    state: 'available',
    price: toMoney(found.price),
    renewal: toMoney(found.additional?.renewal?.price),
    years: found.minDuration ?? 1,
    // Its order has no field for the years.
    longer: [],
    longerTold: true,
    premium: found.premium === true,
  }
}

const toPurchase = (name: string, { orderId, cost }: z.infer<typeof wire.order>) => ({
  name,
  orderId: orderId === null || orderId === undefined ? null : String(orderId),
  charged: cost === null || cost === undefined ? null : { minor: cost, currency: 'USD' },
  complete: true,
})
