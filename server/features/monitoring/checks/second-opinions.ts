import type { Services } from '#server/platform/context.ts'
import type { SecondOpinion } from '#server/ports/second-opinion.ts'
import { createCheckOptions } from './check-options.ts'
import { evaluateZones } from '../health/evaluate-zones.ts'
import { listLiveRegions } from '../health/evaluation.repo.ts'
import { listDoubtful } from './second-opinions.repo.ts'
import type { Doubtful } from './second-opinions.repo.ts'
import { believedForMs } from '../health/evaluate-health.policy.ts'
import { writeResults } from './write-results.ts'

/** Shortly before their result expires. Tests are limited: results that agree with ours are not refreshed. */
const againAfterMs = 8 * 60_000
const maxConcurrent = 8
const listedAtMost = 2_000
/** External results are not repeated soon, so a single one counts. */
const concurrencyLimits = { failuresToDown: 1, successesToUp: 1 }

interface SecondOpinions {
  /** @returns the owners with changed data */
  follow(signal: AbortSignal): Promise<Set<string>>
}

/**
 * Requests external checks of domains that are down here, from the regions without one of our probes (R-MON-04). Meanwhile the domain is not reported
 * as down, for at most a minute; without a result, the known state is shown. While external checkers reach a domain that we do not, their results are
 * refreshed before they expire, so that the domain does not become down everywhere for lack of checks.
 */
export function createSecondOpinions(services: Pick<Services, 'db' | 'clock' | 'log'>, opinions: SecondOpinion): SecondOpinions {
  const { db, clock } = services
  const optionsOf = createCheckOptions(services)
  const askedAt = new Map<string, number>()

  async function ask(doubtful: Doubtful, missing: Doubtful['regions'], signal: AbortSignal): Promise<Set<string>> {
    const [options] = await optionsOf([doubtful])
    if (options === undefined) return new Set()
    const answers = await opinions.ask({ name: doubtful.name, options }, missing, signal)
    const owners = new Set<string>()
    for (const [region, opinion] of answers) {
      if (opinion.kind !== 'seen') continue
      const checked = { job: { ...doubtful, hurried: true }, options: concurrencyLimits, result: opinion.result }
      for (const owner of await writeResults(services, region, [checked], [])) owners.add(owner)
    }
    return owners
  }

  return {
    async follow(signal) {
      const owners = new Set<string>()
      const now = clock.now()
      for (const [domainId, at] of askedAt) if (now - at >= againAfterMs) askedAt.delete(domainId)
      const live = await listLiveRegions(db.orm, now)
      const times = { downSince: now - againAfterMs, believedSince: now - believedForMs, askedBefore: now - againAfterMs }
      const doubtful = await listDoubtful(db.orm, [...live], times, listedAtMost)
      if (doubtful.length === 0) return owners
      const due = doubtful
        .map((each) => ({ each, missing: each.regions.filter((region) => !live.has(region)) }))
        .filter(({ each, missing }) => missing.length > 0 && !askedAt.has(each.domainId))
        .slice(0, maxConcurrent)
      for (const { each } of due) askedAt.set(each.domainId, now)
      const answers = await Promise.allSettled(due.map(({ each, missing }) => ask(each, missing, signal)))
      for (const answer of answers) {
        if (answer.status === 'fulfilled') for (const owner of answer.value) owners.add(owner)
        else if (!signal.aborted) services.log.warn({ err: answer.reason }, 'failed to write a second opinion')
      }
      // Domains whose minute is over, with or without a result.
      const ids = doubtful.map(({ domainId }) => domainId)
      for (const owner of await db.orm.transaction((tx) => evaluateZones(tx, ids, clock.now()))) owners.add(owner)
      return owners
    },
  }
}
