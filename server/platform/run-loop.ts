import type { Clock } from './clock.ts'
import { isDatabaseAway } from './database-away.ts'
import type { Log } from './log.ts'

/** Counters of the process's loops since its start, by name; for metrics. */
export type LoopCounts = Map<string, { rounds: number; failures: number }>

interface LoopContext {
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
  readonly loops: LoopCounts
}

export interface LoopOptions {
  /** Name in metrics and in the log. */
  readonly name: string
  /** Pause between two rounds in milliseconds; a round may return another one. */
  readonly everyMs: number
  /** Pause after a failed round; if absent, `everyMs`. */
  readonly retryMs?: number
  /** Pause before each round in which further wake-ups are combined; if absent, none. */
  readonly settleMs?: number
  /** Stops the loop from outside; if absent, it has its own signal. */
  readonly stopping?: AbortController
}

export interface Loop {
  /** Aborts when the loop is stopped. */
  readonly signal: AbortSignal
  /** Starts the next round without a pause, after the current one if it is running. */
  wake(): void
  /** Resolves when the current round has ended. */
  stop(reason?: unknown): Promise<void>
}

/**
 * Runs `round` repeatedly until stopped. Errors of a round are logged and counted, and the next one follows after a pause. An unavailable
 * database is logged once, until a round succeeds.
 * @param round returns the pause after it in milliseconds, or nothing for `everyMs`
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
      if (signal.aborted) return
      pause = new AbortController()
      counts.rounds += 1
      const pauseMs = await round(signal).then(
        (wished) => {
          isAway = false
          return wished ?? everyMs
        },
        (error: unknown) => {
          report(error)
          // A failed round is not repeated without a pause, even after wake-ups.
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
