import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { inParts, quoteOf, toServers } from '#server/integrations/registrars/adapter-parts.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { HeldNames, NameSale, RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { examineAccess } from './client.ts'
import type { Ask } from './client.ts'
import { idOf, isOver, priceOf, toAvailability, toName, toProfile, toPurchase, toQuote } from './from-wire.ts'
import { operationError } from './map-error.ts'
import * as wire from './wire.ts'

const { namesPerCheck } = registrarCatalog.GODADDY
const base = '/v3/domains'
/** Statuses of listed names that do not (or no longer) belong to the customer. */
const goneStatuses = new Set(['FAILED', 'CANCELLED', 'TRANSFERRED', 'OWNERSHIP_CHANGED', 'REPOSSESSED'])
/** An operation is polled at growing intervals for this long; afterwards it is followed up later. */
const waitMs = { person: 15_000, bulk: 60_000, sync: 60_000 } as const
const firstPauseMs = 250
const longestPauseMs = 8_000

const names = `${base}/domain-names`
const of = (name: string, rest = '') => ({ path: `${names}/${name}${rest}`, template: `${names}/{domain}${rest}` })

/** API v3: quote, then order with the quote's token, then poll the operation. Fields and their sources are in the README of this folder. */
export function connectByToken(ask: Ask, clock: Clock): RegistrarConnection {
  const operations = createOperations(ask, clock)
  return {
    examine: (call) => examineAccess(() => ask({ method: 'GET', path: `${names}?pageSize=1`, template: names }, wire.domainPage, call)),
    // GoDaddy charges the account's payment method.
    balance: () => Promise.resolve(null),
    renewalPrices: () => Promise.resolve(null),
    ...heldNames(ask, operations),
    ...sale(ask, clock, operations),
  }
}

type Operations = ReturnType<typeof createOperations>

function createOperations(ask: Ask, clock: Clock) {
  const get = (id: string, call: RegistrarCall) => {
    if (!/^(operations|registrations)\/[\w-]{1,100}$/.test(id)) throw new AppError('registrar_not_found')
    return ask({ method: 'GET', path: `${base}/${id}`, template: `${base}/${id.split('/')[0] ?? ''}/{id}` }, wire.operation, call)
  }

  /** Polls until the operation has succeeded, failed, or timed out. */
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
      last = await get(id, call)
    }
    return last
  }

  return { get, poll }
}

function heldNames(ask: Ask, { poll }: Operations): HeldNames {
  async function getHeld(name: string, call: RegistrarCall): Promise<wire.Held> {
    const held = await ask({ method: 'GET', ...of(name) }, wire.domain, call)
    if (goneStatuses.has(held.status ?? '')) throw new AppError('registrar_not_found')
    return held
  }

  return {
    listNames: async (cursor, call) => {
      const query = new URLSearchParams({ pageSize: '200', ...(cursor === null ? {} : { pageToken: cursor }) })
      const { items, links } = await ask({ method: 'GET', path: `${names}?${query.toString()}`, template: names }, wire.domainPage, call)
      const next = links?.find(({ rel }) => rel === 'next')?.href
      // Only the token of the link is used; the host is the configured one.
      const token = next === undefined ? null : new URL(next, 'https://godaddy.invalid').searchParams.get('pageToken')
      return { names: items.filter(({ status }) => !goneStatuses.has(status ?? '')).map(toName), next: token, total: null }
    },
    getName: async (name, call) => {
      const held = await getHeld(name, call)
      // Paid, but not yet manageable.
      if (held.status === 'PENDING_REGISTRATION') throw new AppError('registrar_busy')
      return toName(held)
    },
    getNameServers: async (name, call) => toServers((await getHeld(name, call)).nameServers ?? []),
    setNameServers: async (name, nameServers, call) => {
      const { nameServers: before, updatedAt } = await getHeld(name, call)
      const put = (idempotencyKey: string) =>
        ask({ method: 'PUT', ...of(name, '/nameservers') }, wire.operation, call, {
          body: nameServers,
          repeat: 'idempotent',
          idempotencyKey,
        })
      // The same change in the same state has the same key, regardless of process and attempt.
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
      // An operation that already failed, or set other servers, is a replayed earlier one: this one needs a new key.
      if (servers === null || servers.join() !== toServers(nameServers).join()) await finish(await put(randomUUID()))
    },
    // v3 has no known call for it, and it is unknown whether v1 accepts such a token.
    setAutoRenew: null,
    dsRecords: null,
  }
}

function sale(ask: Ask, clock: Clock, { get, poll }: Operations): NameSale {
  return {
    check: (asked, call) =>
      inParts(asked, namesPerCheck, async (part) => {
        const target = { method: 'POST', path: `${base}/check-availability` } as const
        const { items } = await ask(target, wire.availability, call, { body: { domains: part } })
        const byName = new Map(items.map((each) => [each.domain, each]))
        return part.map((name) => toAvailability(name, byName.get(name)))
      }),
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
        // With the key a retry gets the first response.
        repeat: 'idempotent',
        idempotencyKey,
      })
      // The order was accepted: any failure from here on is followed up and not ordered again.
      const last = await poll(begun, call).catch((error: unknown) => {
        if (error instanceof AppError) return begun
        throw error
      })
      if (last.status === 'FAILED') throw operationError(last.error)
      return { name: order.name, ...toPurchase(last, idOf(begun), priceOf(begun)) }
    },
    followUp: async (orderId, call) => {
      const operation = await get(orderId, call)
      if (operation.status === 'FAILED') return { refusal: operationError(operation.error) }
      return toPurchase(operation, orderId, null)
    },
    // v3 has no renewals yet, and v1 has no price with fees.
    quoteRenewal: (order) => Promise.resolve(quoteOf(order)),
    renew: () => Promise.reject(new AppError('registrar_price_unknown')),
  }
}
