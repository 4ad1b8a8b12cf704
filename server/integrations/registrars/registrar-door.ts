import { createHash } from 'node:crypto'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '#server/integrations/http/http-client.ts'
import { BudgetClosed, BudgetExhausted, createCallBudget } from '#server/platform/call-budget.ts'
import type { CallBudget } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { BudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { RegistrarAccess, RegistrarCall } from '#server/ports/registrar.ts'

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

/** A provider's refusal, as its adapter understood it. */
export interface VendorRefusal {
  readonly code: ErrorCode
  readonly providerCode: string | null
  readonly message: string
  /** Of `registrar_rate_limited`. */
  readonly retryAfterSeconds?: number
}

/** All calls of one credential, whoever makes them. */
export interface VendorDoor {
  /**
   * Waits for its turn within the credential's limit, sends, and repeats where that is safe. `read` turns an answer into what is wanted; it throws
   * `refused(…)` for what the provider refused, whatever its HTTP status, and anything else for what cannot be read.
   * @throws AppError registrar_*
   */
  call<T>(call: VendorCall, options: RegistrarCall, read: (answer: HttpAnswer) => T): Promise<T>
}

export interface VendorDoors {
  /** One a credential: the key is a fingerprint of it and tells nothing. */
  doorOf(access: RegistrarAccess, limit: BudgetLimit, atOnce: number): VendorDoor
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
const tries = 4
const longestBlockMs = 3_600_000
const timeouts = {
  person: { headersTimeoutMs: 20_000, timeoutMs: 30_000 },
  bulk: { headersTimeoutMs: 60_000, timeoutMs: 90_000 },
  sync: { headersTimeoutMs: 60_000, timeoutMs: 90_000 },
}
const repeatable = new Set<ErrorCode>(['registrar_unavailable', 'registrar_unreadable', 'registrar_timeout'])

export function createVendorDoors(parts: {
  readonly http: HttpClient
  readonly store: BudgetStore
  readonly clock: Clock
  readonly log: Log
  /** This process, unique. */
  readonly holder: string
}): VendorDoors {
  const { http, clock, log } = parts
  const doors = new Map<string, { readonly door: VendorDoor; readonly budget: CallBudget }>()

  function openDoor(key: string, access: RegistrarAccess, limit: BudgetLimit, atOnce: number) {
    const budget = createCallBudget({ key, limit, atOnce, store: parts.store, clock, log, holder: parts.holder })
    const secrets = Object.values(access.credential).filter((value) => typeof value === 'string' && value.length >= 4)

    async function once<T>(call: VendorCall, { priority, signal }: RegistrarCall, read: (answer: HttpAnswer) => T): Promise<T> {
      const permit = await budget
        .take({ priority, signal, maxWaitMs: priority === 'person' ? personWaitsMs : undefined })
        .catch((error: unknown) => {
          if (error instanceof BudgetExhausted) {
            throw new AppError('registrar_rate_limited', {
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
        const answer = await http.request({
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
            error instanceof Refused && error.refusal.code === 'registrar_rate_limited'
              ? Math.min((error.refusal.retryAfterSeconds ?? 60) * 1000, longestBlockMs)
              : null
          permit.spent({ sentAtMs, left: null, resetMs: 0, policy: null, blockMs })
          if (error instanceof Refused) {
            outcome = error.refusal.code
            throw refusalOf(error.refusal, secrets)
          }
          if (error instanceof AppError) throw error
          throw new AppError('registrar_unreadable', { cause: error })
        }
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        outcome = error.failure
        if (error.failure === 'unreached') permit.unused()
        else permit.spent()
        if (error.failure === 'aborted' && signal?.aborted === true) throw signal.reason
        throw error
      } finally {
        log.debug(
          { provider: access.provider, method: call.method, call: call.template, outcome, ms: clock.now() - sentAtMs },
          'registrar call',
        )
      }
    }

    const door: VendorDoor = {
      call: async (call, options, read) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await once(call, options, read)
          } catch (error) {
            const failed = error instanceof HttpError ? failureOf(error) : error
            if (attempt >= tries || !mayRepeat(call.repeat, error)) throw failed
          }
          await clock.sleep(Math.random() * Math.min(10_000, 400 * 2 ** attempt), options.signal)
        }
      },
    }
    return { door, budget }
  }

  return {
    doorOf: (access, limit, atOnce) => {
      const key = `registrar:${access.provider}:${fingerprint(access)}`
      const known = doors.get(key) ?? openDoor(key, access, limit, atOnce)
      doors.set(key, known)
      return known.door
    },
    close: async () => {
      await Promise.all([...doors.values()].map(({ budget }) => budget.close()))
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

function mayRepeat(repeat: Repeat, error: unknown): boolean {
  if (error instanceof HttpError) return error.failure === 'unreached' || (error.failure !== 'aborted' && repeat !== 'once')
  if (!(error instanceof AppError)) return false
  // A refusal by our own budget: the person would wait too long. The provider's own means that nothing was taken.
  if (error.code === 'registrar_rate_limited') return !(error.cause instanceof BudgetExhausted)
  return repeat !== 'once' && repeatable.has(error.code)
}

/** No answer, or half of one. */
function failureOf(error: HttpError): AppError {
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
}

function refusalOf({ code, providerCode, message, retryAfterSeconds }: VendorRefusal, secrets: readonly (string | undefined)[]): AppError {
  let words = message.slice(0, 2_000)
  for (const secret of secrets) if (secret !== undefined) words = words.replaceAll(secret, '…')
  return new AppError(code, {
    ...(retryAfterSeconds === undefined ? {} : { params: { retryAfterSeconds } }),
    ...(words === '' && providerCode === null
      ? {}
      : { provider: { ...(providerCode === null ? {} : { code: providerCode }), message: words } }),
  })
}
