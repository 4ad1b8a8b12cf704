import type { Services } from '#server/platform/context.ts'
import { listAccountTroubles } from './account-incidents.repo.ts'
import { closeIncidents, insertIncidents } from './incidents.repo.ts'

/**
 * An account whose key is refused has an incident of its own, for all its domains together, as long as that is so (R-MON-04); likewise an account or
 * registrar whose list lacks many domains, and for administrators a server whose clock is wrong.
 * @returns the owners who have something new to see
 */
export async function followAccounts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Set<string>> {
  return db.orm.transaction(async (tx) => {
    const now = clock.now()
    const { begun, recovered, gone } = await listAccountTroubles(tx)
    await insertIncidents(tx, begun, now)
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
    return new Set([...begun, ...recovered, ...gone].map(({ ownerId }) => ownerId))
  })
}
