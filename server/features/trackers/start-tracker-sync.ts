import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { syncDueTrackers } from './sync-domains.ts'

/** Reads the trackers' lists when they are due, in this process and in however many others. Returns the end of it. */
export function startTrackerSync(services: Services): () => Promise<void> {
  return runLoop(services, { name: 'trackers', everyMs: 5_000 }, (signal) => syncDueTrackers(services, signal)).stop
}
