import { randomUUID } from 'node:crypto'
import type { Sql } from '#server/db/client.ts'
import { createGuardedHttp } from '#server/integrations/http/guarded-http.ts'
import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpAnswer } from '#server/integrations/http/http-client.ts'
import { BudgetClosed, BudgetExhausted, createCallBudget } from '#server/platform/call-budget.ts'
import type { CallBudget } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import { createBudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { Registry, RegistryAnswer, RegistryCall, RegistryFault } from '#server/ports/registry.ts'
import { createServers, NoDirectory } from './find-server.ts'
import { readDomain } from './read-domain.ts'

export interface RdapOptions {
  /** IANA's list of registries (RFC 9224), or one like it. */
  readonly directoryUrl: string
  /** Networks that registries may be in although they are not public. */
  readonly allow: readonly string[]
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly userAgent: string
  /** For each server; none of them tells its own. */
  readonly limit?: BudgetLimit
}

const personWaitsMs = 12_000
const timeouts = {
  person: { headersTimeoutMs: 10_000, timeoutMs: 15_000 },
  sync: { headersTimeoutMs: 20_000, timeoutMs: 30_000 },
}
/** The largest answers are of a few kilobytes. */
const answerBytes = 512 * 1024
const directoryBytes = 4 * 1024 * 1024
const longestPauseSeconds = 3_600

const unreachable = (fault: RegistryFault, retryAfterSeconds: number | null = null): RegistryAnswer => ({
  state: 'unreachable',
  fault,
  retryAfterSeconds,
})

/** In seconds or as a date (RFC 9110); a minute where it is neither. */
function pauseOf({ headers }: HttpAnswer, nowMs: number): number {
  const told = String(headers['retry-after'] ?? '')
  const seconds = /^\d+$/.test(told) ? Number(told) : Math.ceil((Date.parse(told) - nowMs) / 1000)
  return Number.isNaN(seconds) ? 60 : Math.min(Math.max(1, seconds), longestPauseSeconds)
}

function readAnswer(answer: HttpAnswer, name: string, nowMs: number): RegistryAnswer {
  const { status, text } = answer
  if (status === 404) return { state: 'not_found' }
  if (status === 429) return unreachable('limited', pauseOf(answer, nowMs))
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

/** Registries by RDAP (RFC 7480, 9083, 9224): asked one question a second each, by all processes together. */
export function createRdap({ directoryUrl, allow, sql, clock, log, userAgent, limit }: RdapOptions): Registry {
  const http = createHttpClient({ userAgent, maxBytes: directoryBytes, connectionsPerOrigin: 1 })
  const guarded = createGuardedHttp({ userAgent, maxBytes: answerBytes, allow })
  const servers = createServers({ url: directoryUrl, http, clock, log })
  const store = createBudgetStore(sql)
  const holder = randomUUID()
  const budgets = new Map<string, CallBudget>()

  function budgetOf(origin: string): CallBudget {
    const known =
      budgets.get(origin) ??
      createCallBudget({
        key: `rdap:${origin}`,
        limit: limit ?? { limit: 1, windowMs: 1_000 },
        atOnce: 2,
        store,
        clock,
        log,
        holder,
      })
    budgets.set(origin, known)
    return known
  }

  async function ask(server: string, name: string, { priority, signal }: RegistryCall): Promise<RegistryAnswer> {
    const permit = await budgetOf(new URL(server).origin).take({
      priority,
      signal,
      maxWaitMs: priority === 'person' ? personWaitsMs : undefined,
    })
    const sentAtMs = clock.now()
    let pauseMs: number | null = null
    try {
      const answer = readAnswer(
        await guarded.get({
          url: `${server}/domain/${encodeURIComponent(name)}`,
          headers: { accept: 'application/rdap+json, application/json' },
          ...timeouts[priority],
          signal,
        }),
        name,
        sentAtMs,
      )
      if (answer.state === 'unreachable' && answer.retryAfterSeconds !== null) pauseMs = answer.retryAfterSeconds * 1000
      log.debug({ server, outcome: answer.state, ms: clock.now() - sentAtMs }, 'registry call')
      return answer
    } finally {
      permit.spent({ sentAtMs, left: null, resetMs: 0, policy: null, blockMs: pauseMs })
    }
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
        if (error instanceof BudgetExhausted) return unreachable('busy', Math.ceil(error.retryAfterMs / 1000))
        if (error instanceof BudgetClosed) return unreachable('busy')
        if (error instanceof HttpError) return unreachable(faultOf(error))
        throw error
      }
    },
    close: async () => {
      await Promise.all([http.close(), guarded.close()])
      await Promise.all([...budgets.values()].map((budget) => budget.close()))
    },
  }
}
