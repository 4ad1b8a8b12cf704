import { runInThread } from '#server/platform/run-in-thread.ts'
import { createFairSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { planRedirects } from './plan-redirects.policy.ts'
import type { RedirectOrder, RedirectPlan } from './plan-redirects.policy.ts'

/** Redirects and characters that are planned within a few dozen milliseconds, which is less than a thread takes to start. */
const few = 1_000
const smallText = 64 * 1024
/** Many times what the largest list takes. */
const mostMs = 60_000
const workerSemaphore = createFairSemaphore({ maxConcurrent: 1, maxConcurrentPerCaller: 1, waiting: 100, maxWaitingPerCaller: 10 })

/**
 * Large plans are made in a thread, one at a time with users taking turns, so that other requests do not wait.
 * @throws AppError too_many_attempts if too many are waiting, redirects_too_complex
 */
export const planInWorker = async (caller: string, order: RedirectOrder, longestMs = mostMs): Promise<RedirectPlan> =>
  isSmall(order) ? planRedirects(order) : workerSemaphore(caller, () => planInThread(order, longestMs))

async function planInThread(order: RedirectOrder, longestMs: number): Promise<RedirectPlan> {
  const ended = AbortSignal.timeout(longestMs)
  try {
    return await runInThread<RedirectPlan>(new URL('plan-worker.ts', import.meta.url), order, ended)
  } catch (error) {
    throw ended.aborted ? new AppError('redirects_too_complex') : error
  }
}

function isSmall({ csv = '', put, current, others }: RedirectOrder): boolean {
  if (put.length + current.length + others.length > few) return false
  return [...put, ...current, ...others].reduce((sum, { source, target }) => sum + source.length + target.length, csv.length) <= smallText
}
