import type { Services } from '#server/platform/context.ts'
import { listAccountTroubles } from './account-incidents.repo.ts'
import { checkSharers } from './check-sharers.ts'
import { closeIncidents, insertIncidents, updateReasons, worsen } from './incidents.repo.ts'

/**
 * An account whose key is refused has one incident for all its domains until it works again (R-MON-04); so does an account or registrar whose list
 * lacks many domains, an account with domains that lack many records, with critical changes by others or with abuse reports, and, for administrators, a server with a
 * wrong clock.
 * @returns the owners with changed data
 */
export async function followAccounts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Set<string>> {
  return db.orm.transaction(async (tx) => {
    const now = clock.now()
    const { begun, changed, recovered, reviewed, gone } = await listAccountTroubles(tx)
    await insertIncidents(tx, begun, now)
    const [worse, updated] = [changed.filter(({ again }) => again), changed.filter(({ again }) => !again)]
    await worsen(tx, worse, now)
    await updateReasons(tx, updated, now)
    const idsOf = (incidents: readonly { readonly id: string }[]) => incidents.map(({ id }) => id)
    await closeIncidents(tx, idsOf(recovered), now, 'recovered')
    await closeIncidents(tx, idsOf(reviewed), now, 'reviewed')
    await closeIncidents(tx, idsOf(gone), now, 'unwatched')
    await checkSharers(tx, { failed: begun, recovered }, now)
    return new Set([...begun, ...changed, ...recovered, ...reviewed, ...gone].map(({ ownerId }) => ownerId))
  })
}
