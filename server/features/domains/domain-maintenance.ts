import type { Services } from '#server/platform/context.ts'
import { keepCompact } from '#server/platform/keep-compact.ts'
import { compactCounts, compactedAtOnce } from './list/counts.repo.ts'

/** Keeps the counts short while zones change. Returns the end of it. */
export const startDomainMaintenance = (services: Pick<Services, 'db' | 'clock' | 'log' | 'loops'>): (() => Promise<void>) =>
  keepCompact(services, () => compactCounts(services.db), { name: 'domain-counts', everyMs: 2_000, atOnce: compactedAtOnce })
