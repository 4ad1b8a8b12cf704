import type { Priority } from '#server/ports/dns-host.ts'

export const priorities = ['person', 'bulk', 'sync'] as const satisfies readonly Priority[]

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
  /** After this time the caller no longer waits. */
  readonly deadlineMs: number
  hasLeft: boolean
}

/** Waiting callers: people first, then bulk work, then syncs, in order of arrival within a priority. */
export class WaitQueue<T> {
  readonly #waiters: Record<Priority, Waiter<T>[]> = { person: [], bulk: [], sync: [] }

  /** Number of waiting callers, by priority. */
  counts(): Record<Priority, number> {
    const { person, bulk, sync } = this.#waiters
    return { person: person.length, bulk: bulk.length, sync: sync.length }
  }

  get size(): number {
    return priorities.reduce((sum, priority) => sum + this.#waiters[priority].length, 0)
  }

  isEmpty(priority: Priority): boolean {
    return this.#waiters[priority].length === 0
  }

  /**
   * @returns `promise`: the granted value; rejects with the reason of `signal`, or as given to `leave` `leave`: removes the caller from the
   * queue
   */
  add(priority: Priority, deadlineMs: number, signal: AbortSignal | undefined): { promise: Promise<T>; leave: (reason: unknown) => void } {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const abort = () => this.#leave(priority, waiter, signal?.reason)
    const forget = () => signal?.removeEventListener('abort', abort)
    const waiter: Waiter<T> = {
      resolve: (value) => {
        forget()
        resolve(value)
      },
      reject: (reason) => {
        forget()
        reject(reason)
      },
      deadlineMs,
      hasLeft: false,
    }
    signal?.addEventListener('abort', abort, { once: true })
    this.#waiters[priority].push(waiter)
    return { promise, leave: (reason) => this.#leave(priority, waiter, reason) }
  }

  /** Removes and returns the next caller to be served. */
  shift(): Pick<Waiter<T>, 'resolve'> | undefined {
    for (const priority of priorities) {
      const next = this.#waiters[priority].shift()
      if (next === undefined) continue
      next.hasLeft = true
      return next
    }
    return undefined
  }

  /** Rejects callers that would be served after their deadline. */
  rejectLate(priority: Priority, servedAtMs: number, reason: () => unknown): void {
    for (const waiter of this.#waiters[priority].slice()) {
      if (waiter.deadlineMs < servedAtMs) this.#leave(priority, waiter, reason())
    }
  }

  rejectAll(reason: unknown): void {
    for (const priority of priorities) for (const waiter of this.#waiters[priority].slice()) this.#leave(priority, waiter, reason)
  }

  #leave(priority: Priority, waiter: Waiter<T>, reason: unknown): void {
    if (waiter.hasLeft) return
    waiter.hasLeft = true
    const queue = this.#waiters[priority]
    queue.splice(queue.indexOf(waiter), 1)
    waiter.reject(reason)
  }
}
