import type { Clock } from './clock.ts'
import { isDatabaseAway } from './database-away.ts'
import type { Log } from './log.ts'

/** What the loops of a process have done since it started, by name; for its metrics. */
export type LoopCounts = Map<string, { rounds: number; failures: number }>

interface LoopContext {
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
  readonly loops: LoopCounts
}

export interface LoopOptions {
  /** In metrics and in the log. */
  readonly name: string
  /** Pause between two rounds, milliseconds; a round may answer another one for itself. */
  readonly everyMs: number
  /** Pause after a round that failed; absent: `everyMs`. */
  readonly retryMs?: number
  /** Pause before each round, in which further wake-ups gather; absent: none. */
  readonly settleMs?: number
  /** Ends the loop from outside, with whatever else it ends; absent: one of its own. */
  readonly stopping?: AbortController
}

export interface Loop {
  /** Aborts when the loop is stopped. */
  readonly signal: AbortSignal
  /** Begins the next round without a pause; after the one that is under way, if one is. */
  wake(): void
  /** Resolves when the round under way has ended. */
  stop(reason?: unknown): Promise<void>
}

/**
 * Runs `round` again and again until it is stopped. What a round throws is logged and counted, and the next one follows after a pause.
 * A database that is away is logged once, until a round succeeds.
 * @param round answers the pause after it in milliseconds, or nothing for `everyMs`
 */
export function runLoop(
  { clock, log, loops }: LoopContext,
  { name, everyMs, retryMs = everyMs, settleMs = 0, stopping = new AbortController() }: LoopOptions,
  round: (signal: AbortSignal) => Promise<number | void>,
): Loop {
  const { signal } = stopping
  const counts = loops.get(name) ?? { rounds: 0, failures: 0 }
  loops.set(name, counts)
  let pause = new AbortController()
  let isAway = false

  function report(error: unknown): void {
    if (signal.aborted) return
    counts.failures += 1
    const away = isDatabaseAway(error)
    if (!away) log.error({ err: error, loop: name }, 'a round of a background job failed')
    else if (!isAway) log.warn({ err: error, loop: name }, 'background jobs are waiting for the database')
    isAway = away
  }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (settleMs > 0) await clock.sleep(settleMs, signal).catch(() => undefined)
      pause = new AbortController()
      counts.rounds += 1
      const pauseMs = await round(signal).then(
        (wished) => {
          isAway = false
          return wished ?? everyMs
        },
        (error: unknown) => {
          report(error)
          // What failed is not tried again without a pause, however often it was woken meanwhile.
          pause = new AbortController()
          return retryMs
        },
      )
      if (!signal.aborted) await clock.sleep(pauseMs, pause.signal).catch(() => undefined)
    }
  }
  signal.addEventListener('abort', () => pause.abort(), { once: true })
  const running = run()
  return {
    signal,
    wake: () => pause.abort(),
    stop(reason) {
      stopping.abort(reason)
      return running
    },
  }
}
