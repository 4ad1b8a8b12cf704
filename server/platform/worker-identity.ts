import { randomInt } from 'node:crypto'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Database } from '#server/db/client.ts'
import { deleteHeartbeat, deleteOldHeartbeats, insertHeartbeat, updateHeartbeat } from '#server/platform/worker-identity.repo.ts'
import { ClaimLost, NotConfirmed } from '#server/platform/write-fence.ts'
import type { WriteFence } from '#server/platform/write-fence.ts'

/**
 * The id of a process in the rows it works on: the number of the advisory lock that it holds as long as it runs, so that others notice when it ends. A
 * heartbeat shows that it also runs: a suspended or hung process loses its id to the one that takes over its work (`endWorker`).
 */
interface WorkerIdentity {
  /** Changes after the connection was lost, because the work of the former id may be taken over. */
  take(): Promise<number>
  /** Passed before every write for this worker's rows. */
  fenceOf(worker: number): WriteFence
  /** All ids the process has had: a lost connection does not mean that it died. */
  readonly lived: readonly number[]
  close(): Promise<void>
}

const heartbeatMs = 5_000
/** Without a response for this long the id is given up, earlier than others take over its work (`hungSeconds`). */
const unansweredMs = 10_000
/** A confirmation older than this is renewed before a write. */
const confirmedForMs = 1_000
/** For this long after a heartbeat a write may still start: others wait longer (`silentSeconds`). */
const writableForMs = 2_500

interface Held {
  readonly worker: number
  readonly locks: AdvisoryLocks
  readonly lost: AbortController
  /** When the last acknowledged heartbeat was sent, by a clock that also runs while the process is suspended. */
  confirmedAtMs: number
  beating: Promise<void> | null
}

/** @param lockOf the key of a worker's lock */
export function createWorkerIdentity(db: Database, lockOf: (worker: number) => string, kind: string): WorkerIdentity {
  let held: Held | null = null
  let timer: NodeJS.Timeout | null = null
  const lived: number[] = []

  function lose(from: Held, cause: unknown): void {
    if (from.lost.signal.aborted) return
    from.lost.abort(new ClaimLost(cause))
    void from.locks.close().catch(() => undefined)
  }

  async function writeHeartbeat(of: Held): Promise<void> {
    const sentAtMs = performance.now()
    const late = setTimeout(() => lose(of, new Error('no heartbeat was acknowledged')), unansweredMs)
    try {
      if (await updateHeartbeat(of.locks.sql, of.worker)) of.confirmedAtMs = sentAtMs
      else lose(of, new Error('another worker claimed the work'))
    } catch (error) {
      lose(of, error)
    } finally {
      clearTimeout(late)
    }
  }
  const sendHeartbeat = (of: Held) => (of.beating ??= writeHeartbeat(of).finally(() => (of.beating = null)))

  return {
    async take() {
      if (held !== null && !held.lost.signal.aborted) return held.worker
      const locks = openAdvisoryLocks(db)
      const worker = randomInt(1, 2 ** 31 - 1)
      const confirmedAtMs = performance.now()
      try {
        if ((await locks.tryLock([lockOf(worker)], 1)).length === 0) throw new Error('the lock of this worker is taken')
        await insertHeartbeat(locks.sql, worker, kind)
        await deleteOldHeartbeats(locks.sql)
      } catch (error) {
        void locks.close().catch(() => undefined)
        throw error
      }
      const taken: Held = { worker, locks, lost: new AbortController(), confirmedAtMs, beating: null }
      locks.lost.addEventListener('abort', () => lose(taken, locks.lost.reason), { once: true })
      if (locks.lost.aborted) lose(taken, locks.lost.reason)
      held = taken
      lived.push(worker)
      timer ??= setInterval(() => {
        if (held !== null && !held.lost.signal.aborted) void sendHeartbeat(held)
      }, heartbeatMs).unref()
      return worker
    },
    fenceOf(worker) {
      const own = held
      if (own === null || own.worker !== worker) {
        const lost = AbortSignal.abort(new ClaimLost())
        const confirm = () => Promise.reject(lost.reason as Error)
        return { lost, confirm, confirmStore: confirm, check: () => lost.throwIfAborted() }
      }
      const confirm = async () => {
        own.lost.signal.throwIfAborted()
        // Checked again after each response: the process may have been suspended in the meantime.
        while (performance.now() - own.confirmedAtMs >= confirmedForMs) {
          await sendHeartbeat(own)
          own.lost.signal.throwIfAborted()
        }
      }
      return {
        lost: own.lost.signal,
        confirm,
        confirmStore: confirm,
        check() {
          own.lost.signal.throwIfAborted()
          if (performance.now() - own.confirmedAtMs >= writableForMs) throw new NotConfirmed()
        },
      }
    },
    lived,
    async close() {
      if (timer !== null) clearInterval(timer)
      if (held === null || held.lost.signal.aborted) return
      const { locks, worker } = held
      await deleteHeartbeat(locks.sql, worker).catch(() => undefined)
      await locks.close()
    },
  }
}
