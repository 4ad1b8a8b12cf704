import type { Services } from '#server/platform/context.ts'
import { deleteOld } from './store-changes.repo.ts'

/** Cloudflare keeps its own log for 18 months. */
export const changesKeptDays = 90

const deletedPerBatch = 5_000
/** Pause between two batches, so that deletions never slow the panel. */
const restMs = 100

/** Deletes changes older than the retention period, in batches. */
export async function forgetOldChanges({ db, clock }: Pick<Services, 'db' | 'clock'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOld(db, changesKeptDays, deletedPerBatch)) === deletedPerBatch) {
    await clock.sleep(restMs, signal).catch(() => undefined)
  }
}
