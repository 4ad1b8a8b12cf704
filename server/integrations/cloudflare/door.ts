import { AppError } from '#shared/errors/app-error.ts'
import { BudgetClosed, BudgetExhausted } from '#server/platform/call-budget.ts'
import type { CallBudget, CallPermit } from '#server/platform/call-budget.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { ClaimLost, currentFence } from '#server/platform/write-fence.ts'
import { HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '#server/integrations/http/http-client.ts'
import { sendFenced } from '#server/integrations/http/send-fenced.ts'
import { sendTraced } from '#server/integrations/http/send-traced.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { readRateHeaders } from './rate-headers.ts'
import type { RateHeaders } from './rate-headers.ts'

export interface DoorCall {
  readonly method: HttpRequest['method']
  /** Path and query. */
  readonly path: string
  /** The same for logs, without identifiers. */
  readonly template: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The endpoint has a limit of its own, so what it says of limits is not about the user's budget. */
  readonly ownLimit: boolean
}

export interface DoorAnswer {
  readonly answer: HttpAnswer
  readonly rate: RateHeaders
}

/** All calls of one Cloudflare user, whichever credential they carry. */
export interface Door {
  /**
   * Waits for its turn, and sends once.
   * @throws HttpError when no whole answer came; AppError when the budget cannot serve a person in time or the server stops; the reason of
   * the caller's signal.
   */
  send(call: DoorCall, options: CallOptions): Promise<DoorAnswer>
}

export interface DoorOptions {
  readonly baseUrl: string
  readonly key: string
  readonly budget: CallBudget
  /** The limit of this server's address, over all users. */
  readonly addressBudget: CallBudget
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: Log
}

const longestBlockMs = 600_000
const blockWithoutWordMs = 60_000
const personWaitsMs = 20_000
const timeouts = {
  person: { headersTimeoutMs: 15_000, timeoutMs: 30_000 },
  bulk: { headersTimeoutMs: 30_000, timeoutMs: 60_000 },
  sync: { headersTimeoutMs: 30_000, timeoutMs: 60_000 },
}

export function createDoor({ baseUrl, key, budget, addressBudget, http, clock, log }: DoorOptions): Door {
  return {
    send: async (call, { priority, signal: given }) => {
      const signal = given ?? currentFence()?.lost
      const wait = { priority, signal, maxWaitMs: priority === 'person' ? personWaitsMs : undefined }
      const permit = await leave(budget, wait)
      const addressPermit = await leave(addressBudget, wait).catch((error: unknown) => {
        permit.unused()
        throw error
      })
      const sentAtMs = clock.now()
      let status: number | string = 0
      try {
        const send = call.method === 'GET' ? sendTraced : sendFenced
        const answer = await send(http, { name: 'CLOUDFLARE', isTheirs: false }, call.template, {
          method: call.method,
          url: baseUrl + call.path,
          headers: call.headers,
          ...(call.body === undefined ? {} : { body: call.body }),
          ...timeouts[priority],
          signal,
        })
        status = answer.status
        const rate = readRateHeaders(answer.headers, clock.now())
        addressPermit.spent()
        if (call.ownLimit) permit.spent()
        else {
          const blockMs = answer.status === 429 ? Math.min(rate.retryAfterMs ?? (rate.resetMs || blockWithoutWordMs), longestBlockMs) : null
          permit.spent({ sentAtMs, left: rate.left, resetMs: rate.resetMs, policy: rate.policy, blockMs })
        }
        return { answer, rate }
      } catch (error) {
        const failure = error instanceof HttpError ? error.failure : 'lost'
        status = failure
        const unsent = failure === 'unreached' || error instanceof ClaimLost
        for (const taken of [permit, addressPermit]) {
          if (unsent) taken.unused()
          else taken.spent()
        }
        if (failure === 'aborted' && signal?.aborted === true) throw signal.reason
        throw error
      } finally {
        log.debug({ method: call.method, path: call.template, status, ms: clock.now() - sentAtMs, door: key }, 'cloudflare call')
      }
    },
  }
}

async function leave(budget: CallBudget, options: Parameters<CallBudget['take']>[0]): Promise<CallPermit> {
  try {
    return await budget.take(options)
  } catch (error) {
    if (error instanceof BudgetExhausted) {
      throw new AppError('provider_rate_limited', { params: { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }, cause: error })
    }
    if (error instanceof BudgetClosed) throw new AppError('shutting_down', { cause: error })
    throw error
  }
}
