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
/** Statuses of names that are in the list and not (any more) with the customer. */
const goneStatuses = new Set(['FAILED', 'CANCELLED', 'TRANSFERRED', 'OWNERSHIP_CHANGED', 'REPOSSESSED'])
/** An operation is asked for at growing intervals, for so long; then it is followed up later. */
const waitMs = { person: 15_000, bulk: 60_000, sync: 60_000 } as const
const firstPauseMs = 250
const longestPauseMs = 8_000

const names = `${base}/domain-names`
const of = (name: string, rest = '') => ({ path: `${names}/${name}${rest}`, template: `${names}/{domain}${rest}` })

/** The API v3: quote, then order with the quote's token, then poll the operation. Fields and their sources are in the README beside. */
export function connectByToken(ask: Ask, clock: Clock): RegistrarConnection {
  const operations = createOperations(ask, clock)
  return {
    examine: (call) => examineAccess(() => ask({ method: 'GET', path: `${names}?pageSize=1`, template: names }, wire.domainPage, call)),
    // It charges the payment method of the account.
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
      const operation = await get(orderId, call)
      if (operation.status === 'FAILED') return { refusal: operationError(operation.error) }
      return toPurchase(operation, orderId, null)
    },
    // v3 renews nothing yet, and v1 shows no price with fees.
    quoteRenewal: (order) => Promise.resolve(quoteOf(order)),
    renew: () => Promise.reject(new AppError('registrar_price_unknown')),
  }
}
