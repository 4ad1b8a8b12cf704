import type { Services } from '#server/platform/context.ts'
import { deleteOldReports } from './store-abuse-reports.repo.ts'

/** Longer than reports are read again, so that none comes back. */
export const reportsKeptDays = 400

const deletedPerBatch = 1_000
/** Pause between two batches, so that deletions never slow the panel. */
const restMs = 100

/** Deletes abuse reports older than the retention period, with their appeals, in batches: they have names and addresses of the people who reported. */
export async function forgetOldReports({ db, clock }: Pick<Services, 'db' | 'clock'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldReports(db.orm, reportsKeptDays, deletedPerBatch)) === deletedPerBatch) {
    await clock.sleep(restMs, signal).catch(() => undefined)
  }
}
