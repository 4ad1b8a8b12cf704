import { statfs } from 'node:fs/promises'
import type { Services } from '#server/platform/context.ts'
import type { BackupProof } from '#shared/features/settings/schema.ts'
import { readDatabaseSize } from './backup.repo.ts'
import { tryRestore } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

/** An empty database that backups are restored into on trial. */
export interface ScratchDatabase {
  readonly url: string
  /** Where its files are, if on this machine: what is restored must not take the room that the panel's own database needs. */
  readonly folder: string | null
}

/** A restored database, its write-ahead log, and something to spare. */
const roomNeeded = 3

async function hasRoom({ db }: Pick<Services, 'db'>, { folder }: ScratchDatabase): Promise<boolean> {
  if (folder === null) return true
  const [{ bavail, bsize }, size] = await Promise.all([statfs(folder), readDatabaseSize(db)])
  return bavail * bsize > size * roomNeeded
}

/**
 * Shows that a backup can be restored: in the scratch database where there is one, else by reading it to its end and comparing its sums.
 * @throws Error where it cannot
 */
export async function proveBackup(
  services: Pick<Services, 'db' | 'secrets' | 'log'>,
  path: string,
  scratch: ScratchDatabase | null,
  signal: AbortSignal,
): Promise<BackupProof['result']> {
  if (scratch !== null && (await hasRoom(services, scratch))) {
    await tryRestore({ url: scratch.url, path, secrets: services.secrets, signal })
    return 'restored'
  }
  if (scratch !== null)
    services.log.warn({ path }, 'not enough disk space for a test restore; only the checksum of the backup was verified')
  await verifyBackup(path, signal)
  return 'checked'
}
