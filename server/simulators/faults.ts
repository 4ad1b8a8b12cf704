import type { Random } from './random.ts'

/** What goes wrong. Every kind that is not said to carry the request out stops the request before it has any effect. */
export type FaultEffect =
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds?: number | undefined }
  | {
      readonly kind: 'server-error'
      readonly status?: number | undefined
      readonly body?: 'json' | 'html' | undefined
    }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'revoked-key' }
  | { readonly kind: 'success-false' }
  | { readonly kind: 'reset' }
  /** Somebody's page instead of an answer. */
  | { readonly kind: 'page'; readonly status?: number | undefined }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'endless-body' }
  /** Carries the request out and answers with an error. */
  | { readonly kind: 'error-after-write' }
  /** The three below carry the request out and spoil only the answer. */
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'malformed-json' }
  | { readonly kind: 'unknown-fields' }
  /** The first part of a list, `share` of it (0..1), with totals as if there were no more. */
  | { readonly kind: 'short-list'; readonly share: number }
  /** Carries the request out and never answers; the connection ends after `holdMs`. */
  | { readonly kind: 'timeout-after-write'; readonly holdMs?: number | undefined }
  /** Carries the request out, later. */
  | { readonly kind: 'slow'; readonly delayMs: number }

/** Which requests; everything that is given must hold. */
type FaultMatch = {
  readonly method?: string | undefined
  /** Path without the base and the query; `*` stands for anything: `/zones/*\/dns_records`. */
  readonly path?: string | undefined
  /** The account of the zone, or the one in the path or in `account.id`. */
  readonly accountId?: string | undefined
  readonly userId?: string | undefined
  /** 0..1, drawn from the simulator's seed. Default 1. */
  readonly probability?: number | undefined
  /** Heals after so many hits. */
  readonly times?: number | undefined
  /** Heals after so long. */
  readonly forMs?: number | undefined
}

export type Fault = FaultMatch & { readonly effect: FaultEffect }

type FaultSubject = {
  readonly method: string
  readonly path: string
  readonly accountId: string | null
  readonly userId: string | null
}

export type Faults = ReturnType<typeof createFaults>

/** A list of faults; the first that matches a request wins. */
export function createFaults(random: Random, now: () => number) {
  let planned: { fault: Fault; pattern: RegExp | null; untilMs: number; left: number }[] = []

  function remove(entry: (typeof planned)[number]): void {
    planned = planned.filter((other) => other !== entry)
  }

  return {
    /** Returns a function that takes the fault away again. */
    add(fault: Fault): () => void {
      const entry = {
        fault,
        pattern: fault.path === undefined ? null : patternOf(fault.path),
        untilMs: fault.forMs === undefined ? Infinity : now() + fault.forMs,
        left: fault.times ?? Infinity,
      }
      planned.push(entry)
      return () => remove(entry)
    },
    clear(): void {
      planned = []
    },
    /** The effect for this request, or null. Counts as one hit. */
    find(subject: FaultSubject): FaultEffect | null {
      if (planned.length === 0) return null
      for (const entry of planned) {
        const { fault } = entry
        if (now() >= entry.untilMs || entry.left <= 0) {
          remove(entry)
          continue
        }
        if (fault.method !== undefined && fault.method !== subject.method) continue
        if (entry.pattern !== null && !entry.pattern.test(subject.path)) continue
        if (fault.accountId !== undefined && fault.accountId !== subject.accountId) continue
        if (fault.userId !== undefined && fault.userId !== subject.userId) continue
        if (fault.probability !== undefined && random() >= fault.probability) continue
        entry.left--
        return fault.effect
      }
      return null
    },
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${escaped}$`)
}
