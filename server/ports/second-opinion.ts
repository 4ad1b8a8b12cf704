/** Asks an external service whether a domain is reachable, for regions without a probe. */

import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import type { CheckResult } from './region-probe.ts'

/**
 * `not_measurable` says nothing about the domain: the service `refused` to measure it (block list), its `limit` is reached, it has no
 * measuring point there (`no_probe`), or there was no result (`unanswered`).
 */
export type Opinion =
  | { readonly kind: 'seen'; readonly result: CheckResult }
  | {
      readonly kind: 'not_measurable'
      readonly why: 'refused' | 'limit' | 'no_probe' | 'unanswered'
      /** When a retry may succeed. */
      readonly retryAfterSeconds: number | null
    }

export interface SecondOpinion {
  /**
   * Measures a domain from each region immediately. Never throws; takes at most 45 seconds, and costs one test per region. Unlike a probe
   * it follows no redirects, and searches a keyword in the first 10 kB only.
   * @param name Punycode, lower case.
   * @returns every requested region.
   */
  ask(
    target: { readonly name: string; readonly options: CheckOptions },
    regions: readonly Region[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Region, Opinion>>
  close(): Promise<void>
}
