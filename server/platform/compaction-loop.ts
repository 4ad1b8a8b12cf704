import type { Services } from './context.ts'
import { runLoop } from './run-loop.ts'

interface CompactionOptions {
  readonly name: string
  /** Pause after a run with little work. */
  readonly everyMs: number
  /** Maximum work of one run; a full run is followed by the next one immediately. */
  readonly batchSize: number
}

/**
 * Compacts something regularly while it grows; one process works at a time.
 * @param compact one run; returns how much it processed
 * @returns a function that stops the loop
 */
export const startCompactionLoop = (
  services: Pick<Services, 'clock' | 'log' | 'loops'>,
  compact: () => Promise<number>,
  { name, everyMs, batchSize }: CompactionOptions,
): (() => Promise<void>) => runLoop(services, { name, everyMs }, async () => ((await compact()) < batchSize ? everyMs : 0)).stop
