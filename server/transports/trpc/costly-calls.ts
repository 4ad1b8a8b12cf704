import { createFairSemaphore } from '#server/platform/semaphore.ts'
import type { FairSemaphore } from '#server/platform/semaphore.ts'
import type { Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Calls that read or compute over everything that a person has, or over what may be as large. */
export const costlyCalls: ReadonlySet<string> = new Set([
  'accounts.addMany',
  'accounts.list',
  'activity.export',
  'activity.stats',
  'domains.live',
  'domains.lookup',
  'domains.matchingIds',
  'history.previewRevert',
  'me.export',
  'monitoring.checkNow',
  'operations.bulkDelete',
  'operations.bulkDns',
  'operations.bulkIp',
  'operations.bulkSettings',
  'operations.preview',
  'operations.previewAutoRenew',
  'operations.previewChange',
  'operations.previewCreate',
  'operations.previewPurchase',
  'operations.previewRenewal',
  'operations.previewTrackerArchive',
  'operations.previewUndo',
  'profiles.differing',
  'records.exportFiles',
  'records.importFile',
  'records.previewImport',
  'settings.system',
  // Their answers come from anybody's server, and may be as large as is read.
  'trackers.check',
  'trackers.choices',
  'trackers.test',
])
/** Costly calls in one request: more than any page makes. */
export const mostCostly = 6

/** @throws AppError batch_too_costly */
export function assertBatchCost(paths: readonly string[]): void {
  if (paths.filter((path) => costlyCalls.has(path)).length > mostCostly) throw new AppError('batch_too_costly')
}

const semaphores = new WeakMap<Services['db'], FairSemaphore>()

/**
 * Costly calls of one person run four at a time in this process, however many requests they send; people take turns.
 * @throws AppError too_many_attempts where fifty of the person wait already
 */
export function costlyCallSemaphore({ db }: Pick<Services, 'db'>): FairSemaphore {
  const semaphore =
    semaphores.get(db) ?? createFairSemaphore({ maxConcurrent: 16, maxConcurrentPerCaller: 4, waiting: 400, maxWaitingPerCaller: 50 })
  semaphores.set(db, semaphore)
  return semaphore
}
