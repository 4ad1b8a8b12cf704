import type { Transaction } from '#server/db/client.ts'
import { wakeMonitoring } from '../checks/schedule.repo.ts'
import { listLiveRegions } from '../health/evaluation.repo.ts'
import { countRecent, isShared, listUnchecked, mostCauses, outageMs, scheduleDownSharers, scheduleSharers } from './shared-cause.repo.ts'
import type { OwnedCause } from './shared-cause.repo.ts'

/** From this many, the shared cause is certain even if a first one had failed for its own reason. */
const certainFrom = 5

/**
 * Makes the domains that share a cause due: when the first of them is down, those that are not down yet; when one has recovered, those that are
 * still down. The schedule and its limits are those of all checks.
 */
export async function checkSharers(
  tx: Transaction,
  { failed, recovered }: { readonly failed: readonly OwnedCause[]; readonly recovered: readonly OwnedCause[] },
  now: number,
): Promise<void> {
  let due = 0
  const causes = countEach(failed)
  const recent = new Map(
    (
      await countRecent(
        tx,
        causes.map(([owned]) => owned),
        now - outageMs,
      )
    ).map((each) => [keyOf(each), each.n]),
  )
  for (const [owned, count] of causes) {
    const opened = recent.get(keyOf(owned)) ?? 0
    const before = Math.max(0, opened - count)
    // While an outage is known, its domains are not checked again.
    if (before > 0 && !(before < certainFrom && opened >= certainFrom)) continue
    due += await scheduleSharers(tx, owned, now)
  }
  for (const [owned] of countEach(recovered)) due += await scheduleDownSharers(tx, owned, now)
  if (due > 0) await wakeMonitoring(tx, 'wanted')
}

const keyOf = ({ ownerId, cause }: OwnedCause) => `${ownerId} ${cause}`

/** The most frequent first. */
function countEach(causes: readonly OwnedCause[]): [OwnedCause, number][] {
  return [...Map.groupBy(causes.filter(isShared), keyOf).values()]
    .flatMap((same): [OwnedCause, number][] => {
      const [first] = same
      return first === undefined ? [] : [[first, same.length]]
    })
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostCauses)
}

/**
 * Of these causes of an owner, those that other domains share which have not all been checked since.
 * @param causes with the start of their outage, milliseconds since 1970
 */
export async function listCausesBeingChecked(
  tx: Transaction,
  ownerId: string,
  causes: ReadonlyMap<string, number>,
  now: number,
): Promise<Set<string>> {
  if (causes.size === 0) return new Set()
  return listUnchecked(tx, ownerId, causes, [...(await listLiveRegions(tx, now))], now)
}
