import type { Services } from '#server/platform/context.ts'
import type { CheckOptions } from '#shared/features/monitoring/schema.ts'
import { listGivenOptions } from '../options.repo.ts'
import { resolveOptions } from '../resolve-options.policy.ts'

/** A settings change takes effect on checks within this time. */
const freshMs = 30_000

interface Asked {
  readonly ownerId: string
  readonly groupId: string | null
}
const keyOf = ({ ownerId, groupId }: Asked) => `${ownerId} ${groupId ?? ''}`

/** Check options by owner and group, cached for a short time. Results are in the order of the input. */
export function createCheckOptions({ db, clock }: Pick<Services, 'db' | 'clock'>): (asked: readonly Asked[]) => Promise<CheckOptions[]> {
  const known = new Map<string, { readonly options: CheckOptions; readonly at: number }>()
  return async (asked) => {
    const now = clock.now()
    const isFresh = (key: string) => now - (known.get(key)?.at ?? -Infinity) < freshMs
    const unknown = new Map(asked.map((each) => [keyOf(each), each]).filter(([key]) => !isFresh(key as string)) as [string, Asked][])
    if (unknown.size > 0) {
      for (const [key, { at }] of known) if (now - at >= freshMs) known.delete(key)
      const owners = new Set([...unknown.values()].map(({ ownerId }) => ownerId))
      const groups = new Set([...unknown.values()].flatMap(({ groupId }) => (groupId === null ? [] : [groupId])))
      const given = await listGivenOptions(db.orm, [...owners], [...groups])
      for (const [key, { ownerId, groupId }] of unknown) {
        known.set(key, { options: resolveOptions(given.owners.get(ownerId), groupId === null ? null : given.groups.get(groupId)), at: now })
      }
    }
    return asked.map((each) => known.get(keyOf(each))?.options ?? resolveOptions(null, null))
  }
}
