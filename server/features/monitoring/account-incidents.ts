import type { Services } from '#server/platform/context.ts'
import { listAccountTroubles } from './account-incidents.repo.ts'
import { closeIncidents, insertIncidents } from './incidents.repo.ts'

/**
 * An account whose key is refused has an incident of its own, for all its domains together, as long as that is so (R-MON-04).
 * @returns the owners who have something new to see
 */
export async function followAccounts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Set<string>> {
  return db.orm.transaction(async (tx) => {
    const now = clock.now()
    const { refused, mended, gone } = await listAccountTroubles(tx)
    await insertIncidents(
      tx,
      refused.map(({ accountId, ownerId, email }) => ({
        ownerId,
        zoneId: null,
        accountId,
        groupId: null,
        name: email,
        health: 'critical',
        reasons: [],
        cause: `account:${accountId}`,
      })),
      now,
    )
    await closeIncidents(
      tx,
      mended.map(({ id }) => id),
      now,
      false,
    )
    await closeIncidents(
      tx,
      gone.map(({ id }) => id),
      now,
      true,
    )
    return new Set([...refused, ...mended, ...gone].map(({ ownerId }) => ownerId))
  })
}
