import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { HttpAnswer, HttpRequest } from '#server/integrations/http/http-client.ts'
import { phoneOf } from '#server/integrations/registrars/phone.ts'
import { refused } from '#server/integrations/http/vendor-door.ts'
import type { Repeat, VendorDoor } from '#server/integrations/http/vendor-door.ts'
import { priceFor, reckonTerms } from '#server/integrations/registrars/terms.ts'
import type {
  Availability,
  Money,
  Purchase,
  PurchaseOrder,
  ReadinessCheck,
  RegisteredName,
  RegistrantContact,
  RegistrarAccess,
  RegistrarCall,
  RegistrarConnection,
} from '#server/ports/registrar.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.GODADDY
const namesPerPage = 1_000
/** Prices of v1 come in millionths, ours are in hundredths. */
const microsPerMinor = 10_000

const codes: Readonly<Record<string, ErrorCode>> = {
  MISSING_CREDENTIALS: 'registrar_auth',
  UNABLE_TO_AUTHENTICATE: 'registrar_auth',
  ACCESS_DENIED: 'registrar_forbidden',
  UNKNOWN_DOMAIN: 'registrar_not_found',
  NOT_FOUND: 'registrar_not_found',
  UNAVAILABLE_DOMAIN: 'registrar_name_taken',
  UNSUPPORTED_TLD: 'registrar_not_sold',
  INVALID_PAYMENT_INFO: 'registrar_money',
  NO_PAYMENT_PROFILE: 'registrar_money',
  QUOTE_MISMATCH: 'registrar_price_changed',
  TOO_MANY_REQUESTS: 'registrar_rate_limited',
}

type Ask = <S extends z.ZodType>(
  target: { readonly method: HttpRequest['method']; readonly path: string; readonly template?: string },
  schema: S,
  call: RegistrarCall,
  more?: { readonly body?: unknown; readonly repeat?: Repeat; readonly idempotencyKey?: string },
) => Promise<z.output<S>>

/** GoDaddy: with a personal access token by its API v3, with a key and a secret by v1; what is known of it, and what is not, is in docs/providers.md. */
export function connectGodaddy(door: VendorDoor, baseUrl: string, { credential }: RegistrarAccess): RegistrarConnection {
  const { apiKey = '', apiSecret = '', apiToken = '' } = credential
  const authorization = apiToken === '' ? `sso-key ${apiKey}:${apiSecret}` : `Bearer ${apiToken}`

  const ask: Ask = ({ method, path, template = path }, schema, call, { body, repeat = 'read', idempotencyKey } = {}) =>
    door.call(
      {
        method,
        url: baseUrl + path,
        template,
        headers: {
          authorization,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        repeat,
      },
      call,
      (answer) => schema.parse(accepted(answer)),
    )
  return apiToken === '' ? withKey(ask) : withToken(ask)
}

function withKey(ask: Ask): RegistrarConnection {
  const of = (name: string) => ({ path: `/v1/domains/${name}`, template: '/v1/domains/{domain}' })
  const getName = async (name: string, call: RegistrarCall) => toName(await ask({ method: 'GET', ...of(name) }, wire.domain, call))

  return {
    examine: (call) => examine(() => ask({ method: 'GET', path: '/v1/domains?limit=1', template: '/v1/domains' }, wire.domains, call)),
    // It draws on the account's payment profile, which has no balance.
    balance: async () => null,
    renewalPrices: async () => null,
    listNames: async (cursor, call) => {
      const query = new URLSearchParams({
        limit: String(namesPerPage),
        includes: 'nameServers',
        ...(cursor === null ? {} : { marker: cursor }),
      })
      const names = (
        await ask({ method: 'GET', path: `/v1/domains?${query.toString()}`, template: '/v1/domains' }, wire.domains, call)
      ).map(toName)
      return { names, next: names.length < namesPerPage ? null : (names.at(-1)?.name ?? null), total: null }
    },
    getName,
    check: async (names, call) => {
      const answers: Availability[] = []
      for (let from = 0; from < names.length; from += checkAtOnce) {
        const part = names.slice(from, from + checkAtOnce)
        const target = { method: 'POST', path: '/v1/domains/available?checkType=FULL', template: '/v1/domains/available' } as const
        const { domains, errors } = await ask(target, wire.offers, call, { body: part })
        const offers = new Map(domains.map((each) => [each.domain, each]))
        const refusals = new Map((errors ?? []).map((each) => [each.domain, each]))
        answers.push(...part.map((name) => toOffer(name, offers.get(name), refusals.get(name))))
      }
      return answers
    },
    register: async (order, call) => {
      const tld = order.name.slice(order.name.indexOf('.') + 1)
      const query = new URLSearchParams({ tlds: tld, privacy: String(order.privacy) })
      const agreements = await ask(
        { method: 'GET', path: `/v1/domains/agreements?${query.toString()}`, template: '/v1/domains/agreements' },
        wire.agreements,
        call,
      )
      await confirmPrice(order, call)
      const bought = await ask({ method: 'POST', path: '/v1/domains/purchase' }, wire.order, call, {
        body: {
          domain: order.name,
          period: order.years,
          privacy: order.privacy,
          renewAuto: order.autoRenew,
          ...(order.nameServers.length === 0 ? {} : { nameServers: order.nameServers }),
          consent: {
            agreementKeys: agreements.map(({ agreementKey }) => agreementKey),
            agreedBy: order.endUserIp,
            agreedAt: new Date().toISOString(),
          },
          ...contacts(order.contact),
        },
        repeat: 'once',
      })
      return toPurchase(order.name, bought)
    },
    renew: async ({ name, years }, call) => {
      const target = { method: 'POST', path: `/v1/domains/${name}/renew`, template: '/v1/domains/{domain}/renew' } as const
      return toPurchase(name, await ask(target, wire.order, call, { body: { period: years }, repeat: 'once' }))
    },
    getNameServers: async (name, call) => (await getName(name, call)).nameServers ?? [],
    setNameServers: async (name, nameServers, call) => {
      await ask({ method: 'PATCH', ...of(name) }, wire.nothing, call, { body: { nameServers }, repeat: 'harmless' })
    },
  }

  /** The purchase itself names no price, so that it is looked at last: what longer terms cost is reckoned as it was for the look. */
  async function confirmPrice(order: PurchaseOrder, call: RegistrarCall): Promise<void> {
    const target = { method: 'POST', path: '/v1/domains/available?checkType=FULL', template: '/v1/domains/available' } as const
    const { domains, errors } = await ask(target, wire.offers, call, { body: [order.name] })
    const offer = toOffer(order.name, domains[0], errors?.[0])
    if (offer.state === 'taken') throw new AppError('registrar_name_taken')
    if (offer.state === 'unsupported') throw new AppError('registrar_not_sold')
    if (offer.state !== 'available' || offer.price === null) return
    const now = offer.years === order.years ? offer.price : priceFor(offer.longer, order.years)
    if (now?.minor !== order.price.minor || now.currency !== order.price.currency) throw new AppError('registrar_price_changed')
  }
}

function withToken(ask: Ask): RegistrarConnection {
  const base = '/v3/domains/domain-names'
  const of = (name: string, rest = '') => ({ path: `${base}/${name}${rest}`, template: `${base}/{domain}${rest}` })
  const getName = async (name: string, call: RegistrarCall) => toName(await ask({ method: 'GET', ...of(name) }, wire.domain, call))

  return {
    examine: (call) => examine(() => ask({ method: 'GET', path: base }, wire.domainPage, call)),
    balance: async () => null,
    renewalPrices: async () => null,
    listNames: async (cursor, call) => {
      const { items, links } = await ask({ method: 'GET', path: cursor ?? base, template: base }, wire.domainPage, call)
      const next = links?.find(({ rel }) => rel === 'next')?.href
      // Only ever on the host that we were told to ask.
      return { names: items.map(toName), next: next === undefined ? null : next.replace(/^https?:\/\/[^/]+/, ''), total: null }
    },
    getName,
    check: async (names, call) => {
      const answers: Availability[] = []
      for (let from = 0; from < names.length; from += checkAtOnce) {
        const part = names.slice(from, from + checkAtOnce)
        const { items } = await ask({ method: 'POST', path: '/v3/domains/check-availability' }, wire.availability, call, {
          body: { domains: part },
        })
        const byName = new Map(items.map((each) => [each.domain, each]))
        answers.push(...part.map((name) => toItem(name, byName.get(name))))
      }
      return answers
    },
    register: async (order, call) => {
      const quotes = { method: 'POST', path: '/v3/domains/registration-quotes' } as const
      const { quoteToken, total } = await ask(quotes, wire.quote, call, { body: { domain: order.name, period: order.years } })
      if (total !== null && total !== undefined && total.value !== order.price.minor) throw new AppError('registrar_price_changed')
      const bought = await ask({ method: 'POST', path: '/v3/domains/registrations' }, wire.order, call, {
        body: {
          quoteToken,
          consent: { agreedAt: new Date().toISOString(), agreementTypes: ['DNRA'] },
          ...contacts(order.contact),
          privacy: order.privacy,
          renewAuto: order.autoRenew,
          ...(order.nameServers.length === 0 ? {} : { nameServers: order.nameServers }),
        },
        // With the key a repetition is answered with the first answer.
        repeat: 'harmless',
        idempotencyKey: order.idempotencyKey,
      })
      return toPurchase(order.name, bought)
    },
    renew: async ({ name, years }, call) => {
      const target = { method: 'POST', path: `/v1/domains/${name}/renew`, template: '/v1/domains/{domain}/renew' } as const
      return toPurchase(name, await ask(target, wire.order, call, { body: { period: years }, repeat: 'once' }))
    },
    getNameServers: async (name, call) => (await getName(name, call)).nameServers ?? [],
    setNameServers: async (name, nameServers, call) => {
      await ask({ method: 'PUT', ...of(name, '/nameservers') }, wire.nothing, call, { body: nameServers, repeat: 'harmless' })
    },
  }
}

/** The content of a success; 203 is one with refusals of single names inside. */
function accepted(answer: HttpAnswer): unknown {
  if (answer.status < 300) return answer.text === '' ? null : (JSON.parse(answer.text) as unknown)
  if (answer.status >= 500) throw new AppError('registrar_unavailable')
  const { code, message, fields, retryAfterSec } = wire.failure.parse(JSON.parse(answer.text))
  const details = (fields ?? []).map((field) => `${field.path ?? ''}: ${field.message ?? ''}`).join('; ')
  throw refused({
    code: codeOf(answer.status, code ?? '', message ?? ''),
    providerCode: code ?? null,
    message: [message ?? '', details].filter((part) => part !== '').join('; '),
    ...(answer.status === 429 ? { retryAfterSeconds: retryAfterSec ?? 60 } : {}),
  })
}

function codeOf(status: number, code: string, message: string): ErrorCode {
  if (status === 429) return 'registrar_rate_limited'
  if (code === 'ACCESS_DENIED' && /address/i.test(message)) return 'registrar_address'
  if (/contact/i.test(code)) return 'registrar_contact'
  const known = codes[code]
  if (known !== undefined) return known
  if (status === 401) return 'registrar_auth'
  if (status === 402) return 'registrar_money'
  if (status === 403) return 'registrar_forbidden'
  return status === 404 ? 'registrar_not_found' : 'registrar_rejected'
}

async function examine(look: () => Promise<unknown>): Promise<readonly ReadinessCheck[]> {
  try {
    await look()
    return [finding('credentials', 'ok'), finding('access', 'ok')]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'registrar_auth') return [finding('credentials', 'failed', error)]
    if (error.code === 'registrar_address') return [finding('credentials', 'ok'), finding('address', 'failed', error)]
    if (error.code === 'registrar_forbidden') return [finding('credentials', 'ok'), finding('access', 'failed', error)]
    return [finding('credentials', 'unknown', error)]
  }
}

const finding = (id: ReadinessCheck['id'], state: ReadinessCheck['state'], error: AppError | null = null): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: [],
})

const toDate = (text: string | null | undefined): Date | null => {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

const toName = (held: wire.Held): RegisteredName => ({
  name: (held.domain ?? held.domainName ?? '').toLowerCase(),
  status: held.status?.toLowerCase() ?? null,
  createdAt: toDate(held.createdAt),
  expiresAt: toDate(held.expires ?? held.expiresAt),
  autoRenew: held.renewAuto ?? null,
  locked: held.locked ?? null,
  privacy: held.privacy ?? null,
  nameServers: held.nameServers?.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted() ?? null,
})

const fromMicros = (micros: number | null | undefined, currency: string | null | undefined): Money | null =>
  micros === null || micros === undefined ? null : { minor: Math.round(micros / microsPerMinor), currency: currency ?? 'USD' }

function toOffer(
  name: string,
  offer: wire.Offered | undefined,
  error: { readonly code?: string | null | undefined; readonly message?: string | null | undefined } | undefined,
): Availability {
  if (error !== undefined) {
    const state = codes[error.code ?? ''] === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code: error.code ?? null, message: error.message ?? null }
  }
  if (offer === undefined) return { name, state: 'unknown', code: null, message: null }
  if (!offer.available) return { name, state: 'taken' }
  const [price, years] = [fromMicros(offer.price, offer.currency), offer.period ?? 1]
  return {
    name,
    state: 'available',
    price,
    renewal: null,
    years,
    longer: price === null ? [] : reckonTerms({ years, price }, null).slice(1),
    longerTold: false,
    premium: false,
  }
}

function toItem(name: string, item: wire.Item | undefined): Availability {
  if (item === undefined) return { name, state: 'unknown', code: null, message: null }
  if (item.error !== null && item.error !== undefined) {
    const state = codes[item.error.code ?? ''] === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code: item.error.code ?? null, message: item.error.message ?? null }
  }
  if (!item.available) return { name, state: 'taken' }
  const money = (amount: { readonly value: number; readonly currencyCode: string } | null | undefined): Money | null =>
    amount === null || amount === undefined ? null : { minor: amount.value, currency: amount.currencyCode }
  const [first, ...others] = (item.prices ?? []).toSorted((one, other) => (one.period ?? 1) - (other.period ?? 1))
  const price = money(first?.price)
  return {
    name,
    state: 'available',
    price,
    renewal: money(first?.renewalPrice),
    years: first?.period ?? 1,
    longer: others.flatMap((other) => {
      const longer = money(other.price)
      return longer === null || longer.currency !== price?.currency ? [] : [{ years: other.period ?? 1, price: longer }]
    }),
    longerTold: true,
    premium: item.inventory === 'PREMIUM',
  }
}

const toPurchase = (name: string, { orderId, total, currency }: z.infer<typeof wire.order>): Purchase => ({
  name,
  orderId: orderId === null || orderId === undefined ? null : String(orderId),
  charged: fromMicros(total, currency),
  complete: true,
})

/** The same person in all four roles. */
function contacts(contact: RegistrantContact): object {
  const one = {
    nameFirst: contact.firstName,
    nameLast: contact.lastName,
    ...(contact.organization === null ? {} : { organization: contact.organization }),
    email: contact.email,
    phone: phoneOf(contact.phone),
    addressMailing: {
      address1: contact.address,
      city: contact.city,
      state: contact.region,
      postalCode: contact.postalCode,
      country: contact.country,
    },
  }
  return { contactRegistrant: one, contactAdmin: one, contactBilling: one, contactTech: one }
}
