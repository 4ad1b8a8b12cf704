import { runInThread } from '#server/platform/run-in-thread.ts'
import { createFairSemaphore } from '#server/platform/semaphore.ts'
import { planZoneFile } from '#shared/features/domains/records/plan-zone-file.ts'
import type { ZoneFileInput, ZoneFilePlan } from '#shared/features/domains/records/plan-zone-file.ts'

/** Characters parsed within a few dozen milliseconds, which is less than a thread takes to start. */
const smallText = 64 * 1024
const workerSemaphore = createFairSemaphore({ maxConcurrent: 1, maxConcurrentPerCaller: 1, waiting: 100, maxWaitingPerCaller: 10 })

/**
 * The plan of a zone file. Large ones are parsed in a thread, one at a time with users taking turns, so that other requests do not wait.
 * @throws AppError too_many_attempts if too many are waiting
 */
export const planInWorker = async (caller: string, input: ZoneFileInput): Promise<ZoneFilePlan> =>
  input.text.length <= smallText
    ? planZoneFile(input)
    : workerSemaphore(caller, () => runInThread<ZoneFilePlan>(new URL('plan-worker.ts', import.meta.url), input))
