import type { Services } from '#server/platform/context.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import type { BackupFailure, BackupState } from '#shared/features/settings/schema.ts'
import { findState, storeState } from './backup.repo.ts'

const reasons: Readonly<Record<string, BackupFailure>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'not_writable',
  EPERM: 'not_writable',
  EROFS: 'not_writable',
  ENOTDIR: 'not_writable',
  ENOENT: 'not_writable',
  EEXIST: 'not_writable',
}

/** What an operator must check after a failed backup. */
export const failureOf = (error: unknown): BackupFailure =>
  (error instanceof Error && 'code' in error && reasons[String(error.code)]) || 'other'

/** The state of scheduled backups as last reported by the process that writes them; null if there were none. */
export const readBackupState = ({ db }: Pick<Services, 'db'>): Promise<BackupState | null> => findState(db.orm)

/** Backups are healthy, although none was written just now. */
export async function clearBackupFailure(services: Pick<Services, 'db' | 'log'>): Promise<void> {
  const state = await readBackupState(services)
  if (state !== null && state.failure !== null) await storeBackupState(services, { failure: null })
}

/** Stored where every process finds it. Without a database it cannot be stored, but is in the log. */
export async function storeBackupState({ db, log }: Pick<Services, 'db' | 'log'>, changes: Partial<BackupState>): Promise<void> {
  try {
    await db.orm.transaction(async (tx) => {
      const before = (await findState(tx)) ?? { writtenAt: null, failure: null, proof: null }
      await storeState(tx, { ...before, ...changes })
    })
  } catch (error) {
    if (!isDatabaseAway(error)) log.warn({ err: error }, 'failed to store the backup status')
  }
}
