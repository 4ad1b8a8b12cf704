import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import type { Sql } from '#server/db/client.ts'
import { createHttpClient } from '#server/integrations/http/http-client.ts'
import { createVendorDoors } from '#server/integrations/http/vendor-door.ts'
import type { VendorErrors } from '#server/integrations/http/vendor-door.ts'
import type { RegistrarMeans } from './registrar-means.ts'
import { connectGodaddy } from '#server/integrations/godaddy/adapter.ts'
import { connectNamecheap } from '#server/integrations/namecheap/adapter.ts'
import { connectPorkbun } from '#server/integrations/porkbun/adapter.ts'
import { connectRegru } from '#server/integrations/regru/adapter.ts'
import { createBudgetStore } from '#server/platform/call-budget.repo.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { RegistrarAccess, RegistrarConnection, Registrars } from '#server/ports/registrar.ts'

export interface RegistrarsOptions {
  /** The provider's addresses; null: the usual one, sandbox or not. */
  readonly baseUrls: Readonly<Record<RegistrarProvider, string | null>>
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly userAgent: string
  /** Instead of the provider's own limit of calls. */
  readonly limit?: BudgetLimit
}

type Connect = (means: RegistrarMeans, access: RegistrarAccess) => RegistrarConnection

interface Vendor {
  readonly url: string
  readonly sandboxUrl: string
  readonly connect: Connect
}

/** One row a provider: where it answers, in earnest and for trying, and who speaks to it. */
const vendors: Readonly<Record<RegistrarProvider, Vendor>> = {
  NAMECHEAP: {
    url: 'https://api.namecheap.com/xml.response',
    sandboxUrl: 'https://api.sandbox.namecheap.com/xml.response',
    connect: connectNamecheap,
  },
  GODADDY: { url: 'https://api.godaddy.com', sandboxUrl: 'https://api.ote-godaddy.com', connect: connectGodaddy },
  PORKBUN: { url: 'https://api.porkbun.com/api/json/v3', sandboxUrl: 'https://api.porkbun.com/api/json/v3', connect: connectPorkbun },
  REGRU: { url: 'https://api.reg.ru/api/regru2', sandboxUrl: 'https://api.reg.ru/api/regru2', connect: connectRegru },
}

const errors: VendorErrors = {
  rateLimited: 'registrar_rate_limited',
  unreadable: 'registrar_unreadable',
  repeatable: new Set(['registrar_unavailable', 'registrar_unreadable', 'registrar_timeout']),
  failureOf(error) {
    switch (error.failure) {
      case 'timeout':
        return new AppError('registrar_timeout', { cause: error })
      case 'cut':
      case 'too_large':
      case 'redirects':
        return new AppError('registrar_unreadable', { cause: error })
      case 'unreached':
      case 'forbidden':
      case 'lost':
      case 'aborted':
        return new AppError('registrar_unavailable', { cause: error })
    }
  },
}

export function createRegistrars({ baseUrls, sql, clock, log, userAgent, limit }: RegistrarsOptions): Registrars {
  const http = createHttpClient({ userAgent, maxBytes: 32 * 1024 * 1024, connectionsPerOrigin: 16 })
  const doors = createVendorDoors({ http, store: createBudgetStore(sql), clock, log, holder: randomUUID(), errors })
  return {
    connect: (access) => {
      const vendor = vendors[access.provider]
      const { calls, perMs } = registrarCatalog[access.provider].limit
      const key = `registrar:${access.provider}:${fingerprint(access)}`
      const secrets = Object.values(access.credential).filter((value) => typeof value === 'string')
      // Two at once: registrars are slow, and more would only wait there.
      const of = (own: string, most: BudgetLimit, atOnce: number) =>
        doors.doorOf({ name: access.provider, key: own, secrets, limit: limit ?? most, atOnce })
      const door = of(key, { limit: calls, windowMs: perMs }, 2)
      const baseUrl = baseUrls[access.provider] ?? (access.sandbox ? vendor.sandboxUrl : vendor.url)
      return vendor.connect({ door, baseUrl, clock, limited: (what, most) => of(`${key}:${what}`, most, 1) }, access)
    },
    close: async () => {
      await http.close()
      await doors.close()
    },
  }
}

function fingerprint({ provider, sandbox, credential }: RegistrarAccess): string {
  const parts = Object.entries(credential).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([provider, sandbox, parts]))
    .digest('hex')
    .slice(0, 24)
}
