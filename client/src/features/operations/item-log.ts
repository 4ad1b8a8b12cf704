import type { Item } from './queries.ts'

export const logLevels = ['success', 'warning', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** One line of an operation's log: the result for a domain, and its account. */
export interface LogEntry {
  key: string
  /** ISO 8601; null: skipped before it was tried. */
  at: string | null
  level: LogLevel
  domain: string
  domainId: string | null
  /** Null: no account. */
  account: string | null
  /** The reason; null for a plain success. */
  code: string | null
  providerCode: string | null
  message: string | null
  /** ISO 8601; the time of the automatic retry. */
  again: string | null
  /** The account rejected it, and the next one was tried. */
  moved: boolean
}

const levelOf = { done: 'success', undone: 'success', skipped: 'warning', waiting: 'warning', failed: 'error' } as const satisfies Partial<
  Record<Item['state'], LogLevel>
>

/** The log so far, latest first (R-DOM-07). */
export function logOf(items: readonly Item[]): LogEntry[] {
  const entries = items.flatMap((item): LogEntry[] => {
    const { position, displayName: domain, account, state } = item
    const domainId = item.present ? item.zoneId : null
    const moves = (item.plan.moved ?? []).map((move, index): LogEntry => ({
      key: `${position}.${index}`,
      at: move.at,
      level: 'warning',
      domain,
      domainId,
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
      domainId,
      account,
      code: item.code,
      providerCode: item.providerCode,
      message: item.message,
      again: state === 'waiting' ? item.waitUntil : null,
      moved: false,
    }
    return [...moves, result]
  })
  // Lines without a time were known before the start.
  return entries.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}
