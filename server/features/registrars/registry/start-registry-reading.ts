import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { readDueNames, takeUpNames } from './read-due.ts'

const newEveryMs = 60_000

/** Queries registries for expiries that no registrar reports, shared between processes. Returns a function that stops it. */
export function startRegistryReading(services: Services): () => Promise<void> {
  const busy = new Set<string>()
  const underWay = new Set<Promise<void>>()
  let takenUpAtMs = -Infinity

  const loop = runLoop(services, { name: 'registry', everyMs: 5_000 }, async (signal) => {
    if (services.clock.now() - takenUpAtMs >= newEveryMs) {
      await takeUpNames(services, signal)
      takenUpAtMs = services.clock.now()
    }
    for (const work of await readDueNames(services, busy, signal)) {
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    }
  })
  return async () => {
    await loop.stop()
    await Promise.all(underWay)
  }
}
