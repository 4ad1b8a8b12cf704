import { randomUUID } from 'node:crypto'
import type { Sql } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { BudgetClosed, BudgetExhausted, createCallBudget } from '#server/platform/call-budget.ts'
import type { CallBudget, CallPermit, CallReport } from '#server/platform/call-budget.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import { createBudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { ClaimLost, currentFence } from '#server/platform/write-fence.ts'
import type { CallOptions, Priority } from '#server/ports/dns-host.ts'
import { HttpError } from './http-client.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { sendFenced, sendTraced } from './send.ts'

/**
 * When a call may be retried. `read`: always. `idempotent`: a write that leads to the same state when repeated. `once`: only if the
 * provider certainly did not process it (never reached, or rate-limited).
 */
export type Repeat = 'read' | 'idempotent' | 'once'

interface ProviderCall {
  readonly method: HttpRequest['method']
  readonly url: string
  /** Path or command for logs and traces, without names, identifiers and keys. */
  readonly template: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly repeat: Repeat
  /**
   * The endpoint has a separate limit: its rate-limit headers do not concern the credential's budget, and a refused call is not retried.
   */
  readonly ownLimit?: boolean
}

/** Limits reported by the provider with a response. */
type RateLimits = Omit<CallReport, 'sentAtMs' | 'blockMs'>

export interface ProviderClient {
  /**
   * Waits for its turn in the credential's budget, sends, and retries if safe. `read` converts a response to the result; it throws an
   * AppError for a refusal, regardless of the HTTP status, and anything else for an unreadable response.
   * @throws AppError as thrown by `read`, with the provider's message without secrets; or one of the profile
   */
  call<T>(call: ProviderCall, options: CallOptions, read: (answer: HttpAnswer, attempt: number) => T): Promise<T>
}

interface ProviderIdentity {
  /** Name for logs and traces. */
  readonly name: string
  /**
   * Fingerprint of the credential or user whose calls share this budget in all processes. Evaluated at every call, because a credential's
   * user may become known later.
   */
  readonly budgetKey: () => string
  /** Values removed from the provider's message. */
  readonly secrets: readonly string[]
  readonly limit: BudgetLimit
  /** Concurrent calls. */
  readonly concurrency: number
}

interface RetryPolicy {
  /** Maximum number of attempts. */
  readonly tries: number
  readonly baseMs: number
  readonly longestMs: number
  /** No further attempt starts after this time. */
  readonly totalMs: number
}

/** Settings common to a group of providers. */
export interface ProviderProfile {
  /** Prefix of the failure codes. */
  readonly family: 'provider' | 'registrar' | 'tracker'
  /** Replaces the default mapping of an error if it returns one. */
  readonly mapFailure?: (error: HttpError) => AppError | null
  /** Whether slow responses are retried; default true. */
  readonly retryTimeouts?: boolean
  readonly retry: Readonly<Record<Priority, RetryPolicy>>
  readonly timeouts: Readonly<Record<Priority, { readonly headersTimeoutMs: number; readonly timeoutMs: number }>>
  /** Longest retry delay accepted from a provider. */
  readonly longestBlockMs: number
  readonly readLimits?: (headers: HttpAnswer['headers'], nowMs: number) => RateLimits
  /** Maximum length of a provider's message in characters; default 2,000. */
  readonly messageLength?: number
  /** URLs are user input, so traces omit the host; default false. */
  readonly isUserAddress?: boolean
}

interface ProviderClients {
  clientOf(identity: ProviderIdentity): ProviderClient
  /** Calls counted in one budget are moved to another. */
  mergeBudgets(fromKey: string, toKey: string): Promise<void>
  close(): Promise<void>
}

const codesOf = ({ family }: ProviderProfile) =>
  ({
    rateLimited: `${family}_rate_limited`,
    unavailable: `${family}_unavailable`,
    timeout: `${family}_timeout`,
    unreadable: `${family}_unreadable`,
  }) as const
type Codes = ReturnType<typeof codesOf>

const patience = { tries: 4, baseMs: 400, longestMs: 10_000, totalMs: Infinity }
const slow = { headersTimeoutMs: 60_000, timeoutMs: 90_000 }
/** Settings for providers with slow responses. */
export const slowProvider = {
  retry: { person: patience, bulk: patience, sync: patience },
  timeouts: { person: { headersTimeoutMs: 20_000, timeoutMs: 30_000 }, bulk: slow, sync: slow },
  longestBlockMs: 3_600_000,
  messageLength: 500,
}

const personWaitsMs = 20_000
/** Refused before the request itself was processed. */
const ofTheCaller: ReadonlySet<ErrorCode> = new Set([
  'provider_auth',
  'provider_forbidden',
  'registrar_auth',
  'registrar_address',
  'registrar_forbidden',
])
/** Far more credentials than in any installation, so that testing credentials cannot fill the memory. */
const mostBudgets = 20_000

interface ProviderClientParts {
  readonly http: HttpClient
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly profile: ProviderProfile
  /** Additional budgets for every call, such as that of this server's IP address. */
  readonly shared?: readonly CallBudget[]
}

/** The rate-limited client of all providers: budget, priorities, timeouts, fencing, retries, redaction and errors. */
export function createProviderClients(parts: ProviderClientParts): ProviderClients {
  const { http, sql, clock, log, profile, shared = [] } = parts
  const store = createBudgetStore(sql)
  /** Unique id of this process. */
  const holder = randomUUID()
  const budgets = new Map<string, CallBudget>()
  let closed = false

  const budgetOf = (key: string, { limit, concurrency }: ProviderIdentity): CallBudget =>
    getRecent(
      budgets,
      key,
      mostBudgets,
      () => createCallBudget({ key, limit, maxConcurrent: concurrency, store, clock, log, holder }),
      (budget) => void budget.close().catch(() => undefined),
    )
  const sendOnce = createSender(parts, (identity) => {
    if (closed) throw new AppError('shutting_down')
    return [budgetOf(identity.budgetKey(), identity), ...shared]
  })

  const clientOf = (identity: ProviderIdentity): ProviderClient => ({
    call: async (call, options, read) => {
      const { tries, baseMs, longestMs, totalMs } = profile.retry[options.priority]
      const startedAtMs = clock.now()
      // For a write that may have been processed without a response: a later attempt that is only throttled does not change that.
      let unclear: unknown = null
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(identity, call, options, (answer) => read(answer, attempt))
        } catch (error) {
          const failed = error instanceof HttpError ? (profile.mapFailure?.(error) ?? mapFailure(error, codesOf(profile))) : error
          const isLast = attempt >= tries || clock.now() - startedAtMs >= totalMs
          if (isLast || !mayRepeat(profile, call, error, failed))
            throw failed instanceof AppError && !isDefinite(error, failed) ? (unclear ?? failed) : failed
          if (call.repeat !== 'read' && mayBeTaken(error, failed)) unclear = failed
        }
        // Full jitter, so that calls that failed together are not retried together.
        await clock.sleep(Math.random() * Math.min(longestMs, baseMs * 2 ** attempt), options.signal)
      }
    },
  })

  return {
    clientOf,
    mergeBudgets: async (fromKey, toKey) => {
      const budget = budgets.get(fromKey)
      if (budget === undefined) return
      await budget.giveBack()
      await store.move(fromKey, toKey)
    },
    close: async () => {
      if (closed) return
      closed = true
      await http.close()
      await Promise.all([...budgets.values(), ...shared].map((budget) => budget.close()))
    },
  }
}

type SendOnce = <T>(identity: ProviderIdentity, call: ProviderCall, options: CallOptions, read: (answer: HttpAnswer) => T) => Promise<T>

/** @param budgetsOf the budgets of a credential's call, its own first */
function createSender(
  { http, clock, log, profile }: ProviderClientParts,
  budgetsOf: (identity: ProviderIdentity) => readonly CallBudget[],
): SendOnce {
  const codes = codesOf(profile)

  async function take(identity: ProviderIdentity, priority: Priority, signal: AbortSignal | undefined): Promise<readonly CallPermit[]> {
    const permits: CallPermit[] = []
    try {
      for (const budget of budgetsOf(identity)) {
        permits.push(await budget.take({ priority, signal, maxWaitMs: priority === 'person' ? personWaitsMs : undefined }))
      }
      return permits
    } catch (error) {
      for (const permit of permits) permit.unused()
      if (error instanceof BudgetExhausted) {
        throw new AppError(codes.rateLimited, { params: { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }, cause: error })
      }
      if (error instanceof BudgetClosed) throw new AppError('shutting_down', { cause: error })
      throw error
    }
  }

  return async (identity, call, { priority, signal: given }, read) => {
    const signal = given ?? currentFence()?.lost
    const permits = await take(identity, priority, signal)
    const [own, ...others] = permits
    const sentAtMs = clock.now()
    let outcome: string | number = 0
    let isAnswered = false
    try {
      const send = call.repeat === 'read' ? sendTraced : sendFenced
      const answer = await send(http, { name: identity.name, isTheirs: profile.isUserAddress ?? false }, call.template, {
        method: call.method,
        url: call.url,
        headers: call.headers ?? {},
        ...(call.body === undefined ? {} : { body: call.body }),
        ...profile.timeouts[priority],
        signal,
      })
      outcome = answer.status
      isAnswered = true
      for (const permit of others) permit.spent()
      let refusal: AppError | null = null
      try {
        return read(answer)
      } catch (error) {
        refusal =
          error instanceof AppError
            ? withoutSecrets(error, identity.secrets, profile.messageLength ?? 2_000)
            : new AppError(codes.unreadable, { cause: error })
        outcome = refusal.code
        if (call.repeat !== 'read' && !refusal.isUnclear) currentFence()?.refused?.()
        throw refusal
      } finally {
        if (call.ownLimit === true) own?.spent()
        else own?.spent(reportOf(profile, answer, sentAtMs, refusal))
      }
    } catch (error) {
      if (isAnswered) throw error
      if (error instanceof HttpError) outcome = error.failure
      for (const permit of permits) {
        if (error instanceof ClaimLost || (error instanceof HttpError && error.failure === 'unreached')) permit.unused()
        else permit.spent()
      }
      if (error instanceof HttpError && error.failure === 'aborted' && signal?.aborted === true) throw signal.reason
      throw error
    } finally {
      log.debug({ provider: identity.name, method: call.method, call: call.template, outcome, ms: clock.now() - sentAtMs }, 'provider call')
    }
  }
}

function reportOf(profile: ProviderProfile, answer: HttpAnswer, sentAtMs: number, refusal: AppError | null): CallReport {
  const limits = profile.readLimits?.(answer.headers, sentAtMs) ?? { left: null, resetMs: 0, policy: null }
  const seconds = refusal?.code === codesOf(profile).rateLimited ? Number(refusal.params['retryAfterSeconds'] ?? 60) : null
  return { ...limits, sentAtMs, blockMs: seconds === null ? null : Math.min(seconds * 1000, profile.longestBlockMs) }
}

function mayRepeat(profile: ProviderProfile, { repeat, ownLimit }: ProviderCall, error: unknown, failed: unknown): boolean {
  const codes = codesOf(profile)
  if (error instanceof HttpError && error.failure === 'aborted') return false
  if (!(failed instanceof AppError)) return false
  // A rate limit of the provider means that nothing was processed. One of our own budget means that the person would wait too long.
  if (failed.code === codes.rateLimited) return ownLimit !== true && !(failed.cause instanceof BudgetExhausted)
  const repeatable: readonly ErrorCode[] = [
    codes.unavailable,
    codes.unreadable,
    ...(profile.retryTimeouts === false ? [] : [codes.timeout]),
  ]
  if (!repeatable.includes(failed.code)) return false
  return repeat !== 'once' || (error instanceof HttpError && error.failure === 'unreached')
}

/** The provider may have processed the request. */
const mayBeTaken = (error: unknown, failed: unknown): boolean =>
  error instanceof HttpError ? !['unreached', 'forbidden'].includes(error.failure) : failed instanceof AppError && failed.isUnclear

/** The provider evaluated and refused the request, which also holds for earlier attempts. */
const isDefinite = (error: unknown, failed: AppError): boolean =>
  error instanceof AppError && !failed.isUnclear && !failed.isRetryable && !ofTheCaller.has(failed.code)

/** The entry of `key`, created if missing. Recently used entries are last; above `most` the first one is removed. */
export function getRecent<T>(entries: Map<string, T>, key: string, most: number, create: () => T, onRemoved?: (entry: T) => void): T {
  const entry = entries.get(key) ?? create()
  entries.delete(key)
  entries.set(key, entry)
  const [oldest] = entries.size > most ? entries : []
  if (oldest !== undefined) {
    entries.delete(oldest[0])
    onRemoved?.(oldest[1])
  }
  return entry
}

/** No response, or an incomplete one. */
function mapFailure(error: HttpError, codes: Codes): AppError {
  switch (error.failure) {
    case 'timeout':
      return new AppError(codes.timeout, { cause: error })
    case 'cut':
    case 'too_large':
    case 'redirects':
      return new AppError(codes.unreadable, { cause: error })
    case 'unreached':
    case 'forbidden':
    case 'lost':
    case 'aborted':
      return new AppError(codes.unavailable, { params: { status: 0 }, cause: error })
  }
}

/** Some providers quote the request in their errors. */
function withoutSecrets(error: AppError, secrets: readonly string[], length: number): AppError {
  if (error.provider === undefined) return error
  let message = error.provider.message.replaceAll('\0', '')
  for (const secret of secrets) if (secret.length >= 4) message = message.replaceAll(secret, '[hidden]')
  // Truncated last, because a truncated secret would not be found.
  const provider = { ...error.provider, message: message.slice(0, length).toWellFormed() }
  return new AppError(error.code, { params: error.params, provider, cause: error.cause, ...(error.issues && { issues: error.issues }) })
}

/**
 * A refusal of the provider, as interpreted by its adapter.
 * @param refusal the provider's `providerCode` and `message`; `retryAfterSeconds` for rate-limit codes
 */
export const refused = ({
  code,
  providerCode,
  message,
  retryAfterSeconds,
}: {
  readonly code: ErrorCode
  readonly providerCode: string | null
  readonly message: string
  readonly retryAfterSeconds?: number
}): AppError =>
  new AppError(code, {
    ...(retryAfterSeconds === undefined ? {} : { params: { retryAfterSeconds } }),
    ...(message === '' && providerCode === null ? {} : { provider: { ...(providerCode === null ? {} : { code: providerCode }), message } }),
  })
