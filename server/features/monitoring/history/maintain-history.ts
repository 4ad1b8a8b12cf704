import type { Services } from '#server/platform/context.ts'
import { deleteEnded } from '../incidents/incidents.repo.ts'
import { daysKeptMs, dropPartitions, hoursKeptMs, preparePartitions } from './partitions.repo.ts'
import { findDoneUntil, rollUpDay, writeDoneUntil } from './roll-up.repo.ts'
import { forgetProbes } from '../checks/probes.repo.ts'

const dayMs = 86_400_000
const deletedPerBatch = 5_000
/** An hour is written by the first check of a later one, possibly a day later, so a day is aggregated again after the next one. */
const againDays = 1
/** Delay after the end of a day, until the first checks of the next hour are written. */
const restMs = 20 * 60_000

/** Creates partitions ahead, aggregates finished days and drops old data (R-MON-05). */
export async function maintainHistory({ db, clock }: Pick<Services, 'db' | 'clock'>, signal: AbortSignal): Promise<void> {
  const now = clock.now()
  await preparePartitions(db, now)
  const over = dayOf(now - restMs)
  const done = (await findDoneUntil(db.orm, 'days')) ?? over - hoursKeptMs + dayMs
  if (done < over) {
    for (let day = done - againDays * dayMs; day < over && !signal.aborted; day += dayMs) await rollUpDay(db, day, signal)
    if (signal.aborted) return
    await writeDoneUntil(db.orm, 'days', over)
  }
  await dropPartitions(db, now - hoursKeptMs, now - daysKeptMs)
  while (!signal.aborted && (await deleteEnded(db.orm, now - daysKeptMs, deletedPerBatch)) === deletedPerBatch) continue
  await forgetProbes(db.orm, now)
}

const dayOf = (at: number) => at - (at % dayMs)
