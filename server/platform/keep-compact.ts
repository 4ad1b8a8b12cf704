import type { Services } from './context.ts'

export interface Compacting {
  /** Between two turns that had little to do. */
  readonly everyMs: number
  /** What one turn takes at the most: where it took as many, the next one follows at once. */
  readonly atOnce: number
  /** What the log says of a turn that failed; the next one tries again. */
  readonly failed: string
}

/**
 * Keeps something short while it grows; one process does the work at a time.
 * @param compact one turn; answers how much it took
 * @returns the end of it
 */
export function keepCompact(
  { clock, log }: Pick<Services, 'clock' | 'log'>,
  compact: () => Promise<number>,
  { everyMs, atOnce, failed }: Compacting,
): () => Promise<void> {
  const stop = new AbortController()
  const turns = async () => {
    while (!stop.signal.aborted) {
      const taken = await compact().catch((error: unknown) => {
        log.error({ err: error }, failed)
        return 0
      })
      if (taken < atOnce) await clock.sleep(everyMs, stop.signal).catch(() => undefined)
    }
  }
  const running = turns()
  return async () => {
    stop.abort()
    await running
  }
}
