import type { Services } from '#server/platform/context.ts'
import { compactCounts, compactedAtOnce } from './counts.repo.ts'

const everyMs = 2_000

/** Keeps the counts short while zones change. One process does the work at a time. Returns the end of it. */
export function startDomainMaintenance({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const stop = new AbortController()
  const turn = async () => {
    while (!stop.signal.aborted) {
      const moved = await compactCounts(db).catch((error: unknown) => {
        log.error({ err: error }, 'counts were not compacted')
        return 0
      })
      if (moved < compactedAtOnce) await clock.sleep(everyMs, stop.signal).catch(() => undefined)
    }
  }
  const running = turn()
  return async () => {
    stop.abort()
    await running
  }
}
