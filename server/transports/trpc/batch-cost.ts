import { AppError } from '#shared/errors/app-error.ts'

/** Calls that read or compute over everything that a person has. */
export const costlyCalls: ReadonlySet<string> = new Set([
  'accounts.addMany',
  'operations.preview',
  'operations.previewChange',
  'operations.previewCreate',
  'operations.previewTrackerArchive',
  'operations.previewUndo',
  'records.importFile',
  'records.previewImport',
  'settings.system',
])
/** Costly calls in one request: more than any page makes. */
export const mostCostly = 4

/** @throws AppError batch_too_costly */
export function assertBatchCost(paths: readonly string[]): void {
  if (paths.filter((path) => costlyCalls.has(path)).length > mostCostly) throw new AppError('batch_too_costly')
}
