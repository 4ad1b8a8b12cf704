import type { Database } from '#server/db/client.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { runLoop } from './run-loop.ts'
import type { Loop, LoopCounts } from './run-loop.ts'
import { createWorkerIdentity } from './worker-identity.ts'
import type { WriteFence } from './write-fence.ts'

/** The right to work on claimed rows until the process stops or loses its database connection. */
export interface Lease {
  /** The worker id in the claimed rows. */
  readonly worker: number
  /** Passed before every write to a provider. */
  readonly fence: WriteFence
  /** Aborts when the process stops or the lease is lost. */
  readonly signal: AbortSignal
}

/** Work on one key running in this process. */
export interface Run<Due> {
  readonly worker: number
  /** Null for a run not started by the scheduler. */
  readonly due: Due | null
  readonly ended: Promise<void>
}

export type Runs<Due> = ReadonlyMap<string, Run<Due>>

interface LeasedQueueOptions<Due extends { readonly key: string }> {
  /** Name of the loop in metrics and logs, and of its workers in the database. */
  readonly name: string
  /** Key of the advisory lock that a worker holds while it is connected. */
  readonly workerLock: (worker: number) => string
  /** PostgreSQL channel that announces new work. */
  readonly channel: string
  readonly pollMs: number
  /** Pause after a failed round. */
  readonly retryMs: number
  readonly onNotify?: (payload: string) => void
  /** Called before each round. */
  readonly prepare?: (lease: Lease, runs: Runs<Due>) => Promise<void>
  /** Workers of this process that are not of the current lease but still hold rows. */
  readonly otherWorkers?: () => readonly number[]
  /**
   * Returns rows of dead or hung workers to the queue.
   * @param own workers of this process, to be skipped
   * @param former all worker ids this process has had: a lost connection does not mean that the process died
   */
  releaseDead(own: readonly number[], former: readonly number[]): Promise<void>
  /**
   * Returns rows that this process may hold without knowing it, because the response to a claim was lost.
   * @returns false if that has to wait
   */
  readonly releaseUnsure?: (worker: number, key: string, runs: Runs<Due>) => Promise<boolean>
  /** Keys with due work, most urgent first. */
  listDue(runs: Runs<Due>): Promise<readonly Due[]>
  /** Whether a key may be started in addition to the running ones. */
  mayStart(due: Due, runs: Runs<Due>): boolean
  /** Works on one key until none of its rows is due. Errors are logged, and the key is scheduled again. */
  work(due: Due, lease: Lease): Promise<void>
  /** After a run has ended. */
  readonly onEnd?: (due: Due, error: unknown, runs: Runs<Due>) => void
  /** Milliseconds until the next round. */
  nextRoundMs(): number | Promise<number>
}

export interface LeasedQueue {
  /** The lease of this process; replaced after it was lost. */
  lease(): Promise<Lease>
  /** The response to a claim was lost: the worker may hold rows of the key. */
  markUnsure(key: string, worker: number): void
  /** Counts work that the scheduler did not start. */
  add(key: string, worker: number, work: Promise<void>): Promise<void>
  /** Resolves when all current runs have ended. */
  idle(): Promise<unknown>
  start(): Promise<void>
  readonly stopping: AbortSignal
  /** Lets current runs end and starts nothing new. */
  stop(): Promise<void>
  /** Releases the lease once all results are written. */
  close(): Promise<void>
}

/**
 * Work that several processes share through rows in PostgreSQL. A row is claimed by a worker before processing, one run per key and
 * process. A worker holds an advisory lock and sends heartbeats: when it dies or hangs, another one returns its rows to the queue, and the
 * fence stops everything it would still send.
 */
export function createLeasedQueue<Due extends { readonly key: string }>(
  { db, clock, log, loops }: { readonly db: Database; readonly clock: Pick<Clock, 'sleep'>; readonly log: Log; readonly loops: LoopCounts },
  options: LeasedQueueOptions<Due>,
): LeasedQueue {
  const stopping = new AbortController()
  const identity = createWorkerIdentity(db, options.workerLock, options.name)
  const runs = new Map<string, Run<Due>>()
  const unsure = new Map<string, number>()
  let current: Lease | null = null
  let loop: Loop | null = null
  let listening: { unlisten(): Promise<void> } | null = null
  const wake = () => loop?.wake()

  async function lease(): Promise<Lease> {
    const worker = await identity.take()
    if (current?.worker === worker) return current
    const fence = identity.fenceOf(worker)
    current = { worker, fence, signal: AbortSignal.any([stopping.signal, fence.lost]) }
    return current
  }

  function start(due: Due, held: Lease): void {
    let failure: unknown = null
    const ended = options
      .work(due, held)
      .catch((error: unknown) => {
        failure = error
        if (!stopping.signal.aborted)
          log.warn({ err: error, queue: options.name, key: due.key }, 'work was interrupted and will be resumed')
      })
      .finally(() => {
        runs.delete(due.key)
        options.onEnd?.(due, failure, runs)
        wake()
      })
    runs.set(due.key, { worker: held.worker, due, ended })
  }

  async function round(): Promise<number> {
    const held = await lease()
    await options.prepare?.(held, runs)
    for (const [key, worker] of unsure) {
      if (!runs.has(key) && (await options.releaseUnsure?.(worker, key, runs)) !== false) unsure.delete(key)
    }
    // Work started under an earlier lease of this process is still running or being written.
    const own = [held.worker, ...[...runs.values()].map(({ worker }) => worker), ...(options.otherWorkers?.() ?? [])]
    await options.releaseDead([...new Set(own)], identity.lived)
    for (const due of await options.listDue(runs)) {
      if (!runs.has(due.key) && options.mayStart(due, runs)) start(due, held)
    }
    return options.nextRoundMs()
  }

  const hear = (payload = '') => {
    options.onNotify?.(payload)
    wake()
  }

  return {
    lease,
    markUnsure: (key, worker) => void unsure.set(key, worker),
    add(key, worker, work) {
      const ended = work.finally(() => {
        runs.delete(key)
        wake()
      })
      runs.set(key, { worker, due: null, ended })
      return ended
    },
    idle: () => Promise.all([...runs.values()].map(({ ended }) => ended)),
    async start() {
      loop = runLoop({ clock, log, loops }, { name: options.name, everyMs: options.pollMs, retryMs: options.retryMs, stopping }, round)
      listening = await db.sql.listen(options.channel, hear, hear)
    },
    stopping: stopping.signal,
    async stop() {
      stopping.abort(new AppError('shutting_down'))
      await listening?.unlisten().catch(() => undefined)
      await loop?.stop()
      await Promise.allSettled([...runs.values()].map(({ ended }) => ended))
    },
    close: () => identity.close().catch(() => undefined),
  }
}
