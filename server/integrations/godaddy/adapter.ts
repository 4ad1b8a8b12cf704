import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { finding, inParts, offered, unavailable } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrarContext } from '#server/integrations/registrars/adapter-parts.ts'
import type { Availability, RegistrarAccess, RegistrarCall, RegistrarConnection } from '#server/ports/registrar.ts'
import { connectByToken } from './by-token.ts'
import { createClient, examineAccess } from './client.ts'
import type { Ask } from './client.ts'
import { toName } from './from-wire.ts'
import { codeOf, nameOf } from './map-error.ts'
import * as wire from './wire.ts'

const { namesPerCheck } = registrarCatalog.GODADDY
const namesPerPage = 1_000
/** Reserved for examples, so it is always taken. */
const probedName = 'example.com'

/** GoDaddy: API v3 with a personal access token, v1 with a key and a secret. The test environment has no v3. */
export function connectGodaddy(
  { client, baseUrl, clock }: RegistrarContext,
  { credential, sandbox }: RegistrarAccess,
): RegistrarConnection {
  const { apiKey = '', apiSecret = '', apiToken = '' } = credential
  const ask = createClient(client, baseUrl, apiToken === '' ? `sso-key ${apiKey}:${apiSecret}` : `Bearer ${apiToken}`)
  return apiToken === '' || sandbox ? connectByKey(ask) : connectByToken(ask, clock)
}

/**
 * API v1. Its prices lack taxes and fees, and only a completed order reports the charge: so it has no usable price here, and nothing can be
 * bought or renewed with a key and a secret.
 */
function connectByKey(ask: Ask): RegistrarConnection {
  const of = (name: string) => ({ path: `/v1/domains/${name}`, template: '/v1/domains/{domain}' })
  const getName = async (name: string, call: RegistrarCall) => toName(await ask({ method: 'GET', ...of(name) }, wire.domain, call))
  const checkPart = async (names: readonly string[], call: RegistrarCall): Promise<Availability[]> => {
    const target = { method: 'POST', path: '/v1/domains/available?checkType=FULL', template: '/v1/domains/available' } as const
    const { domains, errors } = await ask(target, wire.offers, call, { body: names })
    const offers = new Map(domains.map((each) => [each.domain, each]))
    const refusals = new Map((errors ?? []).map((each) => [each.domain, each]))
    return names.map((name) => toAvailability(name, offers.get(name)?.available, refusals.get(name)))
  }
  const notQuoted = () => Promise.reject(new AppError('registrar_price_unknown'))

  return {
    examine: async (call) => {
      const managed = await examineAccess(() =>
        ask({ method: 'GET', path: '/v1/domains?limit=1', template: '/v1/domains' }, wire.domains, call),
      )
      if (managed.some(({ id, state }) => id === 'credentials' && state !== 'ok')) return managed
      // Looking up names has a stricter requirement than management.
      const refusal = await checkPart([probedName], call).then(
        () => null,
        (error: unknown) => {
          if (error instanceof AppError) return error
          throw error
        },
      )
      return [...managed, finding('purchase', 'warning', refusal)]
    },
    // GoDaddy charges the account's payment method.
    balance: () => Promise.resolve(null),
    renewalPrices: () => Promise.resolve(null),
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
    check: (names, call) => inParts(names, namesPerCheck, (part) => checkPart(part, call)),
    quote: notQuoted,
    register: notQuoted,
    followUp: null,
    quoteRenewal: notQuoted,
    renew: notQuoted,
    getNameServers: async (name, call) => (await getName(name, call)).nameServers ?? [],
    setNameServers: async (name, nameServers, call) => {
      await ask({ method: 'PATCH', ...of(name) }, wire.nothing, call, { body: { nameServers }, repeat: 'idempotent' })
    },
    setAutoRenew: async (name, enabled, call) => {
      await ask({ method: 'PATCH', ...of(name) }, wire.nothing, call, { body: { renewAuto: enabled }, repeat: 'idempotent' })
    },
    // v1 has no known call for it.
    dsRecords: null,
  }
}

function toAvailability(name: string, available: boolean | undefined, refusal: wire.Problem | undefined): Availability {
  if (refusal !== undefined) {
    const code = nameOf(refusal)
    const state = codeOf(422, code, refusal.message ?? '') === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code, message: refusal.message ?? null }
  }
  if (available === undefined) return unavailable(name)
  if (!available) return { name, state: 'taken' }
  return offered(name, [], null)
}
