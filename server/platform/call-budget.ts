import { heartbeatMs, leaseLifeMs } from '#server/platform/call-budget.policy.ts'
import type { BudgetLimit, Heard, Lease, Spent } from '#server/platform/call-budget.policy.ts'
import type { BudgetStore } from '#server/platform/call-budget.repo.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { Priority } from '#server/ports/dns-host.ts'

/** What the provider said beside an answer. */
export interface CallReport {
  /** When the call was sent, on the process's clock. */
  readonly sentAtMs: number
  readonly left: number | null
  readonly resetMs: number
  readonly policy: BudgetLimit | null
  /** The provider refused: nobody may call for so long. */
  readonly blockMs: number | null
}

/** Leave to send one call. */
export interface CallPermit {
  /** The call was answered, or is given up after it was sent. */
  spent(report?: CallReport): void
  /** The call was never sent. */
  unused(): void
}

export interface TakeOptions {
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
  /** Tells the store what was spent, and gives back what is held beyond the calls under way. */
  giveBack(): Promise<void>
  /** Refuses who waits and gives back what is held. */
  close(): Promise<void>
}

export interface CallBudgetOptions {
  readonly key: string
  readonly limit: BudgetLimit
  /** Calls at once. */
  readonly atOnce: number
  readonly store: BudgetStore
  readonly clock: Clock
  readonly log: Log
  /** This process, unique. */
  readonly holder: string
}

interface Waiter {
  readonly resolve: (permit: CallPermit) => void
  readonly reject: (reason: unknown) => void
  readonly deadlineMs: number
  left: boolean
}

type Part = 'main' | 'reserve'

/** Made once: an abort without a reason makes an error with a stack each time. */
const noLongerNeeded = new Error('no longer needed')
const priorities = ['person', 'bulk', 'sync'] as const
const extraAtMost = 500
const failuresAtMost = 3
const retryStoreMs = 500
const tellHeardMs = 2_000
/** Where so many are given beyond need, the next are fetched before these are spent. */
const worthFetchingAhead = 32

/**
 * This process's share of one budget. Slots are leased from the shared store in bundles, so that most calls need no trip; waiting is in
 * memory, persons first, and costs the provider nothing.
 */
export function createCallBudget({ key, limit, atOnce, store, clock, log, holder }: CallBudgetOptions): CallBudget {
  const queues: Record<Priority, Waiter[]> = { person: [], bulk: [], sync: [] }
  const waiting: Record<Priority, number> = { person: 0, bulk: 0, sync: 0 }
  const available = { main: 0, reserve: 0 }
  const running = { main: 0, reserve: 0 }
  let done: Record<Part, Spent[]> = { main: [], reserve: [] }
  let heard: (Omit<Heard, 'sentAgoMs'> & { readonly sentAtMs: number }) | null = null
  let blockUntilMs = 0
  /** Before then there is nothing for this priority, as far as the store could tell. */
  const freeAtMs: Record<Priority, number> = { person: 0, bulk: 0, sync: 0 }
  let takenSinceTrip = 0
  let lastTripAtMs = clock.now()
  let lastTakenAtMs = 0
  let lowWater = 0
  let failures = 0
  let storeRetryAtMs = 0
  let trip: Promise<void> | null = null
  let timer: { readonly atMs: number; readonly stop: AbortController } | null = null
  let closed = false
  const idleMs = leaseLifeMs(limit.windowMs)

  const askAtMs = (priority: Priority) => Math.min(freeAtMs[priority], lastTripAtMs + heartbeatMs)
  const total = () => waiting.person + waiting.bulk + waiting.sync
  const capacity = () => atOnce - running.main - running.reserve

  /** Hands out what is there, and asks for more when that is worth it. */
  function pump(): void {
    if (closed) return
    while (blockUntilMs <= clock.now() && capacity() > 0 && available.main + available.reserve > 0) {
      const next = shift()
      if (next === undefined) break
      const part: Part = available.main > 0 ? 'main' : 'reserve'
      available[part] -= 1
      running[part] += 1
      takenSinceTrip += 1
      lastTakenAtMs = clock.now()
      next.resolve(permit(part))
    }
    if (trip === null && worthATrip()) void travel()
    else schedule()
  }

  function shift(): Waiter | undefined {
    for (const priority of priorities) {
      const queue = queues[priority]
      const next = queue.shift()
      if (next === undefined) continue
      next.left = true
      waiting[priority] -= 1
      return next
    }
    return undefined
  }

  function permit(part: Part): CallPermit {
    let over = false
    const end = (answered: boolean, report?: CallReport) => {
      if (over) return
      over = true
      running[part] -= 1
      const now = clock.now()
      if (answered) {
        const last = done[part].at(-1)
        if (last !== undefined && last[0] === now) done[part][done[part].length - 1] = [now, last[1] + 1]
        else done[part].push([now, 1])
      } else available[part] += 1
      if (report !== undefined) hear(report, now)
      pump()
    }
    return { spent: (report) => end(true, report), unused: () => end(false) }
  }

  function hear(report: CallReport, now: number): void {
    if (report.left !== null && (heard === null || report.sentAtMs >= heard.sentAtMs)) {
      const underWay = running.main + running.reserve
      const answered = [...done.main, ...done.reserve].reduce((sum, [, calls]) => sum + calls, 0)
      heard = { left: report.left, resetMs: report.resetMs, policy: report.policy, sentAtMs: report.sentAtMs, own: underWay + answered }
      // Leased, but somebody else was faster: what is not there must not be spent.
      const spare = Math.max(0, report.left - underWay)
      available.reserve = Math.min(available.reserve, spare)
      available.main = Math.min(available.main, spare - available.reserve)
    }
    if (report.blockMs !== null) {
      blockUntilMs = Math.max(blockUntilMs, now + report.blockMs)
      // What was leased must not be spent now.
      for (const priority of priorities) freeAtMs[priority] = 0
    }
  }

  function worthATrip(): boolean {
    const now = clock.now()
    if (storeRetryAtMs > now) return false
    if (blockUntilMs > now) return true
    if (available.main + available.reserve > lowWater) return false
    if (available.main + available.reserve > 0) return takenSinceTrip > 0
    return capacity() > 0 && priorities.some((priority) => waiting[priority] > 0 && askAtMs(priority) <= now)
  }

  async function travel(): Promise<void> {
    const current = exchange()
    trip = current
    try {
      await current
    } finally {
      trip = null
    }
    pump()
  }

  async function exchange(): Promise<void> {
    const now = clock.now()
    const told = done
    const toldHeard = heard
    const toldBlockUntilMs = blockUntilMs
    const taken = takenSinceTrip
    const idle = now - lastTakenAtMs >= idleMs
    const blocked = blockUntilMs > now
    if (idle || blocked) {
      available.main = 0
      available.reserve = 0
    }
    const asked = { ...waiting }
    let room = Math.max(0, atOnce - available.main - available.reserve)
    const needs = { person: 0, bulk: 0, sync: 0 }
    for (const priority of priorities) {
      needs[priority] = Math.min(asked[priority], room)
      room -= needs[priority]
    }
    // Of the pace of a quarter of a second, a second's worth: enough to need few trips, little to lose with a process that dies.
    const perMs = taken / Math.max(250, now - lastTripAtMs)
    const beyond = total() - needs.person - needs.bulk - needs.sync
    const wanted = Math.min(extraAtMost, Math.max(beyond, Math.ceil(perMs * 1_000)))
    done = { main: [], reserve: [] }
    heard = null
    blockUntilMs = 0
    takenSinceTrip = 0
    lastTripAtMs = now
    const agoOf = (slots: readonly Spent[]) => slots.map(([atMs, calls]) => [now - atMs, calls] as const)
    let lease: Lease
    try {
      lease = await store.lease(key, limit, {
        holder,
        holding: { main: running.main + available.main, reserve: running.reserve + available.reserve },
        done: { main: agoOf(told.main), reserve: agoOf(told.reserve) },
        needs,
        extra: idle && total() === 0 ? 0 : Math.max(0, wanted - available.main),
        heard:
          toldHeard === null
            ? null
            : {
                left: toldHeard.left,
                resetMs: toldHeard.resetMs,
                policy: toldHeard.policy,
                own: toldHeard.own,
                sentAgoMs: now - toldHeard.sentAtMs,
              },
        blockMs: blocked ? toldBlockUntilMs - now : null,
      })
      failures = 0
    } catch (error) {
      // Told again at the next trip: counting a call twice is harmless, forgetting it is not.
      done = { main: [...told.main, ...done.main], reserve: [...told.reserve, ...done.reserve] }
      blockUntilMs = Math.max(blockUntilMs, toldBlockUntilMs)
      failures += 1
      log.warn({ err: error, budget: key }, 'the call budget could not be read')
      if (failures >= failuresAtMost) rejectAll(error)
      storeRetryAtMs = clock.now() + retryStoreMs * Math.min(failures, 10)
      return
    }
    const after = clock.now()
    available.main += lease.granted.main
    available.reserve += lease.granted.reserve
    lowWater = lease.extraGranted >= worthFetchingAhead ? Math.floor(lease.extraGranted / 2) : 0
    for (const priority of priorities) freeAtMs[priority] = lease.waitMs[priority] === 0 ? 0 : after + lease.waitMs[priority]
    refuseLate(after)
  }

  /** Who cannot be served in time hears so at once. */
  function refuseLate(now: number): void {
    for (const priority of priorities) {
      const waitMs = freeAtMs[priority] - now
      for (const waiter of queues[priority].slice()) {
        if (waiter.deadlineMs >= now + Math.max(0, waitMs)) continue
        leave(priority, waiter, new BudgetExhausted(Math.max(1, waitMs)))
      }
    }
  }

  function leave(priority: Priority, waiter: Waiter, reason: unknown): void {
    if (waiter.left) return
    waiter.left = true
    waiting[priority] -= 1
    const queue = queues[priority]
    queue.splice(queue.indexOf(waiter), 1)
    waiter.reject(reason)
  }

  function rejectAll(reason: unknown): void {
    for (const priority of priorities) for (const waiter of queues[priority].slice()) leave(priority, waiter, reason)
  }

  /** The next time that something is to be asked or told. */
  function dueAtMs(now: number): number {
    let atMs = blockUntilMs > now || failures > 0 ? storeRetryAtMs : Infinity
    if (capacity() > 0 && available.main + available.reserve === 0) {
      for (const priority of priorities) if (waiting[priority] > 0) atMs = Math.min(atMs, Math.max(askAtMs(priority), storeRetryAtMs))
    }
    const holds = running.main + running.reserve + available.main + available.reserve > 0
    if (holds) atMs = Math.min(atMs, lastTripAtMs + heartbeatMs)
    if (available.main + available.reserve > 0) atMs = Math.min(atMs, Math.max(lastTakenAtMs, lastTripAtMs) + idleMs)
    // A header is worth something only while it is fresh.
    if (heard !== null) atMs = Math.min(atMs, lastTripAtMs + tellHeardMs)
    if (done.main.length + done.reserve.length > 0) atMs = Math.min(atMs, lastTripAtMs + Math.min(heartbeatMs, limit.windowMs / 4))
    return atMs
  }

  /** Sets the one timer. One that rings too early is left to ring: it then sets the next. */
  function schedule(): void {
    if (trip !== null) return
    const now = clock.now()
    const atMs = dueAtMs(now)
    if (timer !== null && timer.atMs <= atMs) return
    timer?.stop.abort(noLongerNeeded)
    timer = null
    if (atMs === Infinity) return
    const stop = new AbortController()
    timer = { atMs, stop }
    clock.sleep(Math.max(1, Math.ceil(atMs - now)), stop.signal).then(
      () => {
        timer = null
        if (closed || trip !== null) return
        if (dueAtMs(clock.now()) <= clock.now()) void travel()
        else schedule()
      },
      () => undefined,
    )
  }

  return {
    take: ({ priority, signal, maxWaitMs }) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new BudgetClosed())
          return
        }
        if (signal?.aborted === true) {
          reject(signal.reason)
          return
        }
        const deadlineMs = maxWaitMs === undefined ? Infinity : clock.now() + maxWaitMs
        const abort = () => leave(priority, waiter, signal?.reason)
        const forget = () => signal?.removeEventListener('abort', abort)
        const waiter: Waiter = {
          resolve: (permit) => {
            forget()
            resolve(permit)
          },
          reject: (reason) => {
            forget()
            reject(reason)
          },
          deadlineMs,
          left: false,
        }
        signal?.addEventListener('abort', abort, { once: true })
        queues[priority].push(waiter)
        waiting[priority] += 1
        pump()
        if (freeAtMs[priority] > deadlineMs) leave(priority, waiter, new BudgetExhausted(freeAtMs[priority] - clock.now()))
      }),
    giveBack: async () => {
      while (trip !== null) await trip
      available.main = 0
      available.reserve = 0
      await travel()
    },
    close: async () => {
      if (closed) return
      closed = true
      timer?.stop.abort(noLongerNeeded)
      rejectAll(new BudgetClosed())
      await trip
      available.main = 0
      available.reserve = 0
      lastTakenAtMs = -Infinity
      await exchange()
    },
  }
}

/** The process is stopping. */
export class BudgetClosed extends Error {
  constructor() {
    super('the call budget is closed')
    this.name = 'BudgetClosed'
  }
}
