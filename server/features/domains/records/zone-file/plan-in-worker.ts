import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createFairSemaphore } from '#server/platform/semaphore.ts'
import { planZoneFile } from '#shared/features/domains/records/plan-zone-file.ts'
import type { ZoneFileInput, ZoneFilePlan } from '#shared/features/domains/records/plan-zone-file.ts'

/** Characters that are read within a few dozen milliseconds: less than a thread needs to start. */
const smallText = 64 * 1024
const workerSemaphore = createFairSemaphore({ maxConcurrent: 1, maxConcurrentPerCaller: 1, waiting: 100, maxWaitingPerCaller: 10 })

/**
 * The plan of a zone file. A large one is read in a thread, one after another, people in turns, so that other requests do not wait for it.
 * @throws AppError too_many_attempts where too many wait
 */
export const planInWorker = async (caller: string, input: ZoneFileInput): Promise<ZoneFilePlan> =>
  input.text.length <= smallText
    ? planZoneFile(input)
    : workerSemaphore(caller, async () => {
        const worker = new Worker(new URL('plan-worker.ts', import.meta.url), { workerData: input })
        try {
          const [planned] = (await once(worker, 'message')) as [ZoneFilePlan]
          return planned
        } finally {
          await worker.terminate()
        }
      })
