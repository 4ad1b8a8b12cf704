import { isDatabaseAway } from '#server/platform/database-away.ts'
import type { Services } from '#server/platform/context.ts'
import { syncDueTrackers } from './sync-domains.ts'

const everyMs = 5_000

/** Reads the trackers' lists when they are due, in this process and in however many others. Returns the end of it. */
export function startTrackerSync(services: Services): () => Promise<void> {
  const stop = new AbortController()
  const run = async () => {
    while (!stop.signal.aborted) {
      await syncDueTrackers(services, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted && !isDatabaseAway(error)) services.log.error({ err: error }, 'trackers could not be read')
      })
      await services.clock.sleep(everyMs, stop.signal).catch(() => undefined)
    }
  }
  const running = run()
  return () => {
    stop.abort()
    return running
  }
}
