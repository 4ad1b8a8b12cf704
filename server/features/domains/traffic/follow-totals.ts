import { whileLocked } from '#server/db/advisory-locks.ts'
import type { Services } from '#server/platform/context.ts'
import { listOutdated, updateTotals } from './totals.repo.ts'

const mostAccounts = 200

/** Brings the sums by account and group in line with the domains, unless another process is doing it. */
export async function followTrafficTotals({ db }: Pick<Services, 'db'>, signal: AbortSignal): Promise<void> {
  await whileLocked(db, 'traffic', ['totals'], async (_, lost) => {
    for (const accountId of await listOutdated(db.orm, mostAccounts)) {
      if (signal.aborted || lost.aborted) return
      await updateTotals(db, accountId)
    }
  })
}
