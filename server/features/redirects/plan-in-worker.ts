import { runInThread } from '#server/platform/run-in-thread.ts'
import { createFairSemaphore } from '#server/platform/semaphore.ts'
import { planRedirects } from './plan-redirects.policy.ts'
import type { RedirectOrder, RedirectPlan } from './plan-redirects.policy.ts'

/** Redirects that are planned within a few dozen milliseconds, which is less than a thread takes to start. */
const few = 1_000
const smallText = 64 * 1024
const workerSemaphore = createFairSemaphore({ maxConcurrent: 1, maxConcurrentPerCaller: 1, waiting: 100, maxWaitingPerCaller: 10 })

/**
 * Large plans are made in a thread, one at a time with users taking turns, so that other requests do not wait.
 * @throws AppError too_many_attempts if too many are waiting
 */
export const planInWorker = async (caller: string, order: RedirectOrder): Promise<RedirectPlan> =>
  order.current.length <= few && (order.csv ?? '').length <= smallText
    ? planRedirects(order)
    : workerSemaphore(caller, () => runInThread<RedirectPlan>(new URL('plan-worker.ts', import.meta.url), order))
