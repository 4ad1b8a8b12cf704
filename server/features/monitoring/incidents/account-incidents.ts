import type { Services } from '#server/platform/context.ts'
import { listAccountTroubles } from './account-incidents.repo.ts'
import { checkSharers } from './check-sharers.ts'
import { closeIncidents, insertIncidents, updateReasons } from './incidents.repo.ts'

/**
 * An account whose key is refused has one incident for all its domains until it works again (R-MON-04); so does an account or registrar whose list
 * lacks many domains, an account with domains that lack many records, and, for administrators, a server with a wrong clock.
 * @returns the owners with changed data
 */
export async function followAccounts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Set<string>> {
  return db.orm.transaction(async (tx) => {
    const now = clock.now()
    const { begun, changed, recovered, gone } = await listAccountTroubles(tx)
    await insertIncidents(tx, begun, now)
    await updateReasons(tx, changed, now)
    await closeIncidents(
      tx,
      recovered.map(({ id }) => id),
      now,
      false,
    )
    await closeIncidents(
      tx,
      gone.map(({ id }) => id),
      now,
      true,
    )
    await checkSharers(tx, { failed: begun, recovered }, now)
    return new Set([...begun, ...changed, ...recovered, ...gone].map(({ ownerId }) => ownerId))
  })
}
