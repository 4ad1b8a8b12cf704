/** Asks others, who stand elsewhere, whether a domain is reached: for regions without a probe of one's own. */

import type { CheckOptions, Region } from '#shared/features/monitoring/schema.ts'
import type { CheckResult } from './region-probe.ts'

/**
 * `not_measurable` says nothing of the domain: `refused` to measure it (such names are on lists of theirs), the `limit` of measurements is
 * reached, nobody is there (`no_probe`), or no answer came of it (`unanswered`).
 */
export type Opinion =
  | { readonly kind: 'seen'; readonly result: CheckResult }
  | {
      readonly kind: 'not_measurable'
      readonly why: 'refused' | 'limit' | 'no_probe' | 'unanswered'
      /** When asking again may help. */
      readonly retryAfterSeconds: number | null
    }

export interface SecondOpinion {
  /**
   * Looks at a domain from each region, immediately. Never throws; takes 45 seconds at most, and costs a test a region. What it cannot do as a probe
   * does is left out: it follows no redirects, and looks for no keyword beyond the first 10 kB.
   * @param name Punycode, lower case.
   * @returns every region that was asked for.
   */
  ask(
    target: { readonly name: string; readonly options: CheckOptions },
    regions: readonly Region[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Region, Opinion>>
  close(): Promise<void>
}
