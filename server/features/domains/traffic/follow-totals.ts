import type { Services } from '#server/platform/context.ts'
import { listOutdated, updateTotals } from './totals.repo.ts'

const mostAccounts = 200

/** Brings the sums by account and group in line with the domains. */
export async function followTrafficTotals({ db }: Pick<Services, 'db'>, signal: AbortSignal): Promise<void> {
  for (const accountId of await listOutdated(db.orm, mostAccounts)) {
    if (signal.aborted) return
    await updateTotals(db, accountId)
  }
}
