import { randomUUID } from 'node:crypto'
import type { Services } from '#server/platform/context.ts'
import type { DatabaseClock } from '#server/platform/database-clock.ts'
import { deleteProcessClock, storeProcessClock, toleratedSkewMs } from '#server/platform/process-clocks.repo.ts'
import { runLoop } from '#server/platform/run-loop.ts'

const everyMs = 60_000

interface ClockWatch {
  /** Measures and stores now. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** Measures the process's clock against the database's, now and every minute, and stores the error for the panel and metrics. */
export async function watchClock(
  { db, log, loops }: Pick<Services, 'db' | 'log' | 'loops'>,
  clock: DatabaseClock,
  { host, role }: { readonly host: string; readonly role: string },
): Promise<ClockWatch> {
  const id = randomUUID()
  let isWrong = false

  async function note(): Promise<void> {
    const skewMs = clock.skewMs()
    const wasWrong = isWrong
    isWrong = Math.abs(skewMs) > toleratedSkewMs
    if (isWrong && !wasWrong)
      log.error({ skewMs, host }, 'the clock of this process differs from the database clock; check its time synchronization')
    if (!isWrong && wasWrong) log.info({ skewMs, host }, 'the clock of this process matches the database clock again')
    await storeProcessClock(db.orm, id, { host, role, skewMs })
  }
  async function look(): Promise<void> {
    await clock.measure()
    await note()
  }

  await note()
  // Already measured when the clock was created.
  let isMeasured = true
  const loop = runLoop({ clock, log, loops }, { name: 'clock', everyMs }, async () => {
    if (!isMeasured) await look()
    isMeasured = false
  })
  return {
    look,
    async stop() {
      await loop.stop()
      await deleteProcessClock(db.orm, id).catch(() => undefined)
    },
  }
}
