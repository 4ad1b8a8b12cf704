import { createFairSemaphore } from '#server/platform/semaphore.ts'
import type { FairSemaphore } from '#server/platform/semaphore.ts'
import type { Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Calls that read or compute over all data of a person, or over similarly large data. */
export const costlyCalls: ReadonlySet<string> = new Set([
  'accounts.addMany',
  'accounts.list',
  'activity.export',
  'activity.stats',
  'domains.byId',
  'domains.live',
  'domains.lookup',
  'domains.matchingIds',
  'history.previewRevert',
  'history.previewRevertOfAccount',
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
  'operations.previewDomainRedirects',
  'operations.previewPurchase',
  'operations.previewRedirects',
  'operations.previewRenewal',
  'operations.previewTrackerArchive',
  'operations.previewUndo',
  // Makes a key.
  'originCertificates.issue',
  'profiles.differing',
  'profiles.previewAdoption',
  'records.exportFiles',
  'records.importFile',
  'records.previewImport',
  'redirects.export',
  'redirects.test',
  'settings.system',
  // Their responses come from foreign servers and may be as large as the read limit.
  'trackers.check',
  'trackers.choices',
  'trackers.test',
])
/** Expensive calls per request: more than any page makes. */
export const mostCostly = 6

/** @throws AppError batch_too_costly */
export function assertBatchCost(paths: readonly string[]): void {
  if (paths.filter((path) => costlyCalls.has(path)).length > mostCostly) throw new AppError('batch_too_costly')
}

const semaphores = new WeakMap<Services['db'], FairSemaphore>()

/**
 * At most four expensive calls of one person run at a time in this process, over all requests; people take turns.
 * @throws AppError too_many_attempts if fifty of the person's calls are waiting
 */
export function costlyCallSemaphore({ db }: Pick<Services, 'db'>): FairSemaphore {
  const semaphore =
    semaphores.get(db) ?? createFairSemaphore({ maxConcurrent: 16, maxConcurrentPerCaller: 4, waiting: 400, maxWaitingPerCaller: 50 })
  semaphores.set(db, semaphore)
  return semaphore
}
