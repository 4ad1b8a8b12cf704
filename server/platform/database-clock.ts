import type { Database } from '#server/db/client.ts'
import { readNow } from '#server/platform/process-clocks.repo.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'

export interface DatabaseClock extends Clock {
  /** How far the process's own clock was ahead of the database's when it was last measured, in milliseconds. */
  skewMs(): number
  /** Reads the database's time again. */
  measure(): Promise<void>
}

const samples = 3

interface Sample {
  /** The database's time when the process's monotonic timer was at 0. */
  readonly originMs: number
  readonly uncertaintyMs: number
  readonly skewMs: number
}

/**
 * The database's time. Processes compare due, expiry and lease times with each other, so none may use its own clock: between two
 * measurements time advances by the monotonic timer, and a wrong or changed system clock has no effect.
 * @param own the system clock of this process, whose error is measured
 */
export async function createDatabaseClock(db: Database, own: Clock = systemClock): Promise<DatabaseClock> {
  async function sample(): Promise<Sample> {
    const sentAt = performance.now()
    const ownBefore = own.now()
    const databaseMs = (await readNow(db.orm)).getTime()
    const uncertaintyMs = (performance.now() - sentAt) / 2
    return { originMs: databaseMs - sentAt - uncertaintyMs, uncertaintyMs, skewMs: ownBefore + uncertaintyMs - databaseMs }
  }
  async function best(): Promise<Sample> {
    let closest = await sample()
    for (let more = 1; more < samples; more++) {
      const next = await sample()
      if (next.uncertaintyMs < closest.uncertaintyMs) closest = next
    }
    return closest
  }
  let known = await best()
  return {
    sleep: own.sleep,
    now: () => Math.floor(known.originMs + performance.now()),
    skewMs: () => Math.round(known.skewMs),
    async measure() {
      const found = await best()
      // A slow response moves nothing: the known time is within its range of uncertainty.
      const agrees = Math.abs(found.originMs - known.originMs) <= found.uncertaintyMs
      known = agrees ? { ...found, originMs: known.originMs } : found
    },
  }
}
