import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Services } from '#server/platform/context.ts'
import { startCompactionLoop } from '#server/platform/compaction-loop.ts'
import { compactCounts, compactedPerBatch, deleteNoCounts, deleteOld } from './activity.repo.ts'

const deletedPerBatch = 5_000
/** Pause between two batches, so that deleting a year of entries never slows the panel. */
const restMs = 100

/** Keeps the counts compact while entries are added. Returns the function that stops it. */
export const startActivityMaintenance = (services: Pick<Services, 'db' | 'clock' | 'log' | 'loops'>): (() => Promise<void>) =>
  startCompactionLoop(services, () => compactCounts(services.db), {
    name: 'activity-counts',
    everyMs: 5_000,
    batchSize: compactedPerBatch,
  })

/** Deletes entries older than the configured period, in batches. */
export async function forgetOldActivity(services: Pick<Services, 'db' | 'clock' | 'registration'>, signal: AbortSignal): Promise<void> {
  const { activityRetentionDays } = await getPanelSettings(services)
  while (!signal.aborted && (await deleteOld(services.db, activityRetentionDays, deletedPerBatch)) === deletedPerBatch) {
    await services.clock.sleep(restMs, signal).catch(() => undefined)
  }
  await deleteNoCounts(services.db)
}
