import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Services } from '#server/platform/context.ts'
import { compactCounts, compactedAtOnce, deleteNoCounts, deleteOld } from './activity.repo.ts'

const everyMs = 5_000
const deletedAtOnce = 5_000
/** Between two parts, so that deleting a year never slows the panel. */
const restMs = 100

/** Keeps the counts short while entries come. One process does the work at a time. Returns the end of it. */
export function startActivityMaintenance({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const stop = new AbortController()
  const turn = async () => {
    while (!stop.signal.aborted) {
      const moved = await compactCounts(db).catch((error: unknown) => {
        log.error({ err: error }, 'counts of the activity log were not compacted')
        return 0
      })
      if (moved < compactedAtOnce) await clock.sleep(everyMs, stop.signal).catch(() => undefined)
    }
  }
  const running = turn()
  return async () => {
    stop.abort()
    await running
  }
}

/** Deletes, part by part, what is older than the settings say. */
export async function forgetOldActivity(services: Pick<Services, 'db' | 'clock' | 'registration'>, signal: AbortSignal): Promise<void> {
  const { activityRetentionDays } = await getPanelSettings(services)
  while (!signal.aborted && (await deleteOld(services.db, activityRetentionDays, deletedAtOnce)) === deletedAtOnce) {
    await services.clock.sleep(restMs, signal).catch(() => undefined)
  }
  await deleteNoCounts(services.db)
}
