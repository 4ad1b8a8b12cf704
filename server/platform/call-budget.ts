import { heartbeatMs, leaseLifeMs } from '#server/platform/call-budget.policy.ts'
import type { BudgetLimit, Heard, Lease, LeaseRequest, Spent } from '#server/platform/call-budget.policy.ts'
import type { BudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { priorities, WaitQueue } from '#server/platform/wait-queue.ts'
import type { Priority } from '#server/ports/dns-host.ts'

/** The rate-limit headers of a response. */
export interface CallReport {
  /** When the call was sent, on the process's clock. */
  readonly sentAtMs: number
  readonly left: number | null
  readonly resetMs: number
  readonly policy: BudgetLimit | null
  /** The provider refused a call: no one may call for this long. */
  readonly blockMs: number | null
}

/** Permission to send one call. */
export interface CallPermit {
  /** The call was answered, or abandoned after it was sent. */
  spent(report?: CallReport): void
  /** The call was never sent. */
  unused(): void
}

interface TakeOptions {
  readonly priority: Priority
  readonly signal?: AbortSignal | undefined
  /** Longest wait; beyond it `BudgetExhausted` is thrown. */
  readonly maxWaitMs?: number | undefined
}

export class BudgetExhausted extends Error {
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('no call is left in the budget')
    this.name = 'BudgetExhausted'
    this.retryAfterMs = retryAfterMs
  }
}

export interface CallBudget {
  take(options: TakeOptions): Promise<CallPermit>
  /** Reports spent calls to the store and returns those held beyond the running ones. */
  giveBack(): Promise<void>
  /** Refuses waiting callers and returns held calls. */
  close(): Promise<void>
}

interface CallBudgetOptions {
  readonly key: string
  readonly limit: BudgetLimit
  /** Concurrent calls. */
  readonly maxConcurrent: number
  readonly store: BudgetStore
  readonly clock: Clock
  readonly log: Log
  /** Unique id of this process. */
  readonly holder: string
}

type Part = 'main' | 'reserve'

/** Created once, because an abort without a reason builds an error with a stack each time. */
const noLongerNeeded = new Error('no longer needed')
const extraAtMost = 500
const failuresAtMost = 3
const retryStoreMs = 500
const reportHeardMs = 2_000
/** If this many are granted beyond need, the next ones are fetched before these are used up. */
const worthFetchingAhead = 32

type Slots = Record<Part, number>
const sum = ({ main, reserve }: Slots): number => main + reserve

/** Changes since the last exchange with the store. */
interface Unreported {
  done: Record<Part, Spent[]>
  heard: (Omit<Heard, 'sentAgoMs'> & { readonly sentAtMs: number }) | null
  /** The provider refused a call: no one may call before this time. */
  blockUntilMs: number
  /** Permits given. */
  taken: number
}
const nothingUnreported = (): Unreported => ({ done: { main: [], reserve: [] }, heard: null, blockUntilMs: 0, taken: 0 })

export const createCallBudget = (options: CallBudgetOptions): CallBudget => new LeasedCallBudget(options)

/**
 * This process's share of one budget. Calls are leased from the shared store in batches, so that most calls need no exchange with it;
 * callers wait in memory, people first, without using calls of the provider.
 */
class LeasedCallBudget implements CallBudget {
  readonly #options: CallBudgetOptions
  readonly #idleMs: number
  readonly #queue = new WaitQueue<CallPermit>()
  readonly #available: Slots = { main: 0, reserve: 0 }
  readonly #running: Slots = { main: 0, reserve: 0 }
  /** Nothing is available for this priority before this time, according to the store. */
  readonly #freeAtMs: Record<Priority, number> = { person: 0, bulk: 0, sync: 0 }
  #unreported = nothingUnreported()
  #lastExchangeAtMs: number
  #lastTakenAtMs = 0
  /** When no more than this many are left, the next ones are fetched. */
  #lowWater = 0
  #failures = 0
  #storeRetryAtMs = 0
  #exchange: Promise<void> | null = null
  #timer: { readonly atMs: number; readonly stop: AbortController } | null = null
  #closed = false

  constructor(options: CallBudgetOptions) {
    this.#options = options
    this.#idleMs = leaseLifeMs(options.limit.windowMs)
    this.#lastExchangeAtMs = options.clock.now()
  }

  async take({ priority, signal, maxWaitMs }: TakeOptions): Promise<CallPermit> {
    if (this.#closed) throw new BudgetClosed()
    signal?.throwIfAborted()
    const { clock } = this.#options
    const deadlineMs = maxWaitMs === undefined ? Infinity : clock.now() + maxWaitMs
    const { promise, leave } = this.#queue.add(priority, deadlineMs, signal)
    this.#pump()
    if (this.#freeAtMs[priority] > deadlineMs) leave(new BudgetExhausted(this.#freeAtMs[priority] - clock.now()))
    return promise
  }

  async giveBack(): Promise<void> {
    while (this.#exchange !== null) await this.#exchange
    this.#dropAvailable()
    await this.#startExchange()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#timer?.stop.abort(noLongerNeeded)
    this.#queue.rejectAll(new BudgetClosed())
    await this.#exchange
    this.#dropAvailable()
    this.#lastTakenAtMs = -Infinity
    await this.#exchangeWithStore()
  }

  #dropAvailable(): void {
    this.#available.main = 0
    this.#available.reserve = 0
  }

  get #capacity(): number {
    return this.#options.maxConcurrent - sum(this.#running)
  }

  #askAtMs(priority: Priority): number {
    return Math.min(this.#freeAtMs[priority], this.#lastExchangeAtMs + heartbeatMs)
  }

  /** Grants available calls, and requests more when that is worthwhile. */
  #pump(): void {
    if (this.#closed) return
    const now = this.#options.clock.now()
    while (this.#unreported.blockUntilMs <= now && this.#capacity > 0 && sum(this.#available) > 0) {
      const next = this.#queue.shift()
      if (next === undefined) break
      const part: Part = this.#available.main > 0 ? 'main' : 'reserve'
      this.#available[part] -= 1
      this.#running[part] += 1
      this.#unreported.taken += 1
      this.#lastTakenAtMs = now
      next.resolve(this.#permit(part))
    }
    if (this.#exchange === null && this.#needsExchange()) void this.#startExchange()
    else this.#schedule()
  }

  #permit(part: Part): CallPermit {
    let isOver = false
    const end = (isAnswered: boolean, report?: CallReport) => {
      if (isOver) return
      isOver = true
      this.#running[part] -= 1
      const now = this.#options.clock.now()
      if (isAnswered) {
        const done = this.#unreported.done[part]
        const last = done.at(-1)
        if (last !== undefined && last[0] === now) done[done.length - 1] = [now, last[1] + 1]
        else done.push([now, 1])
      } else this.#available[part] += 1
      if (report !== undefined) this.#hear(report, now)
      this.#pump()
    }
    return { spent: (report) => end(true, report), unused: () => end(false) }
  }

  #hear(report: CallReport, now: number): void {
    const unreported = this.#unreported
    if (report.left !== null && (unreported.heard === null || report.sentAtMs >= unreported.heard.sentAtMs)) {
      const underWay = sum(this.#running)
      const answered = [...unreported.done.main, ...unreported.done.reserve].reduce((total, [, calls]) => total + calls, 0)
      const { left, resetMs, policy, sentAtMs } = report
      unreported.heard = { left, resetMs, policy, sentAtMs, own: underWay + answered }
      // Leased, but another process was faster: calls that do not exist must not be used.
      const spare = Math.max(0, left - underWay)
      this.#available.reserve = Math.min(this.#available.reserve, spare)
      this.#available.main = Math.min(this.#available.main, spare - this.#available.reserve)
    }
    if (report.blockMs !== null) {
      unreported.blockUntilMs = Math.max(unreported.blockUntilMs, now + report.blockMs)
      // Leased calls must not be used now.
      for (const priority of priorities) this.#freeAtMs[priority] = 0
    }
  }

  #needsExchange(): boolean {
    const now = this.#options.clock.now()
    if (this.#storeRetryAtMs > now) return false
    if (this.#unreported.blockUntilMs > now) return true
    const available = sum(this.#available)
    if (available > this.#lowWater) return false
    if (available > 0) return this.#unreported.taken > 0
    return this.#capacity > 0 && priorities.some((priority) => !this.#queue.isEmpty(priority) && this.#askAtMs(priority) <= now)
  }

  async #startExchange(): Promise<void> {
    this.#exchange = this.#exchangeWithStore()
    try {
      await this.#exchange
    } finally {
      this.#exchange = null
    }
    this.#pump()
  }

  async #exchangeWithStore(): Promise<void> {
    const { key, limit, store, clock, log } = this.#options
    const now = clock.now()
    const reported = this.#unreported
    const request = this.#leaseRequest(now)
    this.#unreported = nothingUnreported()
    this.#lastExchangeAtMs = now
    let lease: Lease
    try {
      lease = await store.lease(key, limit, request)
      this.#failures = 0
    } catch (error) {
      // Reported again with the next exchange: counting a call twice is harmless, losing it is not.
      const { done } = this.#unreported
      this.#unreported.done = { main: [...reported.done.main, ...done.main], reserve: [...reported.done.reserve, ...done.reserve] }
      this.#unreported.blockUntilMs = Math.max(this.#unreported.blockUntilMs, reported.blockUntilMs)
      this.#failures += 1
      log.warn({ err: error, budget: key }, 'failed to read the call budget')
      if (this.#failures >= failuresAtMost) this.#queue.rejectAll(error)
      this.#storeRetryAtMs = clock.now() + retryStoreMs * Math.min(this.#failures, 10)
      return
    }
    const after = clock.now()
    this.#available.main += lease.granted.main
    this.#available.reserve += lease.granted.reserve
    this.#lowWater = lease.extraGranted >= worthFetchingAhead ? Math.floor(lease.extraGranted / 2) : 0
    for (const priority of priorities) {
      const waitMs = lease.waitMs[priority]
      this.#freeAtMs[priority] = waitMs === 0 ? 0 : after + waitMs
      // Callers that cannot be served in time are refused immediately.
      this.#queue.rejectLate(priority, after + waitMs, () => new BudgetExhausted(Math.max(1, waitMs)))
    }
  }

  /** After idle time or a refusal by the provider, no leased calls are kept. */
  #leaseRequest(now: number): LeaseRequest {
    const { maxConcurrent, holder } = this.#options
    const { done, heard, blockUntilMs, taken } = this.#unreported
    const isIdle = now - this.#lastTakenAtMs >= this.#idleMs
    const isBlocked = blockUntilMs > now
    if (isIdle || isBlocked) this.#dropAvailable()
    const waiting = this.#queue.counts()
    const needs = { person: 0, bulk: 0, sync: 0 }
    let room = Math.max(0, maxConcurrent - sum(this.#available))
    for (const priority of priorities) {
      needs[priority] = Math.min(waiting[priority], room)
      room -= needs[priority]
    }
    // The pace is measured over at least a quarter of a second. One second's worth needs few exchanges, and little is lost if the process
    // dies.
    const perMs = taken / Math.max(250, now - this.#lastExchangeAtMs)
    const beyond = this.#queue.size - needs.person - needs.bulk - needs.sync
    const wanted = Math.min(extraAtMost, Math.max(beyond, Math.ceil(perMs * 1_000)))
    const agoOf = (slots: readonly Spent[]) => slots.map(([atMs, calls]) => [now - atMs, calls] as const)
    return {
      holder,
      holding: { main: this.#running.main + this.#available.main, reserve: this.#running.reserve + this.#available.reserve },
      done: { main: agoOf(done.main), reserve: agoOf(done.reserve) },
      needs,
      extra: isIdle && this.#queue.size === 0 ? 0 : Math.max(0, wanted - this.#available.main),
      heard:
        heard === null
          ? null
          : { left: heard.left, resetMs: heard.resetMs, policy: heard.policy, own: heard.own, sentAgoMs: now - heard.sentAtMs },
      blockMs: isBlocked ? blockUntilMs - now : null,
    }
  }

  /** When the next exchange with the store is due. */
  #dueAtMs(now: number): number {
    const { done, heard, blockUntilMs } = this.#unreported
    const lastAtMs = this.#lastExchangeAtMs
    const available = sum(this.#available)
    let atMs = blockUntilMs > now || this.#failures > 0 ? this.#storeRetryAtMs : Infinity
    if (this.#capacity > 0 && available === 0) {
      for (const priority of priorities) {
        if (!this.#queue.isEmpty(priority)) atMs = Math.min(atMs, Math.max(this.#askAtMs(priority), this.#storeRetryAtMs))
      }
    }
    if (sum(this.#running) + available > 0) atMs = Math.min(atMs, lastAtMs + heartbeatMs)
    if (available > 0) atMs = Math.min(atMs, Math.max(this.#lastTakenAtMs, lastAtMs) + this.#idleMs)
    // A header is useful only while it is recent.
    if (heard !== null) atMs = Math.min(atMs, lastAtMs + reportHeardMs)
    if (done.main.length + done.reserve.length > 0) {
      atMs = Math.min(atMs, lastAtMs + Math.min(heartbeatMs, this.#options.limit.windowMs / 4))
    }
    return atMs
  }

  /** Sets the single timer. If it fires too early, it sets the next one. */
  #schedule(): void {
    if (this.#exchange !== null) return
    const { clock } = this.#options
    const now = clock.now()
    const atMs = this.#dueAtMs(now)
    if (this.#timer !== null && this.#timer.atMs <= atMs) return
    this.#timer?.stop.abort(noLongerNeeded)
    this.#timer = null
    if (atMs === Infinity) return
    const stop = new AbortController()
    this.#timer = { atMs, stop }
    clock.sleep(Math.max(1, Math.ceil(atMs - now)), stop.signal).then(
      () => {
        this.#timer = null
        if (this.#closed || this.#exchange !== null) return
        if (this.#dueAtMs(clock.now()) <= clock.now()) void this.#startExchange()
        else this.#schedule()
      },
      () => undefined,
    )
  }
}

/** The process is stopping. */
export class BudgetClosed extends Error {
  constructor() {
    super('the call budget is closed')
    this.name = 'BudgetClosed'
  }
}
