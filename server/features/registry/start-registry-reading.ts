import type { Services } from '#server/platform/context.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import { readDueNames, takeUpNames } from './read-due.ts'

const everyMs = 5_000
const newEveryMs = 60_000

/** Asks registries until when names are registered of which no registrar tells it, in this process and in however many others. Returns the end of it. */
export function startRegistryReading(services: Services): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const busy = new Set<string>()
  const underWay = new Set<Promise<void>>()
  let takenUpAtMs = -Infinity

  const once = async () => {
    if (services.clock.now() - takenUpAtMs >= newEveryMs) {
      await takeUpNames(services)
      takenUpAtMs = services.clock.now()
    }
    for (const work of await readDueNames(services, busy, signal)) {
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      await once().catch((error: unknown) => {
        if (!signal.aborted && !isDatabaseAway(error)) services.log.error({ err: error }, 'registries could not be asked')
      })
      await services.clock.sleep(everyMs, signal).catch(() => undefined)
    }
    await Promise.all(underWay)
  }
  const running = run()
  return () => {
    stop.abort()
    return running
  }
}
