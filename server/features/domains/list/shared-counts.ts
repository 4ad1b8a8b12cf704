import type { Ctx, Services } from '#server/platform/context.ts'
import type { Events } from '#server/platform/events.ts'
import { startCompactionLoop } from '#server/platform/compaction-loop.ts'
import { compactCounts, compactedPerBatch } from './counts.repo.ts'

/** Filtered counts are exact within this time. */
const keepMs = 1_000
const mostEntries = 200

interface Kept {
  readonly at: number
  readonly answer: Promise<unknown>
}
const caches = new WeakMap<Events, Map<string, Kept>>()

/** One cache per server; change events of domains, from any process, clear it before subscribers are notified. */
function cacheOf(events: Events): Map<string, Kept> {
  const known = caches.get(events)
  if (known !== undefined) return known
  const cache = new Map<string, Kept>()
  caches.set(events, cache)
  events.subscribe((_owner, { kind }) => {
    if (kind === 'domains') cache.clear()
  })
  return cache
}

/**
 * Counting the matches of a filter may read all of them. All viewers of the same filter, who refetch while a sync reports its progress,
 * share one read per second.
 */
export function sharedCounts<T>({ events, clock }: Pick<Ctx, 'events' | 'clock'>, key: string, read: () => Promise<T>): Promise<T> {
  const cache = cacheOf(events)
  const kept = cache.get(key)
  if (kept !== undefined && clock.now() - kept.at < keepMs) return kept.answer as Promise<T>
  if (cache.size >= mostEntries) cache.clear()
  const answer = read()
  cache.set(key, { at: clock.now(), answer })
  answer.catch(() => cache.delete(key))
  return answer
}

/** Compacts the counts while zones change. Returns a function that stops it. */
export const startDomainMaintenance = (services: Pick<Services, 'db' | 'clock' | 'log' | 'loops'>): (() => Promise<void>) =>
  startCompactionLoop(services, () => compactCounts(services.db), { name: 'domain-counts', everyMs: 2_000, batchSize: compactedPerBatch })
