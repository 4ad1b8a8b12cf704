import type { Services } from '#server/platform/context.ts'
import { settleOperations } from './settle-operations.repo.ts'

const settleEveryMs = 250
/** Of the time; summing up many items takes its while. One that took long by chance must not hold back the news of the end. */
const settleShare = 0.1
const longestRestMs = 5_000

export interface Settler {
  /** Its items have changed: it is summed up soon. */
  touch(operationIds: Iterable<string>): void
  /** Sums up what was touched now. */
  now(): void
  /** What was touched until now is summed up when this resolves. */
  stop(): Promise<void>
}

/** Sums up the operations whose items have changed, moves their state on, and says so to whoever looks. */
export function createSettler({ db, events, log }: Pick<Services, 'db' | 'events' | 'log'>, stopping: AbortSignal): Settler {
  const touched = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let settling = Promise.resolve()
  let restMs = settleEveryMs

  async function settle(): Promise<void> {
    const ids = [...touched]
    const began = performance.now()
    touched.clear()
    try {
      for (const { ownerId } of await settleOperations(db, ids)) {
        await events.publish(db.orm, ownerId, 'operations')
      }
    } catch (error) {
      log.warn({ err: error, operationIds: ids }, 'failed to settle operations')
      touch(ids)
    }
    restMs = Math.min(Math.max(settleEveryMs, (performance.now() - began) / settleShare), longestRestMs)
  }
  function now(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    settling = settling.then(settle)
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
      await settling
      await settle()
    },
  }
}
