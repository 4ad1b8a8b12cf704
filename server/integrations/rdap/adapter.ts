import { AppError } from '#shared/errors/app-error.ts'
import type { Sql } from '#server/db/client.ts'
import { createGuardedHttp } from '#server/integrations/http/guarded-http.ts'
import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { createProviderClients, refused } from '#server/integrations/http/provider-client.ts'
import type { ProviderProfile } from '#server/integrations/http/provider-client.ts'
import { BudgetExhausted } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { Registry, RegistryAnswer, RegistryCall, RegistryFault } from '#server/ports/registry.ts'
import { createServers, NoDirectory } from './find-server.ts'
import { readDomain } from './read-domain.ts'

export interface RdapOptions {
  /** IANA's list of registries (RFC 9224), or one like it. */
  readonly directoryUrl: string
  /** Non-public networks in which registries may be. */
  readonly allow: readonly string[]
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly userAgent: string
  /** Per server; none of them reports a limit. */
  readonly limit?: BudgetLimit
}

/** The largest responses have a few kilobytes. */
const answerBytes = 512 * 1024
const directoryBytes = 4 * 1024 * 1024
const longestPauseSeconds = 3_600

const unreachable = (fault: RegistryFault, retryAfterSeconds: number | null = null): RegistryAnswer => ({
  state: 'unreachable',
  fault,
  retryAfterSeconds,
})

/** In seconds or as a date (RFC 9110); otherwise a minute. */
function pauseOf({ headers }: HttpAnswer, nowMs: number): number {
  const retryAfter = String(headers['retry-after'] ?? '')
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - nowMs) / 1000)
  return Number.isNaN(seconds) ? 60 : Math.min(Math.max(1, seconds), longestPauseSeconds)
}

function readAnswer(answer: HttpAnswer, name: string, nowMs: number): RegistryAnswer {
  const { status, text } = answer
  if (status === 404) return { state: 'not_found' }
  if (status === 429) {
    throw refused({ code: 'registrar_rate_limited', providerCode: '429', message: '', retryAfterSeconds: pauseOf(answer, nowMs) })
  }
  if (status >= 500) return unreachable('unavailable')
  if (status !== 200) return unreachable('refused')
  try {
    return readDomain(text, name)
  } catch {
    return unreachable('unreadable')
  }
}

function faultOf(error: HttpError): RegistryFault {
  switch (error.failure) {
    case 'forbidden':
      return 'closed'
    case 'timeout':
      return 'timeout'
    case 'too_large':
    case 'redirects':
      return 'unreadable'
    case 'unreached':
    case 'lost':
    case 'cut':
    case 'aborted':
      return 'unavailable'
  }
}

/** One attempt: an unresponsive registry is retried by the schedule. */
const once = { tries: 1, baseMs: 0, longestMs: 0, totalMs: 0 }
const patient = { headersTimeoutMs: 20_000, timeoutMs: 30_000 }
const profile: ProviderProfile = {
  family: 'registrar',
  retry: { person: once, bulk: once, sync: once },
  timeouts: { person: { headersTimeoutMs: 10_000, timeoutMs: 15_000 }, bulk: patient, sync: patient },
  longestBlockMs: longestPauseSeconds * 1_000,
}

/** Why a registry gave no result, from the client's error. */
function answerOf({ code, params, cause }: AppError): RegistryAnswer {
  const seconds = Number(params['retryAfterSeconds'] ?? 0)
  if (code === 'shutting_down') return unreachable('busy')
  if (cause instanceof BudgetExhausted) return unreachable('busy', seconds)
  if (cause instanceof HttpError) return unreachable(faultOf(cause))
  return code === 'registrar_rate_limited' ? unreachable('limited', seconds) : unreachable('unreadable')
}

/** Registries by RDAP (RFC 7480, 9083, 9224): one query a second each, for all processes together. */
export function createRdap({ directoryUrl, allow, sql, clock, log, userAgent, limit }: RdapOptions): Registry {
  const http = createHttpClient({ userAgent, maxBytes: directoryBytes, connectionsPerOrigin: 1 })
  const guarded = createGuardedHttp({ userAgent, maxBytes: answerBytes, allow })
  const servers = createServers({ url: directoryUrl, http, clock, log })
  const clients = createProviderClients({ http: { request: guarded.get, close: guarded.close }, sql, clock, log, profile })

  const ask = (server: string, name: string, call: RegistryCall): Promise<RegistryAnswer> => {
    const { origin, host } = new URL(server)
    const client = clients.clientOf({
      name: host,
      budgetKey: () => `rdap:${origin}`,
      secrets: [],
      limit: limit ?? { limit: 1, windowMs: 1_000 },
      concurrency: 2,
    })
    return client.call(
      {
        method: 'GET',
        url: `${server}/domain/${encodeURIComponent(name)}`,
        template: '/domain/{name}',
        headers: { accept: 'application/rdap+json, application/json' },
        repeat: 'read',
      },
      call,
      (answer) => readAnswer(answer, name, clock.now()),
    )
  }

  return {
    async lookUp(name, call) {
      call.signal?.throwIfAborted()
      try {
        const server = await servers.find(name)
        if (server === null) return { state: 'not_offered' }
        return URL.canParse(server) ? await ask(server, name, call) : unreachable('closed')
      } catch (error) {
        call.signal?.throwIfAborted()
        if (error instanceof NoDirectory) return unreachable('directory')
        if (error instanceof AppError) return answerOf(error)
        throw error
      }
    },
    close: async () => void (await Promise.all([http.close(), clients.close()])),
  }
}
