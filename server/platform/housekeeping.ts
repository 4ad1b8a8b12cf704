import type { Services } from '#server/platform/context.ts'

const everyMs = 3600_000

/** Forgets once an hour what is over; `chores` are what features have of it. Returns the end of it. */
export function startHousekeeping(
  { clock, log, sessions, limiter }: Pick<Services, 'clock' | 'log' | 'sessions' | 'limiter'>,
  chores: readonly ((signal: AbortSignal) => Promise<void>)[] = [],
): () => Promise<void> {
  const stop = new AbortController()
  const run = async () => {
    while (!stop.signal.aborted) {
      await Promise.all([sessions.sweep(), limiter.sweep(), ...chores.map((chore) => chore(stop.signal))]).catch((error: unknown) =>
        log.error({ err: error }, 'housekeeping failed'),
      )
      await clock.sleep(everyMs, stop.signal).catch(() => undefined)
    }
  }
  const running = run()
  return () => {
    stop.abort()
    return running
  }
}
