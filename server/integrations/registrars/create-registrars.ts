import { createHash } from 'node:crypto'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import type { Sql } from '#server/db/client.ts'
import { createHttpClient } from '#server/integrations/http/http-client.ts'
import { createProviderClients, getRecent, slowProvider } from '#server/integrations/http/provider-client.ts'
import type { ProviderProfile } from '#server/integrations/http/provider-client.ts'
import type { RegistrarContext } from './adapter-parts.ts'
import { connectGodaddy } from '#server/integrations/godaddy/adapter.ts'
import { connectNamecheap } from '#server/integrations/namecheap/adapter.ts'
import { connectPorkbun } from '#server/integrations/porkbun/adapter.ts'
import { connectRegru } from '#server/integrations/regru/adapter.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { RegistrarAccess, RegistrarConnection, Registrars } from '#server/ports/registrar.ts'

interface RegistrarsOptions {
  /** The provider's base URL; null: the default one, sandbox or production. */
  readonly baseUrls: Readonly<Record<RegistrarProvider, string | null>>
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly userAgent: string
  /** Replaces the provider's own call limit. */
  readonly limit?: BudgetLimit
}

type Connect = (context: RegistrarContext, access: RegistrarAccess) => RegistrarConnection

interface Provider {
  readonly url: string
  readonly sandboxUrl: string
  readonly connect: Connect
}

/** One row per provider: its production and sandbox URLs, and its adapter. */
const vendors: Readonly<Record<RegistrarProvider, Provider>> = {
  NAMECHEAP: {
    url: 'https://api.namecheap.com/xml.response',
    sandboxUrl: 'https://api.sandbox.namecheap.com/xml.response',
    connect: connectNamecheap,
  },
  GODADDY: { url: 'https://api.godaddy.com', sandboxUrl: 'https://api.ote-godaddy.com', connect: connectGodaddy },
  PORKBUN: { url: 'https://api.porkbun.com/api/json/v3', sandboxUrl: 'https://api.porkbun.com/api/json/v3', connect: connectPorkbun },
  REGRU: { url: 'https://api.reg.ru/api/regru2', sandboxUrl: 'https://api.reg.ru/api/regru2', connect: connectRegru },
}

const profile: ProviderProfile = { family: 'registrar', ...slowProvider }
/** Registrars are slow, and more calls would only wait there. */
const concurrency = 2
const mostConnections = 5_000

export function createRegistrars({ baseUrls, sql, clock, log, userAgent, limit }: RegistrarsOptions): Registrars {
  const http = createHttpClient({ userAgent, maxBytes: 32 * 1024 * 1024, connectionsPerOrigin: 16 })
  const clients = createProviderClients({ http, sql, clock, log, profile })
  const connections = new Map<string, RegistrarConnection>()

  function open(access: RegistrarAccess, key: string): RegistrarConnection {
    const { url, sandboxUrl, connect } = vendors[access.provider]
    const { calls, perMs } = registrarCatalog[access.provider].limit
    const secrets = Object.values(access.credential).filter((value) => typeof value === 'string')
    const clientOf = (budgetKey: string, most: BudgetLimit, concurrently: number) =>
      clients.clientOf({ name: access.provider, budgetKey: () => budgetKey, secrets, limit: limit ?? most, concurrency: concurrently })
    const context: RegistrarContext = {
      client: clientOf(key, { limit: calls, windowMs: perMs }, concurrency),
      baseUrl: baseUrls[access.provider] ?? (access.sandbox ? sandboxUrl : url),
      clock,
      limited: (what, most) => clientOf(`${key}:${what}`, most, 1),
    }
    return connect(context, access)
  }
  return {
    connect: (access) => {
      const key = `registrar:${access.provider}:${fingerprint(access)}`
      return getRecent(connections, key, mostConnections, () => open(access, key))
    },
    close: clients.close,
  }
}

function fingerprint({ provider, sandbox, credential }: RegistrarAccess): string {
  const parts = Object.entries(credential).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([provider, sandbox, parts]))
    .digest('hex')
    .slice(0, 24)
}
