import type { Services } from '#server/platform/context.ts'
import { updateProgress } from './update-progress.repo.ts'

const updateEveryMs = 250
/**
 * Share of the time spent on updates: counting many items takes a while. The upper limit keeps one slow update from delaying the event of
 * the end.
 */
const updateShare = 0.1
const longestRestMs = 5_000

interface ProgressUpdater {
  /** Items of these operations have changed: their progress is updated soon. */
  touch(operationIds: Iterable<string>): void
  /** Updates the progress of the touched operations now. */
  now(): void
  /** Resolves when all touched operations are updated. */
  stop(): Promise<void>
}

/** Updates progress and state of operations whose items have changed, and publishes the change. */
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
      log.warn({ err: error, operationIds: ids }, 'failed to update the progress of operations')
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
