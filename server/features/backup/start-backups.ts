import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { failureOf, clearBackupFailure, storeBackupState } from './backup-state.ts'
import { proveBackup } from './prove-backup.ts'
import type { ScratchDatabase } from './prove-backup.ts'
import { writeBackup } from './write-backup.ts'

interface BackupPlan {
  readonly folder: string
  readonly everyMs: number
  /** The number of newest backups to keep. */
  readonly keep: number
  /** Null: backups are only read completely. */
  readonly scratch: ScratchDatabase | null
}

const lookEveryMs = 60_000
const retryMs = 10 * 60_000
const lock = 'backups'
const fileName = /^zonedeck-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\.backup\.gz$/
/** A leftover of a killed process. */
const draftName = /^zonedeck-\d{8}-\d{6}\.backup\.gz\.[0-9a-f]{8}\.part$/

const nameAt = (at: number) => `zonedeck-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.backup.gz`

/** The backups in a folder with their times (milliseconds since 1970), oldest first. */
async function listBackups(folder: string): Promise<{ readonly name: string; readonly at: number }[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const parts = fileName.exec(name)?.slice(1)
    if (parts === undefined) return []
    const [year, month, day, hour, minute, second] = parts
    return [{ name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }]
  })
  return found.toSorted((one, other) => one.at - other.at)
}

/** Time of the newest backup in the folder, milliseconds since 1970; null if there is none. Backups dated in the future are ignored. */
export async function findNewestBackup(folder: string, now: number): Promise<number | null> {
  const backups = await listBackups(folder).catch(() => [])
  return backups.findLast(({ at }) => at <= now)?.at ?? null
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (draftName.test(name)) await rm(join(folder, name), { force: true })
}

/**
 * Writes a backup when the newest one in the folder is old enough, one process at a time of all that share the database, deletes the oldest
 * and test-restores the new one. Failures are reported in the log, the panel and the metrics, and retried after ten minutes. Returns the
 * function that stops it.
 */
export function startBackups(services: Services, { folder, everyMs, keep, scratch }: BackupPlan): () => Promise<void> {
  const { clock, log, db } = services
  const stop = new AbortController()

  async function back(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const locks = openAdvisoryLocks(db)
    try {
      if ((await locks.tryLock([lock], 1)).length === 0) return
      const at = clock.now()
      const newest = await findNewestBackup(folder, at)
      if (newest !== null && at - newest < everyMs) return await clearBackupFailure(services)
      await removeDrafts(folder)
      const name = nameAt(at)
      const written = await writeBackup(services, join(folder, name), stop.signal)
      log.info({ file: name, ...written }, 'wrote a backup')
      await storeBackupState(services, { writtenAt: new Date(at).toISOString(), failure: null })
      // A backup dated in the future displaces no other, and stays.
      const past = (await listBackups(folder)).filter((backup) => backup.at <= at)
      for (const { name } of past.slice(0, -keep)) await rm(join(folder, name), { force: true })
      await prove(name)
    } finally {
      await locks.close()
    }
  }

  /** The file is kept even after a failure, which may be caused by the scratch database. */
  async function prove(name: string): Promise<void> {
    const result = await proveBackup(services, join(folder, name), scratch, stop.signal).catch((error: unknown) => {
      stop.signal.throwIfAborted()
      log.error({ err: error, file: name }, 'the test restore of the newest backup failed')
      return 'failed' as const
    })
    await storeBackupState(services, { proof: { at: new Date(clock.now()).toISOString(), result } })
  }

  return runLoop(services, { name: 'backups', everyMs: lookEveryMs, stopping: stop }, async () => {
    try {
      await back()
    } catch (error) {
      if (stop.signal.aborted) return
      const reason = failureOf(error)
      log.error({ err: error, folder, reason }, 'failed to write a backup')
      await storeBackupState(services, { failure: { at: new Date(clock.now()).toISOString(), reason } })
      return retryMs
    }
  }).stop
}
