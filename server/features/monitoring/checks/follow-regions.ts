import type { Services } from '#server/platform/context.ts'
import { region as regions } from '#shared/features/monitoring/schema.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import { evaluateZones } from '../health/evaluate-zones.ts'
import { listLiveRegions } from '../health/evaluation.repo.ts'
import { listDownThen, listWatchedFrom } from './regions.repo.ts'
import { believedForMs } from '../health/evaluate-health.policy.ts'

const evaluatedPerBatch = 1_000

/**
 * Re-evaluates domains whose regional results have expired: a region that lost its probes no longer counts, and an outage seen only by external
 * checkers for a region without a probe ends when nothing else confirms it.
 */
export function followRegions({ db, clock }: Pick<Services, 'db' | 'clock'>): { follow(signal: AbortSignal): Promise<Set<string>> } {
  // A new process assumes that all regions were live until now.
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
