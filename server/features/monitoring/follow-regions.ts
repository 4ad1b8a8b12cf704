import type { Services } from '#server/platform/context.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { judgeZones } from './judge-zones.ts'
import { listLiveRegions } from './judge.repo.ts'
import { listWatchedFrom } from './regions.repo.ts'

/** What a region saw last counts for as long (`verdict.policy.ts`). */
const believedForMs = 10 * 60_000
const judgedAtOnce = 1_000

/** Sees regions that nobody looks from any more: what was only seen from there is not known then. */
export function followRegions({ db, clock }: Pick<Services, 'db' | 'clock'>): { follow(signal: AbortSignal): Promise<Set<string>> } {
  const lastLive = new Map<Region, number>()
  return {
    async follow(signal) {
      const now = clock.now()
      for (const region of await listLiveRegions(db.orm, now)) lastLive.set(region, now)
      const owners = new Set<string>()
      for (const [region, at] of lastLive) {
        if (now - at <= believedForMs || signal.aborted) continue
        lastLive.delete(region)
        let after: string | null = null
        do {
          const ids: string[] = await listWatchedFrom(db.orm, region, after, judgedAtOnce)
          for (const owner of await db.orm.transaction((tx) => judgeZones(tx, ids, clock.now()))) owners.add(owner)
          after = ids.length < judgedAtOnce ? null : (ids.at(-1) ?? null)
        } while (after !== null && !signal.aborted)
      }
      return owners
    },
  }
}
