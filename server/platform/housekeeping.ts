import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'

/** Deletes once an hour what has expired; `chores` are the features' own. Returns the end of it. */
export const startHousekeeping = (
  services: Pick<Services, 'clock' | 'log' | 'loops' | 'sessions' | 'limiter'>,
  chores: readonly ((signal: AbortSignal) => Promise<void>)[] = [],
): (() => Promise<void>) =>
  runLoop(services, { name: 'housekeeping', everyMs: 3_600_000 }, async (signal) => {
    await Promise.all([services.sessions.sweep(), services.limiter.sweep(), ...chores.map((chore) => chore(signal))])
  }).stop
