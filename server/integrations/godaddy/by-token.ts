import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { phoneOf } from '#server/integrations/registrars/phone.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Availability, Money, Purchase, PurchaseOrder, Quote, RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { examineAccess, toName, toServers } from './ask.ts'
import type { Ask } from './ask.ts'
import { codeOf, nameOf, operationError } from './map-error.ts'
import * as wire from './wire.ts'

const { checkAtOnce } = registrarCatalog.GODADDY
const base = '/v3/domains'
const premiumInventories = new Set(['PREMIUM', 'REGISTRY_PREMIUM'])
/** Statuses of names that are in the list and not (any more) with the customer. */
const goneStatuses = new Set(['FAILED', 'CANCELLED', 'TRANSFERRED', 'OWNERSHIP_CHANGED', 'REPOSSESSED'])
/** An operation is asked for at growing intervals, for so long; then it is followed up later. */
const waitMs = { person: 15_000, bulk: 60_000, sync: 60_000 } as const
const firstPauseMs = 250
const longestPauseMs = 8_000

/** The API v3: quote, then order with the quote's token, then poll the operation. Fields and their sources are in the README beside. */
export function connectByToken(ask: Ask, clock: Clock): RegistrarConnection {
  const names = `${base}/domain-names`
  const of = (name: string, rest = '') => ({ path: `${names}/${name}${rest}`, template: `${names}/{domain}${rest}` })

  async function getHeld(name: string, call: RegistrarCall): Promise<wire.Held> {
    const held = await ask({ method: 'GET', ...of(name) }, wire.domain, call)
    if (goneStatuses.has(held.status ?? '')) throw new AppError('registrar_not_found')
    return held
  }

  const getOperation = (id: string, call: RegistrarCall) => {
    if (!/^(operations|registrations)\/[\w-]{1,100}$/.test(id)) throw new AppError('registrar_not_found')
    return ask({ method: 'GET', path: `${base}/${id}`, template: `${base}/${id.split('/')[0] ?? ''}/{id}` }, wire.operation, call)
  }

  /** Polls until the operation has ended, or failed, or the time is up. */
  async function poll(begun: wire.Operation, call: RegistrarCall): Promise<wire.Operation> {
    const id = idOf(begun)
    const untilMs = clock.now() + waitMs[call.priority]
    let last = begun
    for (
      let pauseMs = firstPauseMs;
      id !== null && !isOver(last) && clock.now() + pauseMs < untilMs;
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    ) {
      await clock.sleep(pauseMs, call.signal)
      last = await getOperation(id, call)
    }
    return last
  }

  return {
    examine: (call) => examineAccess(() => ask({ method: 'GET', path: `${names}?pageSize=1`, template: names }, wire.domainPage, call)),
    // It charges the payment method of the account.
    balance: () => Promise.resolve(null),
    renewalPrices: () => Promise.resolve(null),
    listNames: async (cursor, call) => {
      const query = new URLSearchParams({ pageSize: '200', ...(cursor === null ? {} : { pageToken: cursor }) })
      const { items, links } = await ask({ method: 'GET', path: `${names}?${query.toString()}`, template: names }, wire.domainPage, call)
      const next = links?.find(({ rel }) => rel === 'next')?.href
      // Of the link only the token: the host is the one that we were given.
      const token = next === undefined ? null : new URL(next, 'https://godaddy.invalid').searchParams.get('pageToken')
      return { names: items.filter(({ status }) => !goneStatuses.has(status ?? '')).map(toName), next: token, total: null }
    },
    getName: async (name, call) => {
      const held = await getHeld(name, call)
      // Paid for, and not yet there to be managed.
      if (held.status === 'PENDING_REGISTRATION') throw new AppError('registrar_busy')
      return toName(held)
    },
    check: async (asked, call) => {
      const answers: Availability[] = []
      for (let from = 0; from < asked.length; from += checkAtOnce) {
        const part = asked.slice(from, from + checkAtOnce)
        const { items } = await ask({ method: 'POST', path: `${base}/check-availability` }, wire.availability, call, {
          body: { domains: part },
        })
        const byName = new Map(items.map((each) => [each.domain, each]))
        answers.push(...part.map((name) => toAvailability(name, byName.get(name))))
      }
      return answers
    },
    quote: async (order, call) => {
      const quoted = await ask({ method: 'POST', path: `${base}/registration-quotes` }, wire.quote, call, {
        body: { domain: order.name, period: order.years, profile: toProfile(order) },
      })
      return toQuote(order, quoted, new Date(clock.now()))
    },
    register: async (order, { quote, idempotencyKey }, call) => {
      const { quoteToken, agreementTypes, agreedAt, fees } = wire.quoted.parse(JSON.parse(quote.reference ?? 'null'))
      const begun = await ask({ method: 'POST', path: `${base}/registrations` }, wire.operation, call, {
        body: {
          domain: order.name,
          period: order.years,
          quoteToken,
          profile: toProfile(order),
          consent: { agreementTypes, agreedAt, ...(fees.length === 0 ? {} : { acknowledgedFees: fees }) },
        },
        // With the key a repetition is answered with the first answer.
        repeat: 'idempotent',
        idempotencyKey,
      })
      // It was taken: what does not answer from here on, for whatever reason, is followed up and not ordered again.
      const last = await poll(begun, call).catch((error: unknown) => {
        if (error instanceof AppError) return begun
        throw error
      })
      if (last.status === 'FAILED') throw operationError(last.error)
      return { name: order.name, ...toPurchase(last, idOf(begun), priceOf(begun)) }
    },
    followUp: async (orderId, call) => {
      const operation = await getOperation(orderId, call)
      if (operation.status === 'FAILED') return { refusal: operationError(operation.error) }
      return toPurchase(operation, orderId, null)
    },
    // v3 renews nothing yet, and v1 shows no price with fees.
    quoteRenewal: ({ name, years }) => Promise.resolve({ name, years, total: null, premium: false, reference: null }),
    renew: () => Promise.reject(new AppError('registrar_price_unknown')),
    getNameServers: async (name, call) => toServers((await getHeld(name, call)).nameServers ?? []),
    setNameServers: async (name, nameServers, call) => {
      const { nameServers: before, updatedAt } = await getHeld(name, call)
      const put = (idempotencyKey: string) =>
        ask({ method: 'PUT', ...of(name, '/nameservers') }, wire.operation, call, {
          body: nameServers,
          repeat: 'idempotent',
          idempotencyKey,
        })
      // The same wish in the same state has the same key, whichever process or try sends it.
      const key = createHash('sha256')
        .update(JSON.stringify([name, toServers(before ?? []), updatedAt ?? '', toServers(nameServers)]))
        .digest('hex')
        .slice(0, 32)
      const finish = async (begun: wire.Operation) => {
        const last = await poll(begun, call)
        if (last.status === 'FAILED') throw operationError(last.error)
        if (last.status !== 'COMPLETED') throw new AppError('registrar_busy')
        return toServers((await getHeld(name, call)).nameServers ?? [])
      }
      const first = await put(key)
      const servers = first.status === 'FAILED' ? null : await finish(first)
      // An operation that has failed already, or left other servers, is an earlier one that was answered again: this one needs a key of its own.
      if (servers === null || servers.join() !== toServers(nameServers).join()) await finish(await put(randomUUID()))
    },
    // No call of v3 is known that sets it, nor that v1 takes such a token for it.
    setAutoRenew: null,
  }
}

const isOver = ({ status }: wire.Operation): boolean => status === 'COMPLETED' || status === 'FAILED'

const idOf = ({ operationId, registrationId }: wire.Operation): string | null =>
  operationId !== null && operationId !== undefined
    ? `operations/${operationId}`
    : registrationId !== null && registrationId !== undefined
      ? `registrations/${registrationId}`
      : null

function toPurchase(operation: wire.Operation, id: string | null, price: Money | null): Omit<Purchase, 'name'> {
  const complete = operation.status === 'COMPLETED'
  return {
    orderId: complete ? (operation.result?.orderId ?? operation.orderId ?? id) : id,
    charged: priceOf(operation) ?? price,
    complete,
  }
}

/** The price of the term and all fees; null where one of them is in another currency. */
function sumOf(price: { readonly currencyCode: string; readonly value: number }, fees: readonly wire.Fee[]): Money | null {
  if (fees.some(({ fee }) => fee.currencyCode !== price.currencyCode)) return null
  return { minor: fees.reduce((sum, { fee }) => sum + fee.value, price.value), currency: price.currencyCode }
}

const priceOf = ({ price, fees }: Pick<wire.Operation, 'price' | 'fees'>): Money | null =>
  price === null || price === undefined ? null : sumOf(price, fees ?? [])

function toQuote({ name, years }: PurchaseOrder, quoted: wire.RegistrationQuote, now: Date): Quote {
  if (!quoted.available) throw new AppError('registrar_name_taken')
  const { quoteToken, requiredAgreements, fees, period, inventory } = quoted
  const reference = {
    quoteToken,
    agreementTypes: (requiredAgreements ?? []).map(({ agreementType }) => agreementType),
    agreedAt: `${now.toISOString().slice(0, 19)}Z`,
    fees: fees ?? [],
  }
  return {
    name,
    years: period ?? years,
    // Without a token there is nothing that could be ordered for this price.
    total: quoteToken === null || quoteToken === undefined ? null : priceOf(quoted),
    premium: premiumInventories.has(inventory ?? ''),
    fees: (fees ?? []).reduce((sum, { fee }) => sum + fee.value, 0),
    reference: JSON.stringify(reference),
  }
}

function toAvailability(name: string, item: wire.Item | undefined): Availability {
  if (item === undefined) return { name, state: 'unknown', code: null, message: null }
  if (item.error !== null && item.error !== undefined) {
    const code = nameOf(item.error)
    const state = codeOf(422, code, item.error.message ?? '') === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code, message: item.error.message ?? null }
  }
  if (item.available === false) return { name, state: 'taken' }
  if (item.available !== true) return { name, state: 'unknown', code: null, message: null }
  const [first, ...others] = (item.prices ?? []).toSorted((one, other) => one.period - other.period)
  const price = first === undefined ? null : sumOf(first.price, first.fees ?? [])
  return {
    name,
    state: 'available',
    price,
    renewal: first === undefined ? null : renewalOf(first),
    years: first?.period ?? 1,
    longer: others.flatMap((other) => {
      const longer = sumOf(other.price, other.fees ?? [])
      return longer === null || longer.currency !== price?.currency ? [] : [{ years: other.period, price: longer }]
    }),
    premium: premiumInventories.has(item.inventory ?? ''),
  }
}

/** For a year of the term. */
const renewalOf = ({ renewalPrice, period }: wire.TermPrice): Money | null =>
  renewalPrice === null || renewalPrice === undefined
    ? null
    : { minor: Math.ceil(renewalPrice.value / period), currency: renewalPrice.currencyCode }

/** Identical in the quote and in the order. Without other roles the registrant stands for all. */
function toProfile({ contact, privacy, autoRenew, nameServers }: PurchaseOrder): object {
  const [countryCode = '', nationalNumber = ''] = phoneOf(contact.phone).replace('+', '').split('.')
  const registrant = {
    firstName: contact.firstName,
    lastName: contact.lastName,
    ...(contact.organization === null ? {} : { organization: contact.organization }),
    email: contact.email,
    phone: { countryCode, nationalNumber },
    address: {
      line1: contact.address,
      city: contact.city,
      state: contact.region,
      countryCode: contact.country,
      postalCode: contact.postalCode,
    },
  }
  return { contacts: { registrant }, privacy, autoRenew, ...(nameServers.length === 0 ? {} : { nameServers }) }
}
