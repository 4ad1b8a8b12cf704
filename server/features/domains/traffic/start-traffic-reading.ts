import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { followTrafficTotals } from './follow-totals.ts'
import { readDueTraffic } from './read-traffic.ts'

/** Accounts whose traffic is read at the same time; the limit of the provider is for each user. */
const concurrent = 10
/** How soon the sums by group show that a domain has moved to another one. */
const totalsEveryMs = 60_000

/** Reads the traffic of all domains once a day. Several processes share the accounts. Returns a function that stops it. */
export function startTrafficReading(services: Services): () => Promise<void> {
  const loops = Array.from({ length: concurrent }, () =>
    runLoop(services, { name: 'traffic', everyMs: 30_000 }, async (signal) => ((await readDueTraffic(services, signal)) ? 0 : undefined)),
  )
  const totals = runLoop(services, { name: 'traffic totals', everyMs: totalsEveryMs }, (signal) => followTrafficTotals(services, signal))
  return async () => {
    await Promise.all([...loops, totals].map((loop) => loop.stop()))
  }
}
