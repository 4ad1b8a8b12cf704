import type { Services } from '#server/platform/context.ts'
import { region as regions } from '#shared/features/monitoring/schema.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { evaluateZones } from '../health/evaluate-zones.ts'
import { listLiveRegions } from '../health/evaluation.repo.ts'
import { listDownThen, listWatchedFrom } from './regions.repo.ts'
import { believedForMs } from '../health/evaluate-health.policy.ts'

const evaluatedPerBatch = 1_000

/**
 * Sees what counts no longer because nobody looks from there: what was only seen from a region that lost its probes is not known then, and what others
 * saw down from one without a probe ends, where nothing else says so.
 */
export function followRegions({ db, clock }: Pick<Services, 'db' | 'clock'>): { follow(signal: AbortSignal): Promise<Set<string>> } {
  // Who just began knows of none for how long nobody has looked from there.
  const lastLive = new Map<Region, number>(regions.options.map((region) => [region, clock.now()]))
  let endedBefore = clock.now() - believedForMs

  async function evaluateAll(list: (after: string | null) => Promise<string[]>, signal: AbortSignal, owners: Set<string>): Promise<void> {
    let after: string | null = null
    do {
      const ids: string[] = await list(after)
      for (const owner of await db.orm.transaction((tx) => evaluateZones(tx, ids, clock.now()))) owners.add(owner)
      after = ids.length < evaluatedPerBatch ? null : (ids.at(-1) ?? null)
    } while (after !== null && !signal.aborted)
  }

  return {
    async follow(signal) {
      const now = clock.now()
      const owners = new Set<string>()
      for (const region of await listLiveRegions(db.orm, now)) lastLive.set(region, now)
      for (const [region, at] of lastLive) {
        if (now - at <= believedForMs || signal.aborted) continue
        await evaluateAll((after) => listWatchedFrom(db.orm, region, after, evaluatedPerBatch), signal, owners)
        lastLive.delete(region)
      }
      const seen = { regions: regions.options.filter((region) => !lastLive.has(region)), from: endedBefore, until: now - believedForMs }
      if (seen.regions.length > 0 && !signal.aborted)
        await evaluateAll((after) => listDownThen(db.orm, seen, after, evaluatedPerBatch), signal, owners)
      endedBefore = seen.until
      return owners
    },
  }
}
