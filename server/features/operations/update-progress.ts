import type { Services } from '#server/platform/context.ts'
import { updateProgress } from './update-progress.repo.ts'

const updateEveryMs = 250
/** Of the time; summing up many items takes its while. One that took long by chance must not hold back the event of the end. */
const updateShare = 0.1
const longestRestMs = 5_000

export interface ProgressUpdater {
  /** Its items have changed: it is summed up soon. */
  touch(operationIds: Iterable<string>): void
  /** Sums up what was touched now. */
  now(): void
  /** What was touched until now is summed up when this resolves. */
  stop(): Promise<void>
}

/** Sums up the operations whose items have changed, moves their state on, and says so to anyone who looks. */
export function createProgressUpdater(
  { db, events, log }: Pick<Services, 'db' | 'events' | 'log'>,
  stopping: AbortSignal,
): ProgressUpdater {
  const touched = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let updating = Promise.resolve()
  let restMs = updateEveryMs

  async function update(): Promise<void> {
    const ids = [...touched]
    const began = performance.now()
    touched.clear()
    try {
      for (const { ownerId } of await updateProgress(db, ids)) {
        await events.publish(db.orm, ownerId, 'operations')
      }
    } catch (error) {
      log.warn({ err: error, operationIds: ids }, 'failed to settle operations')
      touch(ids)
    }
    restMs = Math.min(Math.max(updateEveryMs, (performance.now() - began) / updateShare), longestRestMs)
  }
  function now(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    updating = updating.then(update)
  }
  function touch(operationIds: Iterable<string>): void {
    for (const id of operationIds) touched.add(id)
    if (touched.size > 0 && !stopping.aborted) timer ??= setTimeout(now, restMs)
  }
  return {
    touch,
    now,
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await updating
      await update()
    },
  }
}
