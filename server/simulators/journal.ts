/** One answered (or refused) call. `path` is the template, such as `/zones/{zone}/settings/{setting}`. */
type JournalEntry = {
  readonly method: string
  readonly path: string
  /** 0 if the connection was closed before a status was sent. */
  readonly status: number
  /** Id of the user (or account, for account-owned tokens) whose budget paid; null without a valid credential. */
  readonly userId: string | null
  readonly atMs: number
  readonly url: string
}

type JournalFilter = {
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly userId?: string | undefined
}

/** Counts every call, and keeps the newest ones. */
export type Journal = ReturnType<typeof createJournal>

/** `keep`: how many of the newest entries are kept; counts are never dropped. */
export function createJournal(keep = 1000) {
  let total = 0
  let counts = new Map<string, { entry: Omit<JournalEntry, 'atMs' | 'url'>; count: number }>()
  let ring: JournalEntry[] = []
  let next = 0

  return {
    add(entry: JournalEntry): void {
      total++
      const key = `${entry.method} ${entry.path} ${entry.status} ${entry.userId ?? ''}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { entry, count: 1 })
      else known.count++
      if (keep === 0) return
      ring[next] = entry
      next = (next + 1) % keep
    },
    /** Number of calls that match; without a filter, all of them, including refused ones. */
    count(filter: JournalFilter = {}): number {
      if (Object.keys(filter).length === 0) return total
      let sum = 0
      for (const { entry, count } of counts.values()) {
        if (filter.method !== undefined && entry.method !== filter.method) continue
        if (filter.path !== undefined && entry.path !== filter.path) continue
        if (filter.status !== undefined && entry.status !== filter.status) continue
        if (filter.userId !== undefined && entry.userId !== filter.userId) continue
        sum += count
      }
      return sum
    },
    /** Counts by method, path, status and user. */
    summary() {
      return [...counts.values()].map(({ entry, count }) => ({
        method: entry.method,
        path: entry.path,
        status: entry.status,
        userId: entry.userId,
        count,
      }))
    },
    /** The newest entries, oldest first. */
    recent(): JournalEntry[] {
      return [...ring.slice(next), ...ring.slice(0, next)]
    },
    reset(): void {
      total = 0
      counts = new Map()
      ring = []
      next = 0
    },
  }
}
