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
  /** So many are kept, the newest. */
  readonly keep: number
  /** Null: backups are only read to their end. */
  readonly scratch: ScratchDatabase | null
}

const lookEveryMs = 60_000
const retryMs = 10 * 60_000
const lock = 'backups'
const fileName = /^zonedeck-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\.backup\.gz$/
/** What a process that was killed meanwhile left. */
const draftName = /^zonedeck-\d{8}-\d{6}\.backup\.gz\.[0-9a-f]{8}\.part$/

const nameAt = (at: number) => `zonedeck-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.backup.gz`

/** The backups in a folder, by when they were written (milliseconds since 1970), oldest first. */
async function listBackups(folder: string): Promise<{ readonly name: string; readonly at: number }[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const parts = fileName.exec(name)?.slice(1)
    if (parts === undefined) return []
    const [year, month, day, hour, minute, second] = parts
    return [{ name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }]
  })
  return found.toSorted((one, other) => one.at - other.at)
}

/** When the newest backup in the folder was written, milliseconds since 1970; null where there is none. One of a clock that went wrong is of no time. */
export async function findNewestBackup(folder: string, now: number): Promise<number | null> {
  const backups = await listBackups(folder).catch(() => [])
  return backups.findLast(({ at }) => at <= now)?.at ?? null
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (draftName.test(name)) await rm(join(folder, name), { force: true })
}

/**
 * Writes a backup whenever the newest one in the folder is old enough, one process of all that share the database at a time, deletes the oldest and
 * restores the new one on trial.
 * What fails is reported in the log, in the panel and by the metrics, and tried again after ten minutes. Returns the end of it.
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
      // One of a clock that went wrong takes nobody's place, and stays.
      const past = (await listBackups(folder)).filter((backup) => backup.at <= at)
      for (const { name } of past.slice(0, -keep)) await rm(join(folder, name), { force: true })
      await prove(name)
    } finally {
      await locks.close()
    }
  }

  /** The file stays whatever comes of it: it may be the fault of the scratch database. */
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
