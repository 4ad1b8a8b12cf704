import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { runInThread } from '#server/platform/run-in-thread.ts'
import { createFairSemaphore } from '#server/platform/semaphore.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { checkChanges, noOthers, readChanges } from './plan-redirects.policy.ts'
import type { FindOthers, RedirectOrder, RedirectPlan } from './plan-redirects.policy.ts'

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
export const planInWorker = async (
  caller: string,
  order: RedirectOrder,
  findOthers: FindOthers,
  longestMs = mostMs,
): Promise<RedirectPlan> => {
  const inThread = (find: FindOthers) => workerSemaphore(caller, () => planInThread(order, find, longestMs))
  if (!isSmall(order)) return inThread(findOthers)
  const changes = readChanges(order)
  const others = changes.targetHosts.length === 0 ? noOthers : await findOthers(changes.targetHosts)
  return others.redirects.length + others.rules.length > few ? inThread(async () => others) : checkChanges(changes, others)
}

async function planInThread(order: RedirectOrder, findOthers: FindOthers, longestMs: number): Promise<RedirectPlan> {
  const late = AbortSignal.timeout(longestMs)
  const failed = new AbortController()
  const signal = AbortSignal.any([late, failed.signal])
  // The thread has no database: it asks for the redirects of others once it has read the file.
  const { port1: asked, port2: others } = new MessageChannel()
  async function answer(): Promise<void> {
    const [targetHosts] = (await once(asked, 'message', { signal })) as [Parameters<FindOthers>[0]]
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    asked.postMessage(await findOthers(targetHosts))
  }
  answer().catch((error: unknown) => {
    failed.abort(error)
  })
  try {
    return await runInThread<RedirectPlan>(new URL('plan-worker.ts', import.meta.url), { order, others }, signal, [others])
  } catch (error) {
    if (late.aborted) throw new AppError('redirects_too_complex')
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    asked.close()
  }
}

function isSmall({ csv = '', put, current }: RedirectOrder): boolean {
  if (put.length + current.length > few) return false
  return [...put, ...current].reduce((sum, { source, target }) => sum + source.length + target.length, csv.length) <= smallText
}
