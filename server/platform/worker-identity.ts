import { randomInt } from 'node:crypto'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Database } from '#server/db/client.ts'

/** What a process is called in the rows of its work: a number whose lock it holds while it lives, so that others see when it died. */
export interface WorkerIdentity {
  /** Another number after the connection was lost: then its work may be taken over. */
  take(): Promise<number>
  /** The last that was taken; 0 before. */
  current(): number
  /** It is still that one. */
  is(worker: number): boolean
  /** All that it was: a connection that was lost is no death. */
  readonly lived: readonly number[]
  close(): Promise<void>
}

/** @param lockOf the key of a worker's lock */
export function createWorkerIdentity(db: Database, lockOf: (worker: number) => string): WorkerIdentity {
  let locks: AdvisoryLocks | null = null
  let worker = 0
  const lived: number[] = []
  const isHeld = () => locks !== null && !locks.lost.aborted
  return {
    async take() {
      if (isHeld()) return worker
      void locks?.close().catch(() => undefined)
      const opened = openAdvisoryLocks(db)
      const number = randomInt(1, 2 ** 31 - 1)
      if ((await opened.tryLock([lockOf(number)], 1)).length === 0) throw new Error('the lock of this worker is taken')
      locks = opened
      worker = number
      lived.push(number)
      return number
    },
    current: () => worker,
    is: (other) => isHeld() && worker === other,
    lived,
    close: async () => locks?.close(),
  }
}
