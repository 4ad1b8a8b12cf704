import { AppError } from '#shared/errors/app-error.ts'

/** Runs at most this many calls concurrently; the others wait in order. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

export function createSemaphore(maxConcurrent: number): Semaphore {
  let inside = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (inside >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      // The slot passes directly to the next one, so that no new caller overtakes it.
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}

/** A semaphore for several callers: waiting callers take turns, so that one with hundreds of requests delays no one else. */
export type FairSemaphore = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/** Retry delay for a caller with too many waiting calls. */
const retryAfterSeconds = 5

/** Calls beyond the limits of waiting ones are refused with `too_many_attempts`. */
export function createFairSemaphore(limits: {
  readonly maxConcurrent: number
  readonly maxConcurrentPerCaller: number
  readonly waiting: number
  readonly maxWaitingPerCaller: number
}): FairSemaphore {
  /** In the order of their turns. */
  const queues = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let inside = 0
  let waiting = 0
  const mayStart = (caller: string) => inside < limits.maxConcurrent && (running.get(caller) ?? 0) < limits.maxConcurrentPerCaller
  const enter = (caller: string) => {
    inside += 1
    running.set(caller, (running.get(caller) ?? 0) + 1)
  }

  function leave(caller: string): void {
    inside -= 1
    const left = (running.get(caller) ?? 1) - 1
    if (left === 0) running.delete(caller)
    else running.set(caller, left)
    for (const [next, queue] of queues) {
      if (!mayStart(next)) continue
      const start = queue.shift()
      queues.delete(next)
      if (queue.length > 0) queues.set(next, queue)
      waiting -= 1
      // The slot is taken here, so that no new caller overtakes.
      enter(next)
      start?.()
      return
    }
  }

  function turn(caller: string): Promise<void> {
    const queue = queues.get(caller) ?? []
    if (queue.length >= limits.maxWaitingPerCaller || waiting >= limits.waiting) {
      throw new AppError('too_many_attempts', { params: { retryAfterSeconds } })
    }
    waiting += 1
    queues.set(caller, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  return async (caller, work) => {
    if (mayStart(caller)) enter(caller)
    else await turn(caller)
    try {
      return await work()
    } finally {
      leave(caller)
    }
  }
}
