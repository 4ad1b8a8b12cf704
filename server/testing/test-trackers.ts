import { createAdTrackers } from '#server/integrations/trackers/create-ad-trackers.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import { startBinomSimulator } from '#server/simulators/trackers/binom.ts'
import type { BinomSimulator } from '#server/simulators/trackers/binom.ts'
import { startKeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import type { KeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import type { TestDatabase } from '#server/testing/database.ts'

export interface TestTrackers {
  readonly keitaro: KeitaroSimulator
  readonly binom: BinomSimulator
  /** Closes the simulators too. */
  readonly trackers: AdTrackers
}

/** A client for trackers, including local ones, without call limits. */
export const connectTestTrackers = (
  sql: TestDatabase['db']['sql'],
  log: Log = createLog('silent'),
  clock: Clock = systemClock,
): AdTrackers =>
  createAdTrackers({
    allow: ['127.0.0.0/8'],
    sql,
    clock,
    log,
    userAgent: 'zonedeck-test',
    limit: { limit: 100_000, windowMs: 1_000 },
  })

/** One empty tracker of each kind, and their client. */
export async function startTestTrackers({ db }: Pick<TestDatabase, 'db'>, log?: Log): Promise<TestTrackers> {
  const keitaro = await startKeitaroSimulator()
  const binom = await startBinomSimulator()
  const trackers = connectTestTrackers(db.sql, log)
  return {
    keitaro,
    binom,
    trackers: {
      ...trackers,
      close: async () => {
        await trackers.close()
        await keitaro.close()
        await binom.close()
      },
    },
  }
}
