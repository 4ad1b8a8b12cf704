import type { Item } from './queries.ts'

export const logLevels = ['success', 'warning', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** One line of an operation's log: the result for a domain, and its account. */
export interface LogEntry {
  key: string
  /** ISO 8601; null: left out before anything was tried. */
  at: string | null
  level: LogLevel
  domain: string
  zoneId: string | null
  /** Null: it went to none. */
  account: string | null
  /** Why; null where it simply worked. */
  code: string | null
  providerCode: string | null
  message: string | null
  /** ISO 8601, of what is tried again on its own. */
  again: string | null
  /** The account refused it and it went on with another one. */
  moved: boolean
}

const levelOf = { done: 'success', undone: 'success', skipped: 'warning', waiting: 'warning', failed: 'error' } as const satisfies Partial<
  Record<Item['state'], LogLevel>
>

/** What has happened so far, the latest first (R-DOM-07). */
export function logOf(items: readonly Item[]): LogEntry[] {
  const entries = items.flatMap((item): LogEntry[] => {
    const { position, displayName: domain, account, state } = item
    const zoneId = item.present ? item.zoneId : null
    const moves = (item.plan.moved ?? []).map((move, index): LogEntry => ({
      key: `${position}.${index}`,
      at: move.at,
      level: 'warning',
      domain,
      zoneId,
      account: move.account,
      code: move.code,
      providerCode: null,
      message: null,
      again: null,
      moved: true,
    }))
    if (state === 'pending' || state === 'running' || state === 'cancelled') return moves
    const result: LogEntry = {
      key: String(position),
      at: item.finishedAt,
      level: levelOf[state],
      domain,
      zoneId,
      account,
      code: item.code,
      providerCode: item.providerCode,
      message: item.message,
      again: state === 'waiting' ? item.waitUntil : null,
      moved: false,
    }
    return [...moves, result]
  })
  // What has no time was known before the rest began.
  return entries.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}
