import type { Services } from './context.ts'
import { runLoop } from './run-loop.ts'

interface CompactionOptions {
  readonly name: string
  /** Between two turns that had little to do. */
  readonly everyMs: number
  /** What one turn takes at the most: where it took as many, the next one follows immediately. */
  readonly batchSize: number
}

/**
 * Keeps something short while it grows; one process does the work at a time.
 * @param compact one turn; answers how much it took
 * @returns the end of it
 */
export const startCompactionLoop = (
  services: Pick<Services, 'clock' | 'log' | 'loops'>,
  compact: () => Promise<number>,
  { name, everyMs, batchSize }: CompactionOptions,
): (() => Promise<void>) => runLoop(services, { name, everyMs }, async () => ((await compact()) < batchSize ? everyMs : 0)).stop
