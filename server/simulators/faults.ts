import type { Random } from './random.ts'

/** Injected faults. Unless noted otherwise, a fault stops the request before it has an effect. */
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
  /** An HTML page instead of a response. */
  | { readonly kind: 'page'; readonly status?: number | undefined }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'endless-body' }
  /** Executes the request and responds with an error. */
  | { readonly kind: 'error-after-write' }
  /** The three below execute the request and damage only the response. */
  | { readonly kind: 'cut-body' }
  | { readonly kind: 'malformed-json' }
  | { readonly kind: 'unknown-fields' }
  /** The first part of a list, `share` of it (0..1), with totals as if it were complete. */
  | { readonly kind: 'short-list'; readonly share: number }
  /** Executes the request and never responds; the connection closes after `holdMs`. */
  | { readonly kind: 'timeout-after-write'; readonly holdMs?: number | undefined }
  /** Executes the request after a delay. */
  | { readonly kind: 'slow'; readonly delayMs: number }

/** Which requests are affected; all given criteria must match. */
type FaultMatch = {
  readonly method?: string | undefined
  /** Path without the base and the query; `*` matches anything: `/zones/*\/dns_records`. */
  readonly path?: string | undefined
  /** The account of the zone, or the one in the path or in `account.id`. */
  readonly accountId?: string | undefined
  readonly userId?: string | undefined
  /** 0..1, drawn from the simulator's seed. Default 1. */
  readonly probability?: number | undefined
  /** Ends after this number of hits. */
  readonly times?: number | undefined
  /** Ends after this time. */
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

/** A list of faults; the first that matches a request applies. */
export function createFaults(random: Random, now: () => number) {
  let planned: { fault: Fault; pattern: RegExp | null; untilMs: number; left: number }[] = []

  function remove(entry: (typeof planned)[number]): void {
    planned = planned.filter((other) => other !== entry)
  }

  return {
    /** Returns a function that removes the fault. */
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
