import { statfs } from 'node:fs/promises'
import type { Services } from '#server/platform/context.ts'
import type { BackupProof } from '#shared/features/settings/schema.ts'
import { readDatabaseSize } from './backup.repo.ts'
import { tryRestore } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

/** An empty database for test restores. */
export interface ScratchDatabase {
  readonly url: string
  /** Its data folder, if on this machine: a test restore must not use up the space of the panel's own database. */
  readonly folder: string | null
}

/** Factor for the restored database, its write-ahead log, and a margin. */
const roomNeeded = 3

async function hasRoom({ db }: Pick<Services, 'db'>, { folder }: ScratchDatabase): Promise<boolean> {
  if (folder === null) return true
  const [{ bavail, bsize }, size] = await Promise.all([statfs(folder), readDatabaseSize(db)])
  return bavail * bsize > size * roomNeeded
}

/**
 * Proves that a backup can be restored: in the scratch database if there is one, otherwise by reading it completely and verifying its
 * checksums.
 * @throws Error if it cannot
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
