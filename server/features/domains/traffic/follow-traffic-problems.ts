import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#server/db/client.ts'
import { findKnownDates, findTrafficProblems } from './find-traffic-problems.policy.ts'
import { listLastDays, updateProblems } from './traffic.repo.ts'
import type { ReadDay } from './traffic.repo.ts'

const zonesPerBatch = 1_000

/**
 * Stores what is unusual about the last whole day of the zones of an account that were read since a time; monitoring then opens and closes
 * incidents. Zones that were not read keep what was found before: no figures are not a day without requests.
 */
export async function followTrafficProblems(db: Database, accountId: string, since: Date): Promise<void> {
  const days: ReadDay[] = []
  for (let after: string | null = null; ;) {
    const read: readonly ReadDay[] = await listLastDays(db.orm, accountId, since, after, zonesPerBatch)
    days.push(...read)
    after = read.at(-1)?.id ?? null
    if (read.length < zonesPerBatch) break
  }
  const known = findKnownDates(days)
  const changed = days.flatMap((day) => {
    const problems = findTrafficProblems(day, known.has(day.date))
    return isDeepStrictEqual(problems, day.problems) ? [] : [{ id: day.id, problems }]
  })
  for (let start = 0; start < changed.length; start += zonesPerBatch) await updateProblems(db, changed.slice(start, start + zonesPerBatch))
}
