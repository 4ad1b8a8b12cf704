import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createGate } from '#server/platform/gate.ts'
import { planZoneFile } from '#shared/features/domains/records/plan-zone-file.ts'
import type { ZoneFileInput } from '#shared/features/domains/records/plan-zone-file.ts'

type Planned = ReturnType<typeof planZoneFile>

/** Characters that are read within a few dozen milliseconds: less than a thread needs to start. */
const smallText = 64 * 1024
const oneThread = createGate(1)

/** The plan of a zone file. A large one is read in a thread, one after another, so that other requests do not wait for it. */
export const planAside = async (input: ZoneFileInput): Promise<Planned> =>
  input.text.length <= smallText
    ? planZoneFile(input)
    : oneThread(async () => {
        const worker = new Worker(new URL('plan-thread.ts', import.meta.url), { workerData: input })
        try {
          const [planned] = (await once(worker, 'message')) as [Planned]
          return planned
        } finally {
          await worker.terminate()
        }
      })
