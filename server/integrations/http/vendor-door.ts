import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { BudgetClosed, BudgetExhausted, createCallBudget } from '#server/platform/call-budget.ts'
import type { CallBudget } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { BudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { ClaimLost, currentFence } from '#server/platform/write-fence.ts'
import type { Priority } from '#server/ports/dns-host.ts'
import { HttpError } from './http-client.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { sendFenced } from './send-fenced.ts'
import { sendTraced } from './send-traced.ts'

/**
 * When a call may be sent again. `read`: always. `harmless`: a write that leaves the same state when it is done twice. `once`: only where the provider
 * certainly did not take it.
 */
export type Repeat = 'read' | 'harmless' | 'once'

export interface VendorCall {
  readonly method: HttpRequest['method']
  readonly url: string
  /** The same for logs, without names and keys. */
  readonly template: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly repeat: Repeat
}

/** Who waits for it. */
export interface CallOptions {
  readonly priority: Priority
  readonly signal?: AbortSignal | undefined
}

/** A provider's refusal, as its adapter understood it. */
export interface VendorRefusal {
  readonly code: ErrorCode
  readonly providerCode: string | null
  readonly message: string
  /** Of the code for too many calls. */
  readonly retryAfterSeconds?: number
}

/** What the errors of a kind of providers are called. */
export interface VendorErrors {
  readonly rateLimited: ErrorCode
  readonly unreadable: ErrorCode
  /** May come right when it is asked again. */
  readonly repeatable: ReadonlySet<ErrorCode>
  /** No answer, or half of one. */
  failureOf(error: HttpError): AppError
}

/** All calls of one credential, whoever makes them. */
export interface VendorDoor {
  /**
   * Waits for its turn within the credential's limit, sends, and repeats where that is safe. `read` turns an answer into what is wanted; it throws
   * `refused(…)` for what the provider refused, whatever its HTTP status, and anything else for what cannot be read.
   * @throws AppError of `errors`, or as refused
   */
  call<T>(call: VendorCall, options: CallOptions, read: (answer: HttpAnswer) => T): Promise<T>
}

export interface Vendor {
  /** For logs. */
  readonly name: string
  /** One a credential: a fingerprint of it, which tells nothing. All calls with one key share a budget, whatever process makes them. */
  readonly key: string
  /** Taken out of the provider's words. */
  readonly secrets: readonly string[]
  readonly limit: BudgetLimit
  /** Calls at once. */
  readonly atOnce: number
}

export interface VendorDoors {
  doorOf(vendor: Vendor): VendorDoor
  close(): Promise<void>
}

class Refused extends Error {
  readonly refusal: VendorRefusal

  constructor(refusal: VendorRefusal) {
    super(refusal.code)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

export const refused = (refusal: VendorRefusal): Error => new Refused(refusal)

const personWaitsMs = 20_000
const longestBlockMs = 3_600_000
/** Many more than anybody has credentials. */
const mostDoors = 5_000
/** Of a provider's words, in characters. */
const mostWords = 500
const timeouts = {
  person: { headersTimeoutMs: 20_000, timeoutMs: 30_000 },
  bulk: { headersTimeoutMs: 60_000, timeoutMs: 90_000 },
  sync: { headersTimeoutMs: 60_000, timeoutMs: 90_000 },
}

export function createVendorDoors(parts: {
  readonly http: HttpClient
  readonly store: BudgetStore
  readonly clock: Clock
  readonly log: Log
  /** This process, unique. */
  readonly holder: string
  readonly errors: VendorErrors
  /** People give the addresses, so that no trace tells a host; default no. */
  readonly areTheirs?: boolean
  /** How often a call is sent at most; default 4. */
  readonly tries?: Readonly<Record<Priority, number>>
}): VendorDoors {
  const { http, clock, log, errors, tries = { person: 4, bulk: 4, sync: 4 } } = parts
  const doors = new Map<string, { readonly door: VendorDoor; readonly budget: CallBudget }>()

  function openDoor({ name, key, limit, atOnce, ...vendor }: Vendor) {
    const budget = createCallBudget({ key, limit, atOnce, store: parts.store, clock, log, holder: parts.holder })
    const secrets = vendor.secrets.filter((secret) => secret.length >= 4)

    async function once<T>(call: VendorCall, { priority, signal: given }: CallOptions, read: (answer: HttpAnswer) => T): Promise<T> {
      const signal = given ?? currentFence()?.lost
      const permit = await budget
        .take({ priority, signal, maxWaitMs: priority === 'person' ? personWaitsMs : undefined })
        .catch((error: unknown) => {
          if (error instanceof BudgetExhausted) {
            throw new AppError(errors.rateLimited, {
              params: { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) },
              cause: error,
            })
          }
          if (error instanceof BudgetClosed) throw new AppError('shutting_down', { cause: error })
          throw error
        })
      const sentAtMs = clock.now()
      let outcome: string | number = 0
      try {
        const send = call.repeat === 'read' ? sendTraced : sendFenced
        const answer = await send(http, { name, isTheirs: parts.areTheirs ?? false }, call.template, {
          method: call.method,
          url: call.url,
          headers: call.headers ?? {},
          ...(call.body === undefined ? {} : { body: call.body }),
          ...timeouts[priority],
          signal,
        })
        outcome = answer.status
        try {
          const result = read(answer)
          permit.spent()
          return result
        } catch (error) {
          const blockMs =
            error instanceof Refused && error.refusal.code === errors.rateLimited
              ? Math.min((error.refusal.retryAfterSeconds ?? 60) * 1000, longestBlockMs)
              : null
          permit.spent({ sentAtMs, left: null, resetMs: 0, policy: null, blockMs })
          if (error instanceof Refused) {
            outcome = error.refusal.code
            throw refusalOf(error.refusal, secrets)
          }
          if (error instanceof AppError) throw error
          throw new AppError(errors.unreadable, { cause: error })
        }
      } catch (error) {
        if (error instanceof ClaimLost) permit.unused()
        if (!(error instanceof HttpError)) throw error
        outcome = error.failure
        if (error.failure === 'unreached') permit.unused()
        else permit.spent()
        if (error.failure === 'aborted' && signal?.aborted === true) throw signal.reason
        throw error
      } finally {
        log.debug({ provider: name, method: call.method, call: call.template, outcome, ms: clock.now() - sentAtMs }, 'provider call')
      }
    }

    const door: VendorDoor = {
      call: async (call, options, read) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await once(call, options, read)
          } catch (error) {
            const failed = error instanceof HttpError ? errors.failureOf(error) : error
            if (attempt >= tries[options.priority] || !mayRepeat(call.repeat, error, failed)) throw failed
          }
          await clock.sleep(Math.random() * Math.min(10_000, 400 * 2 ** attempt), options.signal)
        }
      },
    }
    return { door, budget }
  }

  function mayRepeat(repeat: Repeat, error: unknown, failed: unknown): boolean {
    if (!(failed instanceof AppError)) return false
    // A refusal by our own budget: the person would wait too long. The provider's own means that nothing was taken.
    if (failed.code === errors.rateLimited) return !(failed.cause instanceof BudgetExhausted)
    if (!errors.repeatable.has(failed.code)) return false
    if (error instanceof HttpError && error.failure === 'unreached') return true
    return repeat !== 'once' && !(error instanceof HttpError && error.failure === 'aborted')
  }

  return {
    doorOf: (vendor) => {
      const known = doors.get(vendor.key) ?? openDoor(vendor)
      // Those used last stand last; whoever tries thousands of keys does not fill the memory.
      doors.delete(vendor.key)
      doors.set(vendor.key, known)
      const [oldest] = doors.size > mostDoors ? doors : []
      if (oldest !== undefined) {
        doors.delete(oldest[0])
        void oldest[1].budget.close().catch(() => undefined)
      }
      return known.door
    },
    close: async () => {
      await Promise.all([...doors.values()].map(({ budget }) => budget.close()))
    },
  }
}

function refusalOf({ code, providerCode, message, retryAfterSeconds }: VendorRefusal, secrets: readonly string[]): AppError {
  let words = message.replaceAll('\0', '')
  for (const secret of secrets) words = words.replaceAll(secret, '…')
  // Cut last: half of a key would not have been found.
  words = words.slice(0, mostWords).toWellFormed()
  return new AppError(code, {
    ...(retryAfterSeconds === undefined ? {} : { params: { retryAfterSeconds } }),
    ...(words === '' && providerCode === null
      ? {}
      : { provider: { ...(providerCode === null ? {} : { code: providerCode }), message: words } }),
  })
}
